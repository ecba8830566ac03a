import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import { sweepForSigners } from '@holdfast/features/signer-link/server'
import { canTakeBack, openPart, pokeTransfers, readOrder, takeBack } from '@holdfast/features/transfer/server'
import type { Repeating } from '@holdfast/jobs'
import { known, type OrderId, type OrganisationId } from '@holdfast/units'
import { coinOf } from './drafts.ts'
import { dueBatches } from './due-batches.ts'
import { announceBatch, type Batch, batchOf, holdRest, moveBatch, nextPart, readBatchRow, releaseRest, writeBatch } from './move-batch.ts'
import { tellEnded } from './tell-people.ts'

type Needs = Pick<ServerContext, 'ports' | 'db' | 'networks' | 'coSigners' | 'settings'>

/** So many orders of a batch wait for the signers at once: more would only stand before the payments of others. */
const WINDOW = 10
/** Orders that are not on their way to a block yet. */
const WAITING = ['approved', 'signing', 'alarmed'] as const

const sweeps = sweepForSigners()

/** Has this process look at batches now, if it drives them at all. */
export const pokeBatches: typeof sweeps.poke = sweeps.poke

/**
 * Has approved batches go on, ends those whose time is over, and tells of those that ended, until stopped. Killed anywhere, the next look goes on from the
 * database.
 */
export function startBatches(needs: Needs, report: (cause: unknown) => void = () => {}): Repeating {
  return sweeps.start(needs, { report }, async ({ isStopped, attend, backoff }) => {
    for (const { orgId, id } of await dueBatches(needs, backoff.putOff())) {
      if (isStopped()) return
      await attend(id, () => advance(needs, orgId, id))
    }
  })
}

/** Takes one batch as far as it goes now. False if nothing can be done before something else changes. */
export async function advance(needs: Needs, orgId: OrganisationId, id: string): Promise<boolean> {
  let opened = 0
  for (;;) {
    const step = await needs.db
      .asOrganisation(orgId, (tx) => takeStep(tx, needs, id))
      .catch(async (cause: unknown) => {
        await needs.db.asOrganisation(orgId, (tx) => noteWaiting(tx, needs, id, cause instanceof AppError ? cause.errorName : 'failed'))
        throw cause
      })
    if (step === 'again') opened++
    else {
      if (opened > 0) pokeTransfers(needs)
      return step === 'wait' ? opened > 0 : true
    }
  }
}

/** `again`: one more was done. `done`: nothing is to do now. `wait`: something stands in its way. */
async function takeStep(tx: OrganisationTx, needs: Needs, id: string): Promise<'again' | 'done' | 'wait'> {
  const batch = batchOf(await readBatchRow(tx, id, true))
  if (!batch) return 'done'
  const { row } = batch
  if (row.is_final) {
    await tellEnded(tx, needs, batch)
    return 'done'
  }
  const ending = await endingOf(tx, needs, batch)
  if (ending && row.state !== 'stopped') {
    const state = row.state === 'approving' ? ending : ('stopped' as const)
    await moveBatch(tx, needs, row, { state, reason: ending })
    return 'again'
  }
  if (row.state === 'approving') return 'done'
  if (row.state === 'stopped') return settleStopped(tx, needs, batch)
  const open = await openOrders(tx, id)
  if (row.opened === row.parts) {
    if (open.length > 0) return 'done'
    await moveBatch(tx, needs, row, { state: 'finished' })
    return 'again'
  }
  if (open.filter(({ state }) => WAITING.some((each) => each === state)).length >= WINDOW) return 'done'
  return openNext(tx, needs, batch)
}

/** Why no signer signs for a batch any more: its time is over, or its policy was replaced. */
async function endingOf(tx: OrganisationTx, { ports }: Needs, { row, intent }: Batch): Promise<'expired' | 'superseded' | undefined> {
  if (row.expires_at < BigInt(ports.clock.nowMs())) return 'expired'
  return (await currentPolicy(tx)).policy.version === intent.policyVersion ? undefined : 'superseded'
}

/** The orders of a batch that have no end yet. */
function openOrders(tx: OrganisationTx, id: string) {
  return tx
    .selectFrom('transfer_order')
    .select(['id', 'state'])
    .where('org_id', '=', tx.orgId)
    .where('batch_id', '=', id)
    .where('is_final', '=', false)
    .orderBy('id')
    .execute()
}

/** Opens the order of the next part. What the batch holds for it goes over to the order in the same transaction, and so do the part and its number. */
async function openNext(tx: OrganisationTx, needs: Needs, batch: Batch): Promise<'again' | 'wait'> {
  const { row, intent } = batch
  const { network, asset } = coinOf(needs, row)
  const outcome = await openPart(tx, needs, {
    ...{ batch: intent, part: nextPart(batch), ruleId: row.rule_id, network, asset, initiator: row.initiator },
    ...{ walletId: row.wallet_id, subWalletId: row.sub_wallet_id, tier: known(row.tier ?? undefined, 'the fee of a batch') as 0 | 1 | 2 },
    free: () => releaseRest(tx, needs, row),
  })
  if ('reason' in outcome) {
    await noteWaiting(tx, needs, row.id, outcome.reason)
    return 'wait'
  }
  const opened = row.opened + 1
  const written = await writeBatch(tx, needs, row, { opened, hold_id: await holdRest(tx, needs, row, intent, opened), waits_for: null })
  await announceBatch(tx, needs, written, { balance: false, todo: false })
  return 'again'
}

/** Takes the orders of a stopped batch back that no signer may have signed, one at a time. The others find their end by themselves. */
async function settleStopped(tx: OrganisationTx, needs: Needs, { row }: Batch): Promise<'again' | 'done'> {
  const reason = row.reason ?? undefined
  const open = await openOrders(tx, row.id)
  for (const { id } of open) {
    const order = await readOrder(tx, id as OrderId, true)
    if (!order || !(await canTakeBack(tx, order.row))) continue
    await takeBack(tx, needs, order, { actor: 'server', ...(reason !== undefined && { reason }) })
    return 'again'
  }
  if (open.length > 0) return 'done'
  const written = await writeBatch(tx, needs, row, { is_final: true })
  await announceBatch(tx, needs, written, { balance: true, todo: false })
  return 'again'
}

/** Writes why no further line is being paid. The same twice is written once. */
async function noteWaiting(tx: OrganisationTx, needs: Needs, id: string, reason: string): Promise<void> {
  const row = await readBatchRow(tx, id, true)
  if (row.waits_for === reason || row.is_final) return
  await announceBatch(tx, needs, await writeBatch(tx, needs, row, { waits_for: reason }), { balance: false, todo: false })
}
