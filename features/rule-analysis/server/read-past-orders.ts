import type { OrganisationTx } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import { type KeptScreening, screeningsSince } from '@holdfast/features/evidence/server'
import { destinationsOf, type FactsAt, isCounted } from '@holdfast/features/transfer/server'
import { actOf, intentShape, isPayment, isTransaction, paymentsOf, type ScreeningLevel } from '@holdfast/intent'
import type { PaidTo, Screened } from '@holdfast/policy'
import type { PastOrder } from '@holdfast/policy/analysis'
import { formatAmount } from '@holdfast/units'

/** More orders than these are not looked at; the oldest are left out. */
export const ORDERS_MAX = 100_000

/** Orders of the organisation since a time, the oldest first, each as rules look at it, with a few words that say which it is. */
export async function readPastOrders(
  tx: OrganisationTx,
  sinceMs: number,
  nowMs: number,
): Promise<{ orders: PastOrder[]; titles: ReadonlyMap<string, string> }> {
  const rows = await tx
    .selectFrom('transfer_order as o')
    .select(['id', 'intent', 'intent_hash', 'symbol', 'address_to', 'created_at', isCounted.as('is_counted')])
    .where('org_id', '=', tx.orgId)
    .where('replaces', 'is', null)
    .where('created_at', '>=', BigInt(sinceMs))
    .orderBy('created_at', 'desc')
    .limit(ORDERS_MAX)
    .execute()
  const read = rows.toReversed().flatMap((row) => {
    const intent = decode(intentShape, new Uint8Array(row.intent))
    return isTransaction(intent) ? [{ row, intent }] : []
  })
  const places = new Map<string, Set<string>>()
  for (const { intent } of read) {
    const addresses = places.get(intent.asset.chain) ?? new Set<string>()
    places.set(intent.asset.chain, addresses)
    if (isPayment(intent)) for (const { to } of paymentsOf(intent)) addresses.add(to)
  }
  const knowing = new Map<string, FactsAt>()
  for (const [chain, addresses] of places) {
    const asked = [...addresses]
    knowing.set(chain, await destinationsOf(tx, chain, { own: asked, listed: asked, paidBefore: asked }, nowMs))
  }
  const titles = new Map(
    read.map(({ row, intent }) => [row.id, `${formatAmount(intent.amount, Number(intent.asset.decimals))} ${row.symbol} → ${row.address_to}`]),
  )
  const screenings = await screeningsSince(tx, sinceMs)
  const orders = read.map(({ row, intent }): PastOrder => {
    const facts = knowing.get(intent.asset.chain)
    const screened = screenedIn(screenings.get(toHex(row.intent_hash)))
    return {
      id: row.id,
      act: actOf(intent),
      from: intent.from,
      paid: isPayment(intent) ? paymentsOf(intent).map(({ to, amount }) => ({ to, amount })) : [],
      atMs: Number(row.created_at),
      openMs: intent.expiresAtMs - intent.notBeforeMs,
      isCounted: row.is_counted,
      ...(screened && { screened }),
      ...(facts && { destination: (to: PaidTo) => facts(to, Number(row.created_at)) }),
    }
  })
  return { orders, titles }
}

/** What screeners had said of an order by the last word that was taken of it; undefined if none was. They were checked when they were taken. */
function screenedIn(kept: readonly KeptScreening[] = []): Screened | undefined {
  const said = kept.map(({ word }) => ({ machine: word.machine, level: word.level as ScreeningLevel, atMs: Number(word.screenedAtMs) }))
  const last = said.at(-1)
  return last && { said, atMs: [last.atMs] }
}
