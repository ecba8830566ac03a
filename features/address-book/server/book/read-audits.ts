import { AppError, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { type SignerOrder, signerOrderOf, signerOrders, signerOrderView, type SignerOrderViewer } from '@holdfast/features/policy/server'
import type { BookChange } from '@holdfast/intent'
import { bytesToUuid } from '@holdfast/units'
import type * as contract from '../../book-contract.ts'

type Asked = InputOf<typeof contract.listBookAudits> & { user?: string | undefined; start_time?: number | undefined; end_time?: number | undefined }

/** What people were asked about the whitelist, the newest first. */
export async function listAudits(viewer: SignerOrderViewer, asked: Asked) {
  const { pageTotal, list } = await readAudits(viewer, asked)
  return { pageTotal, list: list.map(({ view }) => view) }
}

/** The same with every address that each puts on or takes off. */
export async function listWhitelistChanges(viewer: SignerOrderViewer, networks: Networks, asked: Asked) {
  const { pageTotal, list } = await readAudits(viewer, asked)
  return { pageTotal, list: list.map(({ order, view }) => ({ ...view, changes: changesOf(order, networks) })) }
}

async function readAudits(viewer: SignerOrderViewer, { state, user, start_time: start, end_time: end, page_no: page, page_size: size }: Asked) {
  let all = ordersOf(viewer.tx)
  if (state !== undefined) all = all.where('state', '=', state)
  if (user !== undefined) all = all.where('initiator', '=', user)
  if (start !== undefined) all = all.where('created_at', '>=', BigInt(start))
  if (end !== undefined) all = all.where('created_at', '<=', BigInt(end))
  const { count } = await all.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const ordered = all.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
  const rows = await ordered
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const newest = await newestVersion(viewer.tx)
  const list = []
  for (const row of rows) {
    const order = signerOrderOf(row)
    list.push({ order, view: await auditView(viewer, order, newest) })
  }
  return { pageTotal: Number(count), list }
}

const ordersOf = (tx: OrganisationTx) => tx.selectFrom('signer_order').where('org_id', '=', tx.orgId).where('kind', '=', 'address_book')

/** The version of the whitelist that signers have: each order that they followed made the next one. */
export async function newestVersion(tx: OrganisationTx): Promise<number> {
  const followed = ordersOf(tx).where('state', '=', 'followed')
  const { version } = await followed.select((row) => row.fn.countAll<bigint>().as('version')).executeTakeFirstOrThrow()
  return Number(version)
}

/** A change of the whitelist by its id. Throws AppError `resource_not_found`. */
export async function requireAudit(tx: OrganisationTx, id: string): Promise<SignerOrder> {
  const order = await signerOrders.read(tx, id)
  if (order?.intent.kind !== 'addressBook') throw new AppError('resource_not_found')
  return order
}

/** A change of the whitelist as people see it; `newest` is the version that signers have. */
export async function auditView(viewer: SignerOrderViewer, order: SignerOrder, newest: number) {
  const { kind: _, party: __, until: ___, intent_hash: ____, ...view } = await signerOrderView(viewer, order)
  const version = order.intent.kind === 'addressBook' ? Number(order.intent.version) : 0
  return { ...view, followed: order.followed, version, can_restore: view.state === 'followed' && version < newest }
}

/** Every address that a change puts on the whitelist or takes off. */
export const changesOf = ({ intent }: SignerOrder, networks: Networks) =>
  intent.kind === 'addressBook' ? intent.changes.map((change) => changeView(change, networks)) : []

/** What is put on the whitelist or taken off, as people see it. */
export function changeView(change: BookChange, networks: Networks) {
  return {
    kind: change.kind,
    entry_id: bytesToUuid(change.id),
    name: change.name,
    address: change.address,
    chains: change.kind === 'add' ? change.chains : [],
    networks: change.kind === 'add' ? change.chains.map((chain) => networks.find(chain)?.name ?? chain) : [],
    memo: change.kind === 'add' ? change.memo : null,
  }
}

/** Who did what with the book, the newest first. */
export async function listEvents(tx: OrganisationTx, { id, user, action, page_no: page, page_size: size }: InputOf<typeof contract.listBookLog>) {
  const all = tx
    .selectFrom('book_event')
    .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'book_event.org_id').onRef('person.id', '=', 'book_event.person_id'))
    .where('book_event.org_id', '=', tx.orgId)
    .$if(id !== undefined, (query) => query.where('book_event.entry_id', '=', id ?? ''))
    .$if(user !== undefined, (query) => query.where('book_event.person_id', '=', user ?? ''))
    .$if(action !== undefined, (query) => query.where('book_event.action', '=', action ?? 'added'))
  const { count } = await all.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const rows = await all
    .select(['book_event.id', 'entry_id', 'action', 'book_event.name', 'person_id', 'person.name as person', 'at'])
    .orderBy('at', 'desc')
    .orderBy('book_event.id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const list = rows.map(({ person_id, person, at, ...row }) => ({ ...row, person: { person_id, name: person }, at: Number(at) }))
  return { pageTotal: Number(count), list }
}
