import type { NotedPayoutIntent, PayoutIntent, TransferIntent } from '@holdfast/intent'
import { at } from '@holdfast/units'
import type { Money, OrderKind, Paid, SubjectKind } from './order-kind.ts'

/** A payment to one recipient. `memo` is what the chain carries along for the recipient, or null. */
export type Transfer = Paid & { kind: 'transfer'; memo: string | null }

/** A payment to several recipients in one transaction, `to` the first of them and `paid` their sum. Canonical text, base units. */
export type Payout = Paid & { kind: 'payout'; outputs: readonly { to: string; amount: bigint }[] }

/** The same, where the chain carries a memo of its own along with each, or with some. */
export type NotedPayout = Paid & { kind: 'notedPayout'; outputs: readonly { to: string; memo: string | null; amount: bigint }[] }

const paidTo = (asset: Money['asset'], outputs: Payout['outputs']): Paid => ({
  to: at(outputs, 0).to,
  paid: { asset, amount: outputs.reduce((sum, { amount }) => sum + amount, 0n) },
})

/** The payment of an asset to several recipients. */
export const payoutOf = (asset: Money['asset'], outputs: Payout['outputs']): Payout => ({ kind: 'payout', ...paidTo(asset, outputs), outputs })

/** The same with memos. */
export const notedPayoutOf = (asset: Money['asset'], outputs: NotedPayout['outputs']): NotedPayout => ({
  kind: 'notedPayout',
  ...paidTo(asset, outputs),
  outputs,
})

export const transfer: SubjectKind<Transfer, TransferIntent> = {
  intent: ({ memo }, order) => ({ kind: 'transfer', ...order, memo, screening: null }),
  asked: ({ memo }) => (memo === null ? {} : { memo }),
  proof: 'its transfers',
}

export const payout: SubjectKind<Payout, PayoutIntent> = {
  intent: ({ outputs }, order) => ({ kind: 'payout', ...order, memo: null, screening: null, outputs: [...outputs] }),
  asked: ({ outputs }) => ({ payments: outputs.map(({ to, amount }) => ({ to, amount })) }),
  proof: 'its transfers',
  recipients: ({ outputs }) => outputs,
}

export const notedPayout: SubjectKind<NotedPayout, NotedPayoutIntent> = {
  intent: ({ outputs }, order) => ({ kind: 'notedPayout', ...order, memo: null, screening: null, outputs: [...outputs] }),
  asked: ({ outputs }) => ({ payments: outputs.map(({ to, amount, memo }) => ({ to, amount, ...(memo !== null && { memo }) })) }),
  proof: 'its transfers',
  recipients: ({ outputs }) => outputs,
}

/** A typed amount is paid. A BRC-20 token is inscribed for it. */
export const withdraw = { subjects: ['transfer', 'payout', 'notedPayout', 'brc20Inscribe'], holds: 'amount and fee', goes: 'external' } satisfies OrderKind

/** Coins are swept to the wallet where they are collected, one by one, or by a call of the collector that takes them of many addresses (`order-parts.ts`). */
export const collect = { subjects: ['transfer', 'contractCall'], holds: 'amount and fee', goes: 'external' } satisfies OrderKind

/** Coins for fees are sent to an address of the organisation. */
export const fuel = { subjects: ['transfer'], holds: 'amount and fee', goes: 'external' } satisfies OrderKind

/** Whoever rents energy out is paid for it. */
export const rent = { subjects: ['transfer'], holds: 'amount and fee', goes: 'external' } satisfies OrderKind

/** Coins of an address are joined there. */
export const consolidate = { subjects: ['transfer'], holds: 'amount and fee', goes: 'nowhere' } satisfies OrderKind
