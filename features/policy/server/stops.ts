import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import { approvalRefused } from '@holdfast/features/evidence/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { type Stop, stopHash, stopShape } from '@holdfast/intent'
import { announceAll } from '@holdfast/jobs'
import { checkStop, FreezeRefused } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { bytesToUuid } from '@holdfast/units'
import { currentPolicy } from './current-policy.ts'
import type { FollowNeeds } from './signer-order/follow-signer-order.ts'
import { isUntold, tellSigners } from './tell-signers.ts'

/**
 * Keeps that somebody stopped standing orders at a signer's page, so that every signer is told of it. It is checked as signers check it, and kept once. Throws
 * AppError.
 */
export async function keepStop(needs: Pick<FollowNeeds, 'db' | 'ports'>, encoded: Uint8Array): Promise<{ state: 'stopped' }> {
  const stop = decode(stopShape, encoded)
  const { genesis } = stop.statement
  const founded = await needs.db.asSystem((tx) => tx.selectFrom('genesis').select('org_id').where('hash', '=', genesis).executeTakeFirst())
  if (!founded) throw new AppError(proposalErrors.order_not_found)
  await needs.db.asOrganisation(founded.org_id, (tx) => insertStop(tx, needs, stop, encoded))
  return { state: 'stopped' }
}

async function insertStop(tx: OrganisationTx, { ports }: Pick<FollowNeeds, 'ports'>, stop: Stop, record: Uint8Array): Promise<void> {
  const { policy, fingerprint } = await currentPolicy(tx)
  try {
    checkStop(stop, policy, fingerprint)
  } catch (cause) {
    if (cause instanceof FreezeRefused) throw approvalRefused(cause.message, cause)
    throw cause
  }
  const nowMs = ports.clock.nowMs()
  const hash = stopHash(stop.statement)
  await tx
    .insertInto('standing_stop')
    .values({ org_id: tx.orgId, hash, record, person_id: bytesToUuid(stop.statement.person), told: '[]', created_at: nowMs, updated_at: nowMs })
    .onConflict((conflict) => conflict.columns(['org_id', 'hash']).doNothing())
    .execute()
  await announceAll(tx, ports, [{ topic: 'standing.changed', ids: { stop: toHex(hash) } }])
}

/** Who stopped a standing order, in which version at most, when and why. */
export type Stopped = { id: string; version: bigint; personId: string; atMs: number; reason: string }

/** Every stop of a standing order, the earliest first. A version that is newer than the one that was stopped goes on. */
export async function standingStops(tx: OrganisationTx): Promise<Stopped[]> {
  const rows = await tx.selectFrom('standing_stop').select('record').where('org_id', '=', tx.orgId).orderBy('created_at').orderBy('hash').execute()
  return rows.flatMap(({ record }) => {
    const { orders, person, atMs, reason } = decode(stopShape, new Uint8Array(record)).statement
    return orders.map(({ id, version }) => ({ id: bytesToUuid(id), version, personId: bytesToUuid(person), atMs: Number(atMs), reason }))
  })
}

/** Tells every signer of the stops it has not heard of. One that refuses a stop knows better, and is not asked again. */
export async function spreadStops(needs: FollowNeeds): Promise<void> {
  const open = await needs.db.asSystem((tx) =>
    tx.selectFrom('standing_stop').select(['org_id', 'hash', 'record', 'told']).where(isUntold(needs)).orderBy('created_at').limit(200).execute(),
  )
  for (const { org_id: orgId, hash, record, told } of open) {
    const stop = new Uint8Array(record)
    const { genesis } = decode(stopShape, stop).statement
    await tellSigners(needs, { table: 'standing_stop', orgId, hash, told: told as number[] }, (party) =>
      needs.coSigners.call(party, signerCalls.stopStandingOrders, { genesis, stop }),
    )
  }
}

/** Tells a signer of every stop of an organisation, also of those that it was told of before. */
export async function tellStopsAgain({ db, coSigners }: Pick<FollowNeeds, 'db' | 'coSigners'>, orgId: string, party: number): Promise<void> {
  const rows = await db.asOrganisation(orgId, (tx) => tx.selectFrom('standing_stop').select('record').where('org_id', '=', tx.orgId).execute())
  for (const { record } of rows) {
    const stop = new Uint8Array(record)
    const { genesis } = decode(stopShape, stop).statement
    await coSigners.call(party, signerCalls.stopStandingOrders, { genesis, stop }).catch((cause: unknown) => {
      if (!(cause instanceof CoSignerError && cause.kind === 'refused')) throw cause
    })
  }
}
