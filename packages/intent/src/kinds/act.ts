import type { Effects } from '@holdfast/chain-core'
import type { Asset } from '../asset.ts'

/** The key and the path below it of the address that acts; null in a draft that does not say. */
export type Source = { keyId: Uint8Array; path: readonly bigint[] }

/** What the rules of a policy look at in whatever an order does: who asks, and from where. */
type Asked = { initiator: Uint8Array; source: Source | null }

/**
 * A payment as the rules of a policy look at it: how much of what, and whether a memo goes along. `recipients` are those whom it could be lost to, and
 * nobody where the order pays the organisation itself. `memos`: what goes along with the payment of each of them, in their sequence, where these differ;
 * absent where `memo` goes along with all of it.
 */
export type PaymentAct = Asked & {
  as: 'payment'
  chain: string
  contract: string | null
  amount: bigint
  recipients: readonly string[]
  memo: string | null
  memos?: readonly (string | null)[]
}

/** A call as the rules look at it: who calls, what is called, what goes along, and the call data with the function it is claimed to be a call of. */
export type CallAct = Asked & {
  as: 'call'
  chain: string
  from: string
  contract: string
  value: bigint
  data: Uint8Array
  signature: string | null
}

/** An order about stake as the rules look at it; `receiver` is who is delegated to or loses a delegation, null if nobody is. */
export type StakeAct = Asked & {
  as: 'stake'
  chain: string
  from: string
  action: string
  amount: bigint
  receiver: string | null
  lockBlocks: bigint
}

/** What an order does, as the rules of a policy look at it. */
export type Act = PaymentAct | CallAct | StakeAct

/** What of an order of any kind is looked at. */
export type Ordered = {
  asset: Pick<Asset, 'chain' | 'contract'>
  from: string
  to: string
  amount: bigint
  initiator: Uint8Array
  memo?: string | null
} & Partial<Source>

/** Who asks for an order, and from where. */
export const askedIn = ({ initiator, keyId, path }: Ordered): Asked => ({ initiator, source: keyId && path ? { keyId, path } : null })

/** A payment that could be lost to these recipients. */
export function paying(ordered: Ordered, recipients: readonly string[]): PaymentAct {
  const { asset, amount, memo = null } = ordered
  return { as: 'payment', chain: asset.chain, contract: asset.contract, amount, recipients, memo, ...askedIn(ordered) }
}

/** Whom a payment could be lost to, each with the memo that goes along. */
export const toWhom = ({ recipients, memo, memos }: PaymentAct): { address: string; memo: string | null }[] =>
  recipients.map((address, i) => ({ address, memo: memos ? (memos[i] ?? null) : memo }))

/** A payment to several as one to each of them: of all of the amount, with the memo that goes along there. */
export function eachAlone(act: PaymentAct): PaymentAct[] {
  const { memos: _, ...payment } = act
  return toWhom(act).map(({ address, memo }) => ({ ...payment, recipients: [address], memo }))
}

/** The same payment by what the bytes move; undefined if they move nothing. Whom they pay is compared with the order, one by one. */
export function paid(act: PaymentAct, { transfers }: Effects): PaymentAct | undefined {
  const moved = movedBy(transfers)
  return moved && { ...act, ...moved }
}

/** The coin or token that transfers are about, and how much of it, all of them together. The first is what they are about. */
export function movedBy(transfers: Effects['transfers']): { chain: string; contract: string | null; amount: bigint } | undefined {
  const [first] = transfers
  if (!first) return undefined
  const { chain, contract } = first.asset
  const same = transfers.filter(({ asset }) => asset.contract === contract)
  return { chain, contract, amount: same.reduce((sum, { amount }) => sum + amount, 0n) }
}
