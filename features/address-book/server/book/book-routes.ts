import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { approvalUrl } from '@holdfast/features/approval-url'
import { currentPolicy, hasOpenSignerOrder, type SignerOrder, signerOrders } from '@holdfast/features/policy/server'
import type { ServerContext } from '@holdfast/features/context'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { claimRequest, handle, type HandledEndpoint, type RequestKey } from '@holdfast/http'
import { announce } from '@holdfast/jobs'
import { decidersOf, listingCoolingMs } from '@holdfast/policy'
import { at, newId, writeCsv } from '@holdfast/units'
import { sql } from 'kysely'
import * as contract from '../../book-contract.ts'
import { addressBookErrors } from '../../errors.ts'
import { similarTo } from '../similar-to.ts'
import { entryViews, findPlace, readEntries, requireEntries, requireEntry, usableAtOf } from './book-rows.ts'
import { checksOf } from './entry-checks.ts'
import { importBook } from './import-book.ts'
import { listPayments } from './payments-to.ts'
import { proposeDelisting, proposeListing, type Proposer } from './propose-listing.ts'
import { auditView, changesOf, listAudits, listEvents, newestVersion, requireAudit } from './read-audits.ts'
import { restoredWhitelist } from './restore-whitelist.ts'
import { addEntry, addGroup, editEntry, type Editor, isInFlow, isListed, lockBook, removeEntries } from './save-entry.ts'
import { amountsFor, canSign, messageFor, verifyEntry } from './verify-entry.ts'

type Caller = { orgId: string; personId: string; language: Language }

/** The organisation's address book. What of it counts as listed, signers decide by their own list; here people are asked. */
export function bookEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  return [...readingEndpoints(context), ...writingEndpoints(context, session), ...auditEndpoints(context)]
}

function readingEndpoints({ db, networks, ports, settings }: ServerContext): HandledEndpoint[] {
  const nowMs = () => ports.clock.nowMs()
  return [
    handle(contract.listBook, ({ orgId }, { keyword = '', chain, whitelist_status: status, group_id: groupId, review, page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        const word = keyword.trim().toLowerCase()
        const where = sql.join(
          [
            sql`true`,
            ...(word === '' ? [] : [sql`position(${word} in lower(concat_ws(' ', name, address, memo, note, vasp))) > 0`]),
            ...(chain === undefined ? [] : [sql`chains ? ${chain}`]),
            ...(status === undefined ? [] : [sql`status = ${status}`]),
            ...(groupId === undefined ? [] : [sql`group_id = ${groupId}`]),
            ...(review === '1' ? [sql`needs_review`] : []),
          ],
          sql` and `,
        )
        const rows = await readEntries(tx, nowMs(), where, { limit: page_size, offset: (page_no - 1) * page_size })
        const [first] = rows.length > 0 || page_no === 1 ? rows : await readEntries(tx, nowMs(), where, { limit: 1 })
        return { pageTotal: Number(first?.total ?? 0), list: await entryViews(tx, { networks, settings }, rows) }
      }),
    ),
    handle(contract.getBookEntry, ({ orgId }, { id }) =>
      db.asOrganisation(orgId, async (tx) => at(await entryViews(tx, { networks, settings }, [await requireEntry(tx, nowMs(), id)]), 0)),
    ),
    handle(contract.searchBook, ({ orgId }, { keyword, chain }) =>
      db.asOrganisation(orgId, async (tx) => {
        const word = keyword.trim().toLowerCase()
        const rows = await readEntries(tx, nowMs(), sql`chains ? ${chain} and position(${word} in lower(concat_ws(' ', name, address))) > 0`, { limit: 50 })
        const list = rows.map((row) => ({
          id: row.id,
          name: row.name,
          address: row.address,
          memo: row.memo,
          whitelist_status: row.status,
          usable_at: usableAtOf(row),
        }))
        return { list }
      }),
    ),
    handle(contract.checkBookAddress, async ({ orgId, personId }, { chain, address, memo }) => {
      const canonical = networks.find(chain)?.codec.canonicalAddress(address)
      if (canonical === undefined) return { valid: false, canonical: null, duplicate_id: null, duplicate_of: null, in_flow: false, similar: [] }
      return db.asOrganisation(orgId, async (tx) => {
        const twin = await findPlace(tx, nowMs(), { chains: [chain], address: canonical, memo })
        return {
          valid: true,
          canonical,
          duplicate_id: twin?.id ?? null,
          duplicate_of: twin?.name ?? null,
          in_flow: twin !== undefined && isInFlow(twin),
          similar: await similarTo(tx, personId, canonical),
        }
      })
    }),
    handle(contract.listBookGroups, ({ orgId }) =>
      db.asOrganisation(orgId, async (tx) => {
        const groups = await tx.selectFrom('book_group').select(['id', 'name']).where('org_id', '=', tx.orgId).orderBy('name').execute()
        const counts = await tx
          .selectFrom('book_entry')
          .select((row) => ['group_id', row.fn.countAll<bigint>().as('count')])
          .where('org_id', '=', tx.orgId)
          .where('removed_at', 'is', null)
          .groupBy('group_id')
          .execute()
        return { list: groups.map((group) => ({ ...group, count: Number(counts.find((each) => each.group_id === group.id)?.count ?? 0) })) }
      }),
    ),
    handle(contract.getBookChallenge, ({ orgId }, { id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const row = await requireEntry(tx, nowMs(), id)
        const amounts = amountsFor(orgId, row, networks).map(({ chain, network, symbol, amount }) => ({ chain, network, symbol, amount }))
        return { message: messageFor(orgId, row), can_sign: canSign(row, networks), amounts }
      }),
    ),
    handle(contract.getImportTemplate, async ({ language }) => {
      const columns = language === 'zh_CN' ? ['名称', '网络', '地址', 'Memo/标签', '备注'] : ['Name', 'Network', 'Address', 'Memo', 'Remark']
      const [network] = networks.list()
      return { name: 'address-book', csv: writeCsv([columns, ['', network?.name ?? '', '', '', '']]) }
    }),
    handle(contract.listBookLog, ({ orgId }, input) => db.asOrganisation(orgId, (tx) => listEvents(tx, input))),
    handle(contract.listBookPayments, ({ orgId }, { id, ...page }) =>
      db.asOrganisation(orgId, async (tx) => listPayments(tx, networks, await requireEntry(tx, nowMs(), id), page)),
    ),
  ]
}

function writingEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db, ports, networks } = context
  const editorOf = ({ personId }: Caller): Editor => ({ ports, networks, personId })
  const told = (tx: OrganisationTx) => announce(tx, ports, 'book.changed', {})
  const proposerOf = (tx: OrganisationTx, { personId, language }: Caller, key: RequestKey | null, remark: string, code?: string): Proposer => ({
    ports,
    personId,
    language,
    key,
    remark,
    demandSecondFactor: () => session.demandSecondFactorWhereSet(tx, personId, code),
  })
  const proposed = (order: SignerOrder | undefined) =>
    order ? { trade_no: order.row.id, approval_url: approvalUrl(context, order.row.intent_hash) } : { trade_no: null, approval_url: null }
  /** The order that a call made when it was made before. */
  const madeBefore = async (tx: OrganisationTx, id: string) => {
    const entry = await tx.selectFrom('book_entry').select('listed_by').where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirst()
    return entry?.listed_by ? requireAudit(tx, entry.listed_by) : undefined
  }
  return [
    handle(contract.saveBookEntry, ({ request, ...caller }, { id, whitelist, google_code: code, ...given }) =>
      db.asOrganisation(caller.orgId, async (tx) => {
        await lockBook(tx)
        const nowMs = ports.clock.nowMs()
        const wanted = id ?? newId(nowMs, ports.random)
        const { fresh, resultId } = await claimRequest(tx, { key: request, kind: 'book_entry', resultId: wanted, nowMs })
        if (!fresh) return { id: resultId, ...proposed(await madeBefore(tx, resultId)) }
        if (id === undefined) await addEntry(tx, editorOf(caller), given, wanted)
        else await editEntry(tx, editorOf(caller), id, given)
        const isAsked = id === undefined && whitelist === '1'
        const order = isAsked ? await proposeListing(tx, proposerOf(tx, caller, null, '', code), [await requireEntry(tx, nowMs, wanted)]) : undefined
        await told(tx)
        return { id: wanted, ...proposed(order) }
      }),
    ),
    handle(contract.deleteBookEntries, ({ request, ...caller }, { ids, remark, propose, google_code: code }) =>
      db.asOrganisation(caller.orgId, async (tx) => {
        await lockBook(tx)
        const nowMs = ports.clock.nowMs()
        const { fresh } = await claimRequest(tx, { key: request, kind: 'book_removal', resultId: newId(nowMs, ports.random), nowMs })
        if (!fresh) return { removed: 0, ...proposed(undefined) }
        const rows = await requireEntries(tx, nowMs, ids)
        if (rows.some(isInFlow)) throw new AppError(addressBookErrors.address_in_approval)
        const listed = rows.filter(isListed)
        if (listed.length > 0 && propose === '0') throw new AppError(addressBookErrors.whitelist_deletion)
        const order = listed.length > 0 ? await proposeDelisting(tx, proposerOf(tx, caller, null, remark, code), listed, true) : undefined
        const others = rows.filter((row) => !isListed(row))
        if (others.length > 0) await removeEntries(tx, editorOf(caller), others)
        await told(tx)
        return { removed: others.length, ...proposed(order) }
      }),
    ),
    handle(contract.saveBookGroup, (caller, { name }) =>
      db.asOrganisation(caller.orgId, async (tx) => {
        const id = await addGroup(tx, editorOf(caller), name)
        await told(tx)
        return { id }
      }),
    ),
    handle(contract.saveWhitelist, ({ request, ...caller }, { ids, off_ids: offIds = [], whitelist, remark, google_code: code }) =>
      db.asOrganisation(caller.orgId, async (tx) => {
        await lockBook(tx)
        const nowMs = ports.clock.nowMs()
        const { fresh, resultId } = await claimRequest(tx, { key: request, kind: 'book_listing', resultId: ids[0] ?? '', nowMs })
        if (!fresh) {
          const row = await requireEntry(tx, nowMs, resultId)
          if (row.order_id === null) throw new AppError('state_changed')
          const { trade_no: id, approval_url: url } = proposed(await requireAudit(tx, row.order_id))
          return { trade_no: id ?? '', approval_url: url ?? '' }
        }
        const [rows, off] = [await requireEntries(tx, nowMs, ids), await requireEntries(tx, nowMs, offIds)]
        const proposer = proposerOf(tx, caller, null, remark, code)
        const { row } = whitelist === '1' ? await proposeListing(tx, proposer, rows, off) : await proposeDelisting(tx, proposer, [...rows, ...off], false)
        await told(tx)
        return { trade_no: row.id, approval_url: approvalUrl(context, row.intent_hash) }
      }),
    ),
    handle(contract.importBook, ({ request, ...caller }, { rows, whitelist, google_code: code }) =>
      db.asOrganisation(caller.orgId, async (tx) => {
        await lockBook(tx)
        const nowMs = ports.clock.nowMs()
        const { fresh } = await claimRequest(tx, { key: request, kind: 'book_import', resultId: newId(nowMs, ports.random), nowMs })
        if (!fresh) throw new AppError('duplicate_request')
        const { added, results } = await importBook(tx, editorOf(caller), rows)
        const isAsked = whitelist === '1' && added.length > 0
        const order = isAsked ? await proposeListing(tx, proposerOf(tx, caller, null, '', code), await requireEntries(tx, nowMs, added)) : undefined
        await told(tx)
        return { added: added.length, results, ...proposed(order) }
      }),
    ),
    handle(contract.verifyBookEntry, (caller, input) =>
      db.asOrganisation(caller.orgId, async (tx) => {
        await verifyEntry(tx, { ...editorOf(caller), language: caller.language }, input)
        await told(tx)
        return { verified: true }
      }),
    ),
  ]
}

function auditEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  return [
    handle(contract.getWhitelistConfig, ({ orgId, language, personId }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { policy } = await currentPolicy(tx)
        const newest = await listAudits({ tx, context, language, personId }, { page_no: 1, page_size: 1 })
        const [last] = newest.list
        const isOpen = await hasOpenSignerOrder(tx, 'address_book')
        return {
          cooling_h: listingCoolingMs(policy) / 3_600_000,
          need: Number(decidersOf(policy, { kind: 'addressBook' }).threshold),
          version: await newestVersion(tx),
          open: isOpen && last ? { trade_no: last.id, title: last.title, approval_url: last.approval_url } : null,
        }
      }),
    ),
    handle(contract.restoreWhitelist, ({ orgId, personId }, { version }) =>
      db.asOrganisation(orgId, (tx) => restoredWhitelist(tx, { ports, networks, personId }, version)),
    ),
    handle(contract.listBookAudits, ({ orgId, language, personId }, input) =>
      db.asOrganisation(orgId, (tx) => listAudits({ tx, context, language, personId }, input)),
    ),
    handle(contract.getBookAudit, ({ orgId, language, personId }, { id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const order = await requireAudit(tx, id)
        const view = await auditView({ tx, context, language, personId }, order, await newestVersion(tx))
        const checks = await checksOf(tx, { networks, personId, nowMs: ports.clock.nowMs() }, order)
        return { ...view, changes: changesOf(order, networks), checks }
      }),
    ),
    handle(contract.decideBookAudit, ({ orgId, personId }, { id, result, remark }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { row } = await requireAudit(tx, id)
        if (result === 'withdraw') await signerOrders.withdraw(tx, context, { id, personId, remark })
        return { approval_url: approvalUrl(context, row.intent_hash) }
      }),
    ),
  ]
}
