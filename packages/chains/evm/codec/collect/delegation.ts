import { ChainError, type ChainId, type Effects } from '@holdfast/chain-core'
import { ADDRESS_LENGTH, addressBytes, checksumAddress } from '../address.ts'
import { type Authorization, decodeAuthorization } from '../set-code/authorization.ts'
import { type Collect, readCollect } from './collect-call.ts'
import { sweeper } from './pinned-contracts.ts'

/** That an account begins to let the sweeper collect from it, or ends that. `nonce`: the account's own, which this takes. */
export type Delegation = { authority: string; ends: boolean; nonce: bigint }

/** What a transaction does that carries delegations: those, and what it collects with them, or null if it collects nothing. */
export type Sweep = { delegations: Delegation[]; collect: Collect | null }

/** How the code of an account begins that delegates; the delegate's address follows. Source: EIP-7702. */
const DESIGNATOR = [0xef, 0x01, 0x00]

/** What an account signs that lets the sweeper of `target` collect from it; without a target, what ends every delegation. */
export const delegationTo = ({ chain, target, nonce }: { chain: ChainId; target: string | null; nonce: bigint }): Authorization => ({
  chain,
  delegate: target === null ? null : sweeper.addressOf(target),
  nonce,
})

/**
 * Reads the bytes of an authorization that an account of ours is to sign. Throws ChainError unless it is for this chain alone and for the sweeper of `target`, or
 * ends a delegation: any other code could do with the account whatever it likes.
 */
export function readDelegation(bytes: Uint8Array, { chain, target }: { chain: ChainId; target: string }): Omit<Delegation, 'authority'> {
  const { chain: named, delegate, nonce } = decodeAuthorization(bytes)
  if (named !== chain) throw new ChainError(`the authorization is for ${named}, not for ${chain}`)
  return { ends: isEnd(delegate ?? '', target), nonce }
}

/**
 * Reads the effects of a transaction of type 4, as the chain's codec decoded it. Throws ChainError unless it delegates to the sweeper of `target` alone, or ends
 * delegations, and calls that sweeper to collect or with nothing.
 */
export function readSweep({ transfers, call, actions = [] }: Effects, target: string): Sweep {
  if (transfers.length > 0 || !call) throw new ChainError('a transaction that carries delegations calls the sweeper and moves nothing by itself')
  if (call.contract !== sweeper.addressOf(target)) throw new ChainError(`the call is of ${call.contract}, which is not the sweeper of ${target}`)
  const delegations = actions.map(({ kind, facts: { authority, delegate, nonce } }) => {
    if (kind !== 'delegation') throw new ChainError(`the transaction does ${kind} besides`)
    return { authority: String(authority), ends: isEnd(String(delegate), target), nonce: BigInt(nonce ?? 0n) }
  })
  return { delegations, collect: call.data.length === 0 && call.value === 0n ? null : collectOf(call, target) }
}

/** The address, in EIP-55, that an account's code delegates to; undefined if the code is none that delegates, also where there is none. */
export function delegateOfCode(code: Uint8Array): string | undefined {
  const isDelegating = code.length === DESIGNATOR.length + ADDRESS_LENGTH && DESIGNATOR.every((byte, i) => code[i] === byte)
  return isDelegating ? checksumAddress(code.subarray(DESIGNATOR.length)) : undefined
}

/** The code that an account has while it delegates to the sweeper of `target`. */
export const codeDelegatingTo = (target: string): Uint8Array => Uint8Array.of(...DESIGNATOR, ...addressBytes(sweeper.addressOf(target)))

function isEnd(delegate: string, target: string): boolean {
  if (delegate === '') return true
  if (delegate !== sweeper.addressOf(target)) throw new ChainError(`the account would delegate to ${delegate}, which is not the sweeper of ${target}`)
  return false
}

function collectOf(call: NonNullable<Effects['call']>, target: string): Collect {
  const { token, pulls, isWhole } = readCollect(call, target)
  return { token, pulls, isWhole }
}
