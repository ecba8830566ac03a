import type { OrganisationTx } from '@holdfast/db'
import type { SubWalletId } from '@holdfast/units'
import { remainderId, type LedgerAsset } from './account.ts'
import { LedgerError } from './ledger-error.ts'
import { type Entry, post, postAlong, type Posted, type Posting } from './post.ts'
import { readTransfer } from './read-transfer.ts'

/** An amount in base units with its coin, so that nothing of one coin is taken for another. */
export type AssetAmount<Asset extends LedgerAsset = LedgerAsset> = { asset: Asset; amount: bigint }
/** Coin that leaves a hold: to others, to the chain as its fee, or into the sub-wallet's own stake. */
export type Payment = AssetAmount & { to: 'external' | 'fee' | 'staked' }

/**
 * Reserves amounts of a sub-wallet for an order: what it pays and the most it may cost, of what `address` has if it is named. Adds up amounts of one asset and leaves out
 * zero. Throws InsufficientBalanceError if less is available, and then nothing is held.
 */
export async function hold(tx: OrganisationTx, order: NewHold): Promise<Posted> {
  return post(tx, holdOf(order))
}

/** Does the same along with the transaction's next question: where less is available, the transaction runs again, and this throws then (`postAlong`). */
export async function holdAlong(tx: OrganisationTx, order: NewHold): Promise<void> {
  await postAlong(tx, holdOf(order))
}

export type NewHold = { id: string; reference: string; nowMs: number; subWalletId: SubWalletId; address?: string; amounts: AssetAmount[] }

function holdOf({ id, reference, nowMs, subWalletId, address, amounts }: NewHold): Posting {
  const entries = addUp(amounts).flatMap(({ asset, amount }): Entry[] => [
    { account: { kind: 'available', subWalletId, asset }, amount: -amount },
    { account: { kind: 'held', subWalletId, asset }, amount },
  ])
  return { id, kind: 'hold', reference, nowMs, address, entries }
}

/** Ends a hold unused: everything is available again. Throws AlreadyClosedError if it was settled. */
export async function release(tx: OrganisationTx, order: { id: string; holdId: string; nowMs: number }): Promise<Posted> {
  const { id, holdId, nowMs } = order
  const { subWalletId, address, amounts } = await readHold(tx, holdId)
  return post(tx, { id, kind: 'release', reference: holdId, closes: holdId, nowMs, address, entries: giveBack(subWalletId, amounts) })
}

/**
 * Ends a hold by what the chain did: the payments leave, the rest is available again, and so is what the chain returned from stake (`unstaked`).
 * `holdId` is a hold, or the reversal of an earlier settlement, which is a new hold. Throws AlreadyClosedError if it was released or settled
 * otherwise, and LedgerError if more would be paid than was held.
 */
export async function settle(
  tx: OrganisationTx,
  order: { id: string; holdId: string; nowMs: number; payments: Payment[]; unstaked?: AssetAmount[] },
): Promise<Posted> {
  const { id, holdId, nowMs, payments, unstaked = [] } = order
  const { subWalletId, address, amounts } = await readHold(tx, holdId)
  const paid = addUp(payments)
  const rest = addUp([...amounts, ...paid.map(({ asset, amount }) => ({ asset, amount: -amount }))], true)
  const entries: Entry[] = [
    ...paid.map(({ asset, amount }): Entry => ({ account: { kind: 'held', subWalletId, asset }, amount: -amount })),
    ...payments
      .filter(({ amount }) => amount !== 0n)
      .map(({ to, asset, amount }): Entry => ({ account: to === 'staked' ? { kind: to, subWalletId, asset } : { kind: to, asset }, amount })),
    ...addUp(unstaked).flatMap(({ asset, amount }): Entry[] => [
      { account: { kind: 'staked', subWalletId, asset }, amount: -amount },
      { account: { kind: 'available', subWalletId, asset }, amount },
    ]),
  ]
  const settled = await post(tx, { id, kind: 'settle', reference: holdId, closes: holdId, nowMs, address, entries })
  if (rest.length > 0) {
    // A transfer of its own, so that a reversal of the payment takes nothing back that may have been spent since.
    await post(tx, { id: remainderId(settled.id), kind: 'remainder', reference: settled.id, nowMs, address, entries: giveBack(subWalletId, rest) })
  }
  return settled
}

async function readHold(tx: OrganisationTx, id: string): Promise<{ subWalletId: SubWalletId; address: string | undefined; amounts: AssetAmount[] }> {
  const { kind, address, entries } = await readTransfer(tx, id)
  const held = entries.flatMap(({ account, amount }) =>
    account.kind === 'held' && amount > 0n ? [{ subWalletId: account.subWalletId, asset: account.asset, amount }] : [],
  )
  const [first] = held
  if (!first || (kind !== 'hold' && kind !== 'reversal')) throw new LedgerError(`${id} is a ${kind} and holds nothing`)
  return { subWalletId: first.subWalletId, address, amounts: addUp(held) }
}

function giveBack(subWalletId: SubWalletId, amounts: AssetAmount[]): Entry[] {
  return amounts.flatMap(({ asset, amount }): Entry[] => [
    { account: { kind: 'held', subWalletId, asset }, amount: -amount },
    { account: { kind: 'available', subWalletId, asset }, amount },
  ])
}

/** One amount for each asset, without zeros. Throws if one is negative: the program passed it, or the order pays more than was held. */
function addUp(amounts: AssetAmount[], signed = false): AssetAmount[] {
  const sums = new Map<string, AssetAmount>()
  for (const { asset, amount } of amounts) {
    if (amount < 0n && !signed) throw new LedgerError(`an amount cannot be negative: ${amount}`)
    const key = JSON.stringify([asset.chain, asset.contract])
    sums.set(key, { asset, amount: (sums.get(key)?.amount ?? 0n) + amount })
  }
  const all = [...sums.values()].filter(({ amount }) => amount !== 0n)
  const short = all.find(({ amount }) => amount < 0n)
  if (short) throw new LedgerError(`${-short.amount} base units of ${short.asset.chain} ${short.asset.contract ?? 'coin'} more would be paid than were held`)
  return all
}
