import { toHex } from '@holdfast/encoding'
import { encodeCall } from '../codec/call-data.ts'
import { hexData, quantity } from './answers.ts'
import { NodeRefused, type Rpc } from './rpc.ts'

/*
 * What a rollup of the OP stack takes of a payer besides the gas of a transaction: its part of what the underlying chain costs, and a fee of whoever
 * operates it.
 * Neither stands in the transaction's bytes, so no signature bounds it. Source: the OP stack's specification, "Execution engine", L1 cost fees and
 * operator fee.
 */

/** The contract that tells of them, on every network of the OP stack at the same address (GasPriceOracle). */
export const FEE_ORACLE = '0x420000000000000000000000000000000000000F'
/** `getL1FeeUpperBound(uint256)` of an unsigned transaction's size, and `getOperatorFee(uint256)` of the gas it uses. */
const UPPER_BOUND = 'f1c7a58b'
const OPERATOR_FEE = '275aedd2'
/** Bytes of an unsigned transfer or call besides its call data, rounded up. */
const FRAME_BYTES = 160

/** Asks what a transaction with so many bytes of call data and so much gas may be charged besides its gas, in wei; 0 on other networks. */
export type RollupFee = (dataBytes: number, gasLimit: bigint) => Promise<bigint>

/** Opens the question for one node. Whether its network is one of the OP stack is asked once, by the code of the contract that tells of fees. */
export function openRollupFee(rpc: Rpc): RollupFee {
  let isRollup: Promise<boolean> | undefined
  const read = async (selector: string, argument: bigint): Promise<bigint> => {
    const data = `0x${toHex(encodeCall(selector, [argument]))}`
    return BigInt(hexData(await rpc('eth_call', [{ to: FEE_ORACLE, data }, 'latest']), 'fee of the rollup').slice(0, 66) || '0x0')
  }
  return async (dataBytes, gasLimit) => {
    isRollup ??= rpc('eth_getCode', [FEE_ORACLE, 'latest']).then((code) => hexData(code, 'code') !== '0x')
    const known = await isRollup.catch((cause: unknown) => {
      isRollup = undefined
      throw cause
    })
    if (!known) return 0n
    // Networks that have not had the fork that brought the operator's fee refuse the question.
    const operator = await read(OPERATOR_FEE, gasLimit).catch((cause: unknown) => {
      if (!(cause instanceof NodeRefused)) throw cause
      return 0n
    })
    return (await read(UPPER_BOUND, BigInt(FRAME_BYTES + dataBytes))) + operator
  }
}

const OPERATOR_SCALAR_UNIT = 1_000_000n
const JOVIAN_FACTOR = 100n

/** What a receipt says that was taken besides gas, in wei; 0 if it says nothing of the kind. */
export function beyondGas({ l1Fee, operatorFeeScalar, operatorFeeConstant, daFootprintGasScalar, gasUsed }: Record<string, unknown>): bigint {
  const told = (claim: unknown, name: string) => (claim === undefined || claim === null ? 0n : quantity(claim, name))
  const scaled = quantity(gasUsed, 'gas used') * told(operatorFeeScalar, 'scalar of the operator fee')
  // Since the fork that names the data's footprint (Jovian), the scalar counts in other units.
  const isJovian = daFootprintGasScalar !== undefined && daFootprintGasScalar !== null
  const operator = (isJovian ? scaled * JOVIAN_FACTOR : scaled / OPERATOR_SCALAR_UNIT) + told(operatorFeeConstant, 'constant of the operator fee')
  return told(l1Fee, 'fee of the underlying chain') + operator
}
