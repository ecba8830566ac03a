import { endOf, startOf } from '@holdfast/chain-core'
import { AppError, type InputOf, looksLikeName } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { knownAddressErrors } from '@holdfast/features/known-address/errors'
import { networkErrors } from '@holdfast/features/network/errors'
import type { Networks } from '@holdfast/features/network/server'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import type * as contract from '../contract.ts'
import { addressBookErrors } from '../errors.ts'
import { findTwin } from './find-twin.ts'
import { similarTo } from './similar-to.ts'

/** A book of more is no book of one person. */
export const ENTRIES_MAX = 2_000

export type Owner = { ports: Pick<Ports, 'clock' | 'random'>; networks: Networks; personId: string }

/**
 * Adds a contact or changes one, and answers its id: another one where chain, address or memo became another. Refuses an address that is none, one
 * that is in the book already, and one that looks like another that is known unless that is acknowledged.
 */
export async function savePersonal(tx: OrganisationTx, owner: Owner, input: InputOf<typeof contract.savePersonal>): Promise<string> {
  const { personId, networks, ports } = owner
  await lockBook(tx, personId)
  if (input.id !== undefined) await requireEntry(tx, personId, input.id)
  const network = networks.find(input.chain)
  if (!network) throw new AppError(networkErrors.unsupported_coin)
  const address = network.codec.canonicalAddress(input.address)
  if (address === undefined) throw new AppError(networkErrors.invalid_transfer_address)
  const twin = await findTwin(tx, { personId, chain: input.chain, address, memo: input.memo })
  if (twin && twin.removed_at === null && twin.id !== input.id) throw new AppError(addressBookErrors.address_duplicate)
  const isSame = twin !== undefined && twin.id === input.id
  if (!isSame && input.ack !== 'lookalike' && (await similarTo(tx, personId, address)).length > 0) throw new AppError(knownAddressErrors.address_look_alike)
  if (input.id === undefined && (await countEntries(tx, personId)) >= ENTRIES_MAX) {
    throw new AppError('invalid_parameters', { details: { field: 'name', reason: `a personal book holds at most ${ENTRIES_MAX} entries` } })
  }
  await refuseTaken(tx, personId, input)
  const nowMs = ports.clock.nowMs()
  const words = { name: input.name, note: input.note, updated_at: nowMs, removed_at: null }
  if (twin) {
    await tx.updateTable('personal_address').set(words).where('org_id', '=', tx.orgId).where('id', '=', twin.id).execute()
  }
  const id = twin?.id ?? newId(nowMs, ports.random)
  if (!twin) {
    await tx
      .insertInto('personal_address')
      .values({
        org_id: tx.orgId,
        id,
        person_id: personId,
        chain: input.chain,
        address,
        address_end: endOf(address),
        address_start: startOf(address),
        memo: input.memo,
        created_at: nowMs,
        ...words,
      })
      .execute()
  }
  if (input.id !== undefined && input.id !== id) await removePersonal(tx, owner, [input.id])
  return id
}

/** One name may stand for several addresses of one contact; another contact's name must not look like it. */
async function refuseTaken(tx: OrganisationTx, personId: string, { id, name }: Pick<InputOf<typeof contract.savePersonal>, 'id' | 'name'>): Promise<void> {
  const entries = await tx
    .selectFrom('personal_address')
    .select(['id', 'name'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .execute()
  // A name that has been there since before stays as it is.
  if (entries.some((each) => each.name === name)) return
  const other = entries.find((each) => each.id !== id && looksLikeName(each.name, name))
  if (other) throw new AppError('name_taken', { details: { name: other.name } })
}

/** Takes entries out of the book: their words go, the address itself stays as a row that nobody sees. */
export async function removePersonal(tx: OrganisationTx, { ports, personId }: Pick<Owner, 'ports' | 'personId'>, ids: readonly string[]): Promise<number> {
  const nowMs = ports.clock.nowMs()
  const removed = await tx
    .updateTable('personal_address')
    .set({ name: '', note: '', removed_at: nowMs, updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .where('id', 'in', [...ids])
    .executeTakeFirst()
  if (removed.numUpdatedRows === 0n) throw new AppError('resource_not_found')
  return Number(removed.numUpdatedRows)
}

export async function countEntries(tx: OrganisationTx, personId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('personal_address')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** One change of a person's book at a time, so that two tabs cannot both find an address missing. */
export async function lockBook(tx: OrganisationTx, personId: string): Promise<void> {
  await tx.selectFrom('person').select('id').where('org_id', '=', tx.orgId).where('id', '=', personId).forNoKeyUpdate().execute()
}

async function requireEntry(tx: OrganisationTx, personId: string, id: string): Promise<void> {
  const entry = await tx
    .selectFrom('personal_address')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!entry) throw new AppError('resource_not_found')
}
