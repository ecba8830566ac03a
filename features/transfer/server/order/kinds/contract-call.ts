import type { ContractCallIntent } from '@holdfast/intent'
import type { OrderKind, Paid, SubjectKind } from './order-kind.ts'

/** A call of the contract `to`, with `paid` of the network's own coin, which may be zero. `signature` is null if nobody knows the function. */
export type ContractCall = Paid & { kind: 'contractCall'; data: Uint8Array; signature: string | null }

export const contractCall: SubjectKind<ContractCall, ContractCallIntent> = {
  intent: ({ data, signature }, order) => ({ kind: 'contractCall', ...order, data, signature }),
  asked: ({ data }) => ({ data }),
  proof: 'what it took',
}

/** A contract is called. */
export const web3 = { subjects: ['contractCall'], holds: 'amount and fee', goes: 'external' } satisfies OrderKind
