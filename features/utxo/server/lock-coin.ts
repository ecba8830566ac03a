import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { bool, bytes, encode, struct, text, uint } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog } from '@holdfast/features/evidence/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { coinsOfOrders, holdAddress, locksOf } from '@holdfast/features/transfer/server'
import { newId, type PersonId, uuidToBytes } from '@holdfast/units'
import type { CoinNetwork } from './read-coins.ts'

/** What the log says of a person's lock on a coin: that it was put on, or taken off. */
export const coinLockShape = struct('holdfast/coin-lock/v1', {
  person: bytes(16),
  chain: text(64),
  address: text(128),
  outpoint: text(80),
  locked: bool(),
  reason: text(800),
  atMs: uint(),
})

export type LockRequest = { network: CoinNetwork; address: string; outpoint: string; reason: string; personId: PersonId }

/** Locks a coin of an address. Throws `coin_unavailable` if it is locked already or an order has it. */
export async function lockCoin(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, request: LockRequest): Promise<void> {
  const { network, address, outpoint } = request
  await holdAddress(tx, { chain: network.chain, address })
  const { people } = await locksOf(tx, { chain: network.chain, address })
  const { taken } = await coinsOfOrders(tx, network.codec, { id: null, chain: network.chain, address_from: address })
  if (people.has(outpoint) || taken.has(outpoint)) throw new AppError(transferErrors.coin_unavailable, { details: { coin: outpoint } })
  const nowMs = ports.clock.nowMs()
  await insertLock(tx, request, { id: newId(nowMs, ports.random), nowMs, unlocked: { unlocked_by: null, unlocked_at: null } })
  await log(tx, request, true, nowMs)
}

/** Why a coin was kept that nobody had locked. */
const NOT_CHECKED = 'may carry an inscription'

type Written = { id: string; nowMs: number; unlocked: { unlocked_by: string | null; unlocked_at: number | null } }

async function insertLock(tx: OrganisationTx, { network, address, outpoint, reason, personId }: LockRequest, { id, nowMs, unlocked }: Written): Promise<void> {
  const lock = { org_id: tx.orgId, id, chain: network.chain, address, outpoint, reason, locked_by: personId, locked_at: nowMs }
  await tx
    .insertInto('coin_lock')
    .values({ ...lock, ...unlocked })
    .execute()
}

/**
 * Takes a person's lock off a coin, or says of one that may carry an inscription that somebody has looked. Throws `coin_unavailable` if nothing keeps it.
 */
export async function unlockCoin(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, request: LockRequest): Promise<void> {
  const { network, address, outpoint, personId } = request
  await holdAddress(tx, { chain: network.chain, address })
  const nowMs = ports.clock.nowMs()
  const { numUpdatedRows } = await tx
    .updateTable('coin_lock')
    .set({ unlocked_by: personId, unlocked_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', network.chain)
    .where('address', '=', address)
    .where('outpoint', '=', outpoint)
    .where('unlocked_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    const { unchecked } = await locksOf(tx, { chain: network.chain, address })
    if (!unchecked.has(outpoint)) throw new AppError(transferErrors.coin_unavailable, { details: { coin: outpoint } })
    await insertLock(
      tx,
      { ...request, reason: request.reason || NOT_CHECKED },
      { id: newId(nowMs, ports.random), nowMs, unlocked: { unlocked_by: personId, unlocked_at: nowMs } },
    )
  }
  await log(tx, request, false, nowMs)
}

async function log(tx: OrganisationTx, { network, address, outpoint, reason, personId }: LockRequest, locked: boolean, nowMs: number): Promise<void> {
  const { fingerprint } = await currentPolicy(tx)
  const body = encode(coinLockShape, { person: uuidToBytes(personId), chain: network.chain, address, outpoint, locked, reason, atMs: BigInt(nowMs) })
  await appendToLog(tx, { genesis: fingerprint, type: 'coin-lock', body, atMs: nowMs })
}
