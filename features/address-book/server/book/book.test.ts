import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { decode, toHex } from '@holdfast/encoding'
import { signerOrders } from '@holdfast/features/policy/server'
import { bringBookUp } from '../../../policy/server/signer-order/bring-book-up.ts'
import { followSignerOrder } from '../../../policy/server/signer-order/follow-signer-order.ts'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { intentShape } from '@holdfast/intent'
import { parseAmount } from '@holdfast/units'
import { privateKeyToAccount } from 'viem/accounts'
import { CHAIN } from '../../../testing/scripted-chain.ts'
import { keyOf } from '../../../testing/request-key.ts'
import { approvalOn, approveAs, ETH, makeWallet, type Member, openWorld, resetScript, scan, STRANGER, type World } from '../../../testing/test-world.ts'
import * as contract from '../../book-contract.ts'
import { bookEndpoints } from './book-routes.ts'
import { listsOfBook } from './lists-of-book.ts'
import { canSign } from './verify-entry.ts'

const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const DAY_MS = 24 * 3_600_000
const alike = (address: string) => `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`.toLowerCase()

let world: World
let endpoints: HandledEndpoint[]
let [ann, ben, cleo]: Member[] = []
before(async () => {
  world = await openWorld()
  ;[ann, ben, cleo] = world.members
  endpoints = bookEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
})
after(() => world.close())

let requests = 0
async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, by = ann): Promise<OutputOf<E>> {
  const handled = endpoints.find((each) => each.endpoint === endpoint)!
  const fields = readInput(endpoint, parseForm(formEncode(input), endpoint.maxBodyBytes)) as Record<string, unknown>
  const request = typeof fields.request_id === 'string' ? keyOf(fields.request_id, fields) : undefined
  const context = { orgId: world.orgId, personId: by!.id, language: 'en_US', request } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(context, fields as never)) as OutputOf<E>
}
const newRequest = () => `book-request-${requests++}`
type Save = CallInput<typeof contract.saveBookEntry>
const save = (input: Partial<Save> = {}, by = ann) =>
  call(contract.saveBookEntry, { request_id: newRequest(), name: 'Kraken', address: OTHER, chains: [CHAIN], ...input } as Save, by)
const refused = (code: string) => (cause: { code?: string }) => cause.code === code || assert.fail(`${cause.code}: ${String(cause)}`)
const list = async (input: Partial<CallInput<typeof contract.listBook>> = {}) =>
  (await call(contract.listBook, input as CallInput<typeof contract.listBook>)).list
const info = (id: string) => call(contract.getBookEntry, { id })
const statusOf = async (id: string) => (await info(id)).whitelist_status
const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)

/** What those who govern say of an order, on the approval page. */
async function decide(orderId: string, decision: 'approve' | 'reject' = 'approve') {
  const row = await inOrganisation((tx) =>
    tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('id', '=', orderId).executeTakeFirstOrThrow(),
  )
  const intent = decode(intentShape, new Uint8Array(row.intent))
  for (const member of decision === 'approve' ? [ben, cleo] : [ben]) await approveAs(world, approvalOn(world, intent, member!, decision))
  if (decision === 'approve') await followSignerOrder(world.context, world.orgId, orderId)
}
const listed = async (input: Partial<Save> = {}) => {
  const made = await save({ whitelist: '1', ...input })
  await decide(made.trade_no!)
  world.clock.aheadMs += DAY_MS + 1
  return made.id
}

beforeEach(async () => {
  resetScript(world)
  world.clock.aheadMs = 0
  const versions = world.signers.books
  await inOrganisation(async (tx) => {
    const orders = await tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('kind', '=', 'address_book').execute()
    const newest = orders.filter(({ state }) => state === 'followed').length
    for (const { id, state } of orders) if (state === 'approving') await signerOrders.withdraw(tx, world.context, { id, personId: ann!.id, remark: '' })
    for (const party of [1, 2, 3]) versions.set(party, { version: BigInt(newest), hash: new Uint8Array(32), entries: 0n })
    await tx.updateTable('book_entry').set({ removed_at: 1 }).where('org_id', '=', tx.orgId).execute()
  })
})

describe('an entry of the organisation’s book', () => {
  it('is on the whitelist once people approved it and its waiting period is over, and off as soon as they say so', async () => {
    const { id, trade_no: order, approval_url: url } = await save({ whitelist: '1', name: 'Kraken', note: 'main account' })
    assert.match(url!, /order/)
    assert.equal(await statusOf(id), 'auditing')
    assert.equal((await call(contract.getWhitelistConfig, {})).open!.trade_no, order)
    const audit = await call(contract.getBookAudit, { id: order! })
    assert.deepEqual(
      audit.changes.map(({ kind, entry_id, address, chains }) => [kind, entry_id, address, chains]),
      [['add', id, OTHER, [CHAIN]]],
    )
    await decide(order!)
    const cooling = await info(id)
    assert.equal(cooling.whitelist_status, 'cooling')
    assert.ok(cooling.usable_at! > world.context.ports.clock.nowMs())
    world.clock.aheadMs = DAY_MS + 1
    assert.deepEqual([await statusOf(id), (await list({ whitelist_status: 'active' })).length], ['active', 1])
    const off = await call(contract.saveWhitelist, { request_id: newRequest(), ids: [id], whitelist: '0', remark: 'closed' })
    assert.equal(await statusOf(id), 'deleting')
    await decide(off.trade_no)
    assert.equal(await statusOf(id), 'disabled')
    assert.equal((await call(contract.getWhitelistConfig, {})).version >= 2, true)
    const actions = (await call(contract.listBookLog, { id } as never)).list.map(({ action }) => action)
    assert.deepEqual(actions.sort(), ['added', 'proposed', 'proposed_off'])
  })

  it('that people reject is a name only, and can be asked for again', async () => {
    const { id, trade_no: order } = await save({ whitelist: '1' })
    await decide(order!, 'reject')
    assert.equal(await statusOf(id), 'none')
    const again = await call(contract.saveWhitelist, { request_id: newRequest(), ids: [id], whitelist: '1' })
    assert.equal(await statusOf(id), 'auditing')
    await assert.rejects(call(contract.decideBookAudit, { id: again.trade_no, result: 'withdraw' }, ben), refused('110249'))
    await call(contract.decideBookAudit, { id: again.trade_no, result: 'withdraw' })
    assert.equal(await statusOf(id), 'none')
  })

  it('stands there once; a twin is refused by what it is: there, or asked about', async () => {
    const { id } = await save()
    await assert.rejects(save({ name: 'Other', address: OTHER.toLowerCase() }), refused('200137'))
    const { trade_no: order } = await call(contract.saveWhitelist, { request_id: newRequest(), ids: [id], whitelist: '1' })
    await assert.rejects(save({ name: 'Other' }), refused('200139'))
    await assert.rejects(call(contract.saveWhitelist, { request_id: newRequest(), ids: [id], whitelist: '1' }), refused('200139'))
    await assert.rejects(call(contract.deleteBookEntries, { request_id: newRequest(), ids: [id] }), refused('200139'))
    await assert.rejects(save({ id, name: 'Renamed' }), refused('200139'))
    const check = await call(contract.checkBookAddress, { address: OTHER, chain: CHAIN })
    assert.deepEqual([check.duplicate_id, check.in_flow], [id, true])
    await assert.rejects(save({ address: STRANGER, name: 'Second', whitelist: '1' }), refused('300073'), 'one change at a time')
    assert.equal((await list()).length, 1, 'nothing half done')
    await decide(order!, 'reject')
    await save({ name: 'With memo', memo: '7' })
  })

  it('of the whitelist leaves it by an order only, and the book with it', async () => {
    const id = await listed()
    await assert.rejects(call(contract.deleteBookEntries, { request_id: newRequest(), ids: [id] }), refused('200140'))
    assert.equal(await statusOf(id), 'active')
    for (const changed of [{ name: 'Renamed' }, { memo: '9' }]) await assert.rejects(save({ id, ...changed }), refused('300102'))
    await save({ id, note: 'a note is nobody’s rule' })
    await assert.rejects(save({ id, address: STRANGER }), refused('300101'))
    const off = await call(contract.deleteBookEntries, { request_id: newRequest(), ids: [id], propose: '1' })
    assert.equal(off.removed, 0)
    await decide(off.trade_no!)
    await assert.rejects(info(id), refused('300014'))
    await save()
  })

  it('that looks like a known address, by itself or by its name, comes in only where somebody says that it is meant', async () => {
    await save()
    await assert.rejects(save({ name: 'Planted', address: alike(OTHER) }), refused('300005'))
    const beginsAlike = `${OTHER.slice(0, 8)}${'0'.repeat(34)}`.toLowerCase()
    await assert.rejects(save({ name: 'Planted', address: beginsAlike }), refused('300005'), 'six characters at one end are enough')
    assert.deepEqual(
      (await call(contract.checkBookAddress, { address: alike(OTHER), chain: CHAIN })).similar.map(({ kind }) => kind),
      ['book'],
    )
    await assert.rejects(save({ name: 'Krаken', address: STRANGER }), refused('300098'))
    await save({ name: 'Planted', address: alike(OTHER), ack: 'lookalike' })
    for (const bad of [{ address: '0x12' }, { chains: ['moon:1'] }]) await assert.rejects(save({ name: 'Bad', ...bad }))
  })

  it('saved twice by the same request is one entry and one order', async () => {
    const request = { request_id: newRequest(), whitelist: '1' as const }
    const [one, two] = [await save(request), await save(request)]
    assert.deepEqual(two, one)
    await assert.rejects(save({ ...request, name: 'Another' }), refused('110088'))
    await decide(one.trade_no!, 'reject')
  })
})

describe('a request about the whitelist', () => {
  const key = (byte: string) => privateKeyToAccount(`0x${byte.repeat(32)}`).address
  const checksOf = async (id: string) => (await call(contract.getBookAudit, { id })).checks

  it('says of each address what is known of it: who added it, whether it was verified, what it looks like, since when it was paid', async () => {
    const { id: kraken } = await save({ address: key('41') })
    const { id: planted } = await save({ name: 'Bitstamp', address: alike(key('41')), ack: 'lookalike' }, ben)
    await call(contract.verifyBookEntry, { id: kraken, type: 'call_back', proof: 'Ada at Kraken, +1 555 0100' }, ben)
    const ask = { request_id: newRequest(), ids: [kraken, planted], whitelist: '1' as const }
    const { trade_no: order } = await call(contract.saveWhitelist, ask)
    const found = await checksOf(order)
    const [first, second] = [kraken, planted].map((id) => found.find((each) => each.entry_id === id))
    assert.deepEqual(
      [first, second].map((each) => [each!.entry_id, each!.format, each!.memo, each!.created_by!.name, each!.verify?.type, each!.verify?.by]),
      [
        [kraken, 'valid', 'none', ann!.name, 'call_back', ben!.name],
        [planted, 'valid', 'none', ben!.name, undefined, undefined],
      ],
    )
    assert.deepEqual(
      [first, second].map((each) => each!.similar.map(({ kind, name }) => [kind, name])),
      [[['book', 'Bitstamp']], [['book', 'Kraken']]],
    )
    assert.deepEqual([first!.first_paid_at, first!.first_received_at, first!.kyt], [null, null, null])
  })

  it('says since when something came from an address, and that nothing was paid to it yet', async () => {
    const wallet = await makeWallet(world)
    await scan(world)
    world.chain.give(wallet.address, ETH, null, OTHER)
    world.chain.mine(world.network.finalityBlocks + 1)
    await scan(world)
    const { trade_no: order } = await save({ whitelist: '1', name: 'Payer' })
    const [check] = await checksOf(order!)
    assert.equal(typeof check!.first_received_at, 'number', JSON.stringify(check))
    assert.equal(check!.first_paid_at, null)
  })
})

describe('an earlier version of the whitelist', () => {
  const asAt = (version: number) => call(contract.restoreWhitelist, { version })
  const now = async () => (await call(contract.getWhitelistConfig, {})).version
  const takeOff = async (...ids: string[]) => decide((await call(contract.saveWhitelist, { request_id: newRequest(), ids, whitelist: '0' })).trade_no)
  /** Why entries are left out; the list has more of them, those that the tests before this one removed. */
  const whysOf = ({ left_out: leftOut }: Awaited<ReturnType<typeof asAt>>, ...ids: string[]) =>
    ids.map((id) => leftOut.find((each) => each.entry_id === id)?.why)

  it('is asked for as one ordinary order, which puts on what it had and takes off what it had not', async () => {
    const one = await listed({ name: 'One' })
    const version = await now()
    const two = await listed({ name: 'Two', address: STRANGER })
    await takeOff(one)
    const found = await asAt(version)
    assert.deepEqual(
      found.changes.map(({ kind, entry_id: id, address }) => [kind, id, address]),
      [
        ['add', one, OTHER],
        ['remove', two, STRANGER],
      ],
    )
    assert.deepEqual([found.has_more, ...whysOf(found, one, two)], [false, undefined, undefined])
    await assert.rejects(call(contract.saveWhitelist, { request_id: newRequest(), ids: [one], off_ids: [one], whitelist: '1' }), refused('300013'))
    const asked = { request_id: newRequest(), ids: [one], off_ids: [two], whitelist: '1' as const }
    const made = await call(contract.saveWhitelist, asked)
    assert.deepEqual(await call(contract.saveWhitelist, asked), made)
    assert.deepEqual([await statusOf(one), await statusOf(two)], ['auditing', 'deleting'])
    assert.deepEqual(
      (await call(contract.getBookAudit, { id: made.trade_no })).changes.map(({ kind }) => kind),
      ['add', 'remove'],
    )
    await decide(made.trade_no)
    assert.deepEqual([await statusOf(one), await statusOf(two)], ['cooling', 'disabled'], 'what is put on again waits as if it were new')
    assert.deepEqual((await asAt(version)).changes, [])
    const audits = (await call(contract.listBookAudits, {} as never)).list
    assert.deepEqual(
      audits.filter((each) => each.version >= version && each.state === 'followed').map((each) => [each.version - version, each.can_restore]),
      [3, 2, 1, 0].map((after) => [after, after < 3]),
    )
    await assert.rejects(asAt((await now()) + 1), refused('300014'))
  })

  it('leaves out, with the reason, what the book has no more or says something else of, and what looks like another address', async () => {
    const key = (byte: string) => privateKeyToAccount(`0x${byte.repeat(32)}`).address
    const gone = await listed({ name: 'Gone', address: key('31') })
    const moved = await listed({ name: 'Moved', address: key('32') })
    const renamed = await listed({ name: 'Named', address: key('33') })
    const copied = await listed({ name: 'Copied', address: key('34') })
    const again = await listed({ name: 'Again', address: key('35') })
    const version = await now()
    await takeOff(gone, moved, renamed, copied, again)
    await call(contract.deleteBookEntries, { request_id: newRequest(), ids: [gone, moved, again] })
    await save({ name: 'Moved', address: key('36') })
    await save({ id: renamed, name: 'Renamed', address: key('33') })
    await save({ name: 'Planted', address: alike(key('34')), ack: 'lookalike' })
    const { id: fresh } = await save({ name: 'Again', address: key('35') })
    const found = await asAt(version)
    assert.deepEqual(
      found.changes.map(({ kind, entry_id: id }) => [kind, id]),
      [['add', fresh]],
      'the same place in the same words, added anew',
    )
    assert.deepEqual(whysOf(found, gone, moved, renamed, copied), ['removed', 'replaced', 'changed', 'similar'])
    const othersOf = (id: string) => found.left_out.find((each) => each.entry_id === id)!.others.map(({ name, address }) => [name, address.toLowerCase()])
    assert.deepEqual([othersOf(moved), othersOf(copied)], [[['Moved', key('36').toLowerCase()]], [['Planted', alike(key('34'))]]])
  })
})

describe('verification', () => {
  it('counts a signature of the address’s own key over its own message, and nothing else', async () => {
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const { id } = await save({ address: account.address })
    const { message, can_sign: isSignable, amounts } = await call(contract.getBookChallenge, { id })
    assert.deepEqual([isSignable, amounts.length], [true, 1])
    const verify = (proof: string, type: 'signature' | 'call_back' | 'satoshi_test' | 'review' = 'signature', by = ann) =>
      call(contract.verifyBookEntry, { id, type, proof }, by)
    await assert.rejects(verify(await account.signMessage({ message: `${message}!` })), refused('300103'))
    await assert.rejects(verify(await privateKeyToAccount(`0x${'22'.repeat(32)}`).signMessage({ message })), refused('300103'))
    await assert.rejects(verify('nothing'), refused('300103'))
    await verify(await account.signMessage({ message }))
    assert.deepEqual([(await info(id)).verify!.type, (await info(id)).verify!.by], ['signature', ann!.name])
    await assert.rejects(verify('spoke with Eve', 'call_back'), refused('300103'), 'not by the one who added it')
    await assert.rejects(verify(' ', 'call_back', ben), refused('300103'))
    await verify('spoke with Eve, +41 44 000', 'call_back', ben)
    assert.equal((await info(id)).verify!.type, 'call_back')
    await assert.rejects(verify('', 'satoshi_test'), refused('300103'))
  })

  it('ends where the memo becomes another, behind which somebody else may be paid, and stays where only words do', async () => {
    const { id } = await save({ name: 'Kraken', memo: '77' })
    await call(contract.verifyBookEntry, { id, type: 'call_back', proof: 'spoke with Eve, +41 44 000' }, ben)
    await save({ id, name: 'Kraken EU', memo: '77', note: 'new name' })
    assert.equal((await info(id)).verify!.type, 'call_back')
    await save({ id, name: 'Kraken EU', memo: '78', note: 'new name' })
    assert.equal((await info(id)).verify, null)
  })

  it('takes a payment for a proof that comes from the address, of exactly the amount asked for, since the entry was added', async () => {
    const wallet = await makeWallet(world)
    const { id } = await save()
    const { amounts } = await call(contract.getBookChallenge, { id })
    const units = parseAmount(amounts[0]!.amount, 18)
    const look = () => call(contract.verifyBookEntry, { id, type: 'satoshi_test', proof: '' })
    const arrives = async (amount: bigint, from: string) => {
      const txid = world.chain.give(wallet.address, amount, null, from)
      world.chain.mine(world.network.finalityBlocks + 1)
      await scan(world)
      return txid
    }
    await arrives(units + 1n, OTHER)
    await arrives(units, STRANGER)
    await assert.rejects(look(), refused('300103'))
    const txid = await arrives(units, OTHER)
    await look()
    const { verify } = await info(id)
    assert.deepEqual([verify!.type, verify!.proof, verify!.by], ['satoshi_test', txid, ann!.name])
    // What another entry asks for is another amount, so that one payment proves one of them.
    const { id: second } = await save({ address: STRANGER })
    assert.notEqual((await call(contract.getBookChallenge, { id: second })).amounts[0]!.amount, amounts[0]!.amount)
    await assert.rejects(call(contract.verifyBookEntry, { id: second, type: 'satoshi_test', proof: '' }), refused('300103'))
  })

  it('says where messages cannot be verified: of networks whose addresses do not say whose key they are', () => {
    const networks = { find: (chain: string) => (chain === 'none' ? undefined : { codec: chain === 'ton' ? {} : { isSignedBy: () => true } }) } as never
    const can = (...chains: string[]) => canSign({ chains }, networks)
    assert.deepEqual([can('a'), can('a', 'b'), can('a', 'ton'), can('ton'), can('none'), can()], [true, true, false, false, false, false])
  })

  it('asks for a review of what was not used for 180 days, until somebody made one', async () => {
    const { id } = await save()
    assert.equal((await info(id)).needs_review, false)
    world.clock.aheadMs = 181 * DAY_MS
    assert.deepEqual(
      (await list({ review: '1' })).map((each) => each.id),
      [id],
    )
    await call(contract.verifyBookEntry, { id, type: 'review' })
    assert.deepEqual(await list({ review: '1' }), [])
  })
})

describe('a file', () => {
  it('is imported line by line, each with its own answer, and asked for as one order', async () => {
    await call(contract.saveBookGroup, { name: 'Exchanges' })
    await assert.rejects(call(contract.saveBookGroup, { name: 'exchanges' }), refused('300098'))
    const line = (name: string, address: string, chain = CHAIN) => ({ name, chain, address, memo: '', note: '' })
    const rows = [
      line('A', OTHER),
      line('A', OTHER),
      line('B', alike(OTHER)),
      line('', STRANGER),
      line('C', '0x12'),
      line('D', STRANGER, 'moon'),
      line('E', STRANGER, 'Test network'),
    ]
    const made = await call(contract.importBook, { request_id: newRequest(), rows, whitelist: '1' })
    assert.deepEqual(made.results, ['added', 'duplicate', 'similar', 'bad_name', 'bad_address', 'bad_chain', 'added'])
    assert.equal((await call(contract.getBookAudit, { id: made.trade_no! })).changes.length, 2)
    assert.deepEqual(
      (await call(contract.listBookGroups, {})).list.map(({ name, count }) => [name, count]),
      [['Exchanges', 0]],
    )
    assert.match((await call(contract.getImportTemplate, {})).csv, /Name,Network,Address/)
    await decide(made.trade_no!)
    const found = (await call(contract.searchBook, { chain: CHAIN, keyword: STRANGER.slice(0, 12) })).list
    assert.deepEqual(
      found.map(({ name, whitelist_status: status }) => [name, status]),
      [['E', 'cooling']],
    )
    assert.equal((await call(contract.listBookAudits, {} as never)).list[0]!.followed.length, 3)
    assert.deepEqual((await call(contract.listBookPayments, { id: (await list())[0]!.id } as never)).list, [])
    assert.equal(toHex(world.signers.books.get(1)!.hash).length, 64)
  })
})

describe('a list of the book', () => {
  it('says how many of its addresses are on the whitelist, however many there are', async () => {
    const { id: group } = await call(contract.saveBookGroup, { name: 'Customers' })
    const id = await listed({ group_id: group })
    await inOrganisation(async (tx) => {
      const row = await tx.selectFrom('book_entry').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirstOrThrow()
      const others = Array.from({ length: 1000 }, (_, i) => ({ ...row, id: randomUUID(), memo: String(i), chains: JSON.stringify(row.chains) }))
      await tx.insertInto('book_entry').values(others).execute()
    })
    const lists = await inOrganisation((tx) => listsOfBook(tx, world.context.ports.clock.nowMs()))
    assert.deepEqual(
      lists.filter(({ name }) => name === 'Customers'),
      [{ name: 'Customers', listed: 1001 }],
    )
  })
})

describe('a signer that lacks a version of the whitelist', () => {
  it('is brought the orders that it lacks, in their sequence, when it is there again', async () => {
    const row = await inOrganisation((tx) =>
      tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('kind', '=', 'address_book').where('state', '=', 'followed').execute(),
    )
    const made = await save({ name: 'Late', address: STRANGER, whitelist: '1' })
    world.signers.online.delete(3)
    world.signers.away = 3
    await decide(made.trade_no!)
    const follow = () => bringBookUp(world.context, world.orgId)
    assert.equal((await call(contract.getBookAudit, { id: made.trade_no! })).state, 'followed', 'two that follow are enough')
    world.signers.online.add(3)
    world.signers.followed.length = 0
    for (const party of [1, 2]) world.signers.books.set(party, { version: BigInt(row.length + 1), hash: new Uint8Array(32), entries: 0n })
    world.signers.books.set(3, { version: BigInt(row.length - 1), hash: new Uint8Array(32), entries: 0n })
    assert.equal(await follow(), true)
    assert.deepEqual(
      world.signers.followed.map(({ party, intent }) => [party, intent.kind === 'addressBook' && intent.version]),
      [
        [3, BigInt(row.length)],
        [3, BigInt(row.length + 1)],
      ],
    )
    assert.deepEqual((await call(contract.getBookAudit, { id: made.trade_no! })).followed, [1, 2, 3])
  })
})
