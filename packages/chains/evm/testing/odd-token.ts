import type { ContractCall } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { type Abi, type Address, getAddress, type Hex, parseEventLogs } from 'viem'
import collectorArtifact from '../artifacts/collector.json' with { type: 'json' }
import oddToken from '../artifacts/odd-token.json' with { type: 'json' }
import type { Anvil } from './anvil.ts'

/** How a token behaves, as `contracts/odd-token.sol` numbers it. */
export const MANNERS = [
  'plain',
  'answersNothing',
  'refusesWithFalse',
  'reverts',
  'saysYesAndKeeps',
  'takesFee',
  'callsBack',
  'floodsAnswer',
  'allowsAnyone',
] as const
export type Manner = (typeof MANNERS)[number]

// The estimate of a node may be too low for calls whose failures are swallowed.
const GAS = 12_000_000n

/** Contracts of tests on a network, called by the accounts it starts with, by their number. */
export async function openOddToken(anvil: Anvil) {
  // Each wallet derives its key from words, which takes longer than a block.
  const wallets = Array.from({ length: 10 }, (_, index) => anvil.walletOf(index))
  const walletOf = (index: number) => at(wallets, index)
  const accountOf = (index: number): Address => walletOf(index).account.address
  const mined = (hash: Hex) => anvil.network.waitForTransactionReceipt({ hash })
  const call = async (index: number, { contract, value, data }: ContractCall) =>
    mined(await walletOf(index).sendTransaction({ to: contract as Address, value, data: `0x${toHex(data)}`, gas: GAS }))
  const deployed = await mined(await walletOf(0).deployContract({ abi: oddToken.abi as Abi, bytecode: oddToken.bytecode as Hex }))
  const address = getAddress(deployed.contractAddress!)
  const token = { address, abi: oddToken.abi as Abi }
  const write = async (index: number, functionName: string, args: unknown[]) =>
    mined(await walletOf(index).writeContract({ ...token, functionName, args, gas: GAS }))
  const read = (functionName: string, args: unknown[] = []) => anvil.network.readContract({ ...token, functionName, args }) as Promise<bigint>
  return {
    address,
    accountOf,
    call,
    write,
    read,
    balanceOf: (owner: string) => read('balanceOf', [owner]),
    behave: (manner: Manner, calledBack: string = address, callBack: Hex = '0x') => write(0, 'setManner', [MANNERS.indexOf(manner), calledBack, callBack]),
    /** What each source of a call gives, as a network simulates it. */
    simulate: async ({ contract, data }: ContractCall): Promise<bigint[]> => {
      const { data: answer = '0x' } = await anvil.network.call({ account: accountOf(9), to: contract as Address, data: `0x${toHex(data)}`, gas: GAS })
      const words = answer.slice(2).match(/.{64}/g) ?? []
      return words.slice(2).map((each) => BigInt(`0x${each}`))
    },
    /** The sources that a receipt tells of as missed, with what was asked of them and what arrived. */
    missedIn: (receipt: { logs: Parameters<typeof parseEventLogs>[0]['logs'] }) =>
      parseEventLogs({ abi: collectorArtifact.abi as Abi, logs: receipt.logs, eventName: 'Missed' }).map(
        ({ args }) => args as unknown as { token: Address; source: Address; asked: bigint; arrived: bigint },
      ),
  }
}
