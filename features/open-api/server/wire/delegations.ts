import { AppError, type ReplyOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { createDelegation, getDelegation } from '@holdfast/features/tron-tools/contract'
import { isUuid } from '@holdfast/units'
import { sql } from 'kysely'
import { openApiErrors, openWireErrors } from '../../errors.ts'
import { askConsole, type Asking, demandField, fieldOf } from './asking.ts'
import { numberAll, numbersOf } from './numbers.ts'
import { afterOf, LISTED } from './records.ts'

/** Who says what is wanted: the network by a trial of a transfer, or the program. */
const [BY_TRIAL, BY_PROGRAM] = ['0', '1']
/** Ten minutes and an hour, as the wire writes them: energy is lent for an hour. */
const WITHIN_AN_HOUR = ['10010', '20001']
/** How far a loan is, in the numbers that the wire has for orders. */
const STATUS = { waiting: 1100, lending: 1200, renting: 1200, ready: 2000, returning: 2000, over: 2000, burning: 2400, stopped: 2400 } as const

const notHere = (reason: string) => new AppError(openWireErrors.not_at_door_two, { details: { reason } })

/** Has energy lent to an own address, under the standing order that people approved; nothing is bought of whoever runs this server. */
export async function createDelegate(asking: Asking) {
  const { context, caller } = asking
  const buys = fieldOf(asking, 'buy_type') ?? BY_TRIAL
  if (buys !== BY_TRIAL && buys !== BY_PROGRAM) throw notHere('energy is lent for a transfer (buy_type 0) or by its number of units (buy_type 1)')
  if (Number(fieldOf(asking, 'net_num') ?? 0) > 0) throw notHere('bandwidth is not lent; leave net_num out, and what an address lacks of it is burned as TRX')
  if (!WITHIN_AN_HOUR.includes(demandField(asking, 'service_charge_type'))) throw notHere('energy is lent for an hour (service_charge_type 10010 or 20001)')
  const address_from = demandField(asking, 'address_from')
  await demandAddress(asking, address_from)
  const fieldFor = buys === BY_TRIAL ? demandField : fieldOf
  const trial = { address_to: fieldFor(asking, 'address_to'), contract_address: fieldFor(asking, 'contract_address') }
  const energy_num = buys === BY_PROGRAM ? demandField(asking, 'energy_num') : undefined
  const form = { request_id: demandField(asking, 'request_id'), resource_type: 'energy', address_from, energy_num, ...trial }
  const { trans_id: id } = await askConsole(asking, createDelegation, form, 'key')
  return { trans_id: (await numbersOf(context.db, caller.orgId, 'supply', [id])).get(id) }
}

/** Throws AppError unless an address is of a sub-wallet that the key may name. Of any other it learns nothing. */
async function demandAddress({ context, caller }: Asking, address: string): Promise<void> {
  const { subWallets } = caller.requester
  if (subWallets === null) return
  const row = await context.db.readOrganisation(caller.orgId, (tx) =>
    tx.selectFrom('address').select('sub_wallet_id').where('org_id', '=', tx.orgId).where('address', '=', address).executeTakeFirst(),
  )
  if (!row || !subWallets.includes(row.sub_wallet_id)) throw new AppError(openApiErrors.key_not_for_wallet)
}

type Found = { id: string; number: number; requestId: string }

/** Loans by the `request_id` that each was asked for with. */
export async function delegationsByRequest(asking: Asking) {
  const { context, caller } = asking
  const given = demandField(asking, 'ids').split(',')
  if (given.length > LISTED) throw new AppError('invalid_parameters', { details: { field: 'ids', reason: 'at most 100 of them' } })
  await numberAll(context.db, caller.orgId, 'supply')
  const found = await context.db.asOrganisation(caller.orgId, async (tx) => {
    const made = await tx.selectFrom('idempotency').select('result_id').where('org_id', '=', tx.orgId).where('request_id', 'in', given).execute()
    const ids = made.map(({ result_id: id }) => id).filter((id) => isUuid(id))
    return ids.length === 0 ? [] : withRequests(tx, await ownLoans(tx, asking).where('s.id', 'in', ids).execute())
  })
  return viewsOf(asking, found)
}

/** Loans after `max_id`, also those that a payment brought about. */
export async function delegationsAfter(asking: Asking) {
  const { context, caller } = asking
  const after = afterOf(asking)
  await numberAll(context.db, caller.orgId, 'supply')
  const found = await context.db.asOrganisation(caller.orgId, async (tx) =>
    withRequests(tx, await ownLoans(tx, asking).where('n.number', '>', after).limit(LISTED).execute()),
  )
  return viewsOf(asking, found)
}

/** Loans to addresses of sub-wallets that the key may name, by their numbers. */
function ownLoans(tx: OrganisationTx, { caller }: Asking) {
  const { subWallets } = caller.requester
  const all = tx
    .selectFrom('wire_number as n')
    .innerJoin('tron_supply as s', (join) => join.onRef('s.org_id', '=', 'n.org_id').onRef('s.id', '=', 'n.subject_id'))
    .select(['s.id', 'n.number'])
    .where('n.org_id', '=', tx.orgId)
    .where('n.kind', '=', 'supply')
    .orderBy('n.number')
  if (subWallets === null) return all
  const own = tx
    .selectFrom('address')
    .select('address')
    .where('org_id', '=', tx.orgId)
    .where(sql<boolean>`sub_wallet_id = any(${[...subWallets]}::uuid[])`)
  return all.where('s.address', 'in', own)
}

async function withRequests(tx: OrganisationTx, rows: readonly { id: string; number: bigint }[]): Promise<Found[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const asked = await tx.selectFrom('idempotency').select(['request_id', 'result_id']).where('org_id', '=', tx.orgId).where('result_id', 'in', ids).execute()
  const requestOf = new Map(asked.map((row) => [row.result_id, row.request_id]))
  return rows.map(({ id, number }) => ({ id, number: Number(number), requestId: requestOf.get(id) ?? '' }))
}

async function viewsOf(asking: Asking, found: readonly Found[]) {
  const views: ReturnType<typeof viewOf>[] = []
  for (const each of found) views.push(viewOf(each, await askConsole(asking, getDelegation, { id: each.id }, 'key')))
  return views
}

/** A loan as the wire tells of what is bought. */
function viewOf({ number, requestId }: Found, row: ReplyOf<typeof getDelegation>) {
  return {
    id: number,
    request_id: requestId,
    address_from: row.address,
    address_to: '',
    contract_address: '',
    service_charge_rate: '0',
    service_charge: row.rented_trx ?? '0',
    resource_type: 0,
    buy_type: 1,
    energy_num: Number(row.energy_num),
    net_num: 0,
    energy_txid: row.energy_txid ?? row.rent_txid ?? '',
    net_txid: '',
    reclaim_energy_txid: row.reclaim_energy_txid ?? '',
    reclaim_net_txid: '',
    energy_time: row.energy_time ?? 0,
    net_time: 0,
    reclaim_energy_time: row.reclaim_energy_time ?? 0,
    reclaim_net_time: 0,
    energy_price: row.energy_price,
    net_price: '0',
    status: STATUS[row.status],
    sub_status: row.reason ?? row.status,
  }
}
