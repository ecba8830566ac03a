import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type OutputOf, readInput } from '@holdfast/contract'
import { insertSampleRows } from '@holdfast/db/test'
import type { MemberContext } from '@holdfast/http'
import { permissionsOf } from '@holdfast/features/session/server'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { Client } from 'pg'
import { savePersonal } from '../../address-book/server/save-personal.ts'
import { addressPart, addressQueries, spellingsOfStart } from '../../known-address/server/search-addresses.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { approve, ETH, fund, makeWallet, openWorld, requestWithdrawal, scan, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { search } from '../contract.ts'
import { searchEndpoints } from './routes.ts'
import { NEWEST_REMARKS, searchQueries } from './search-transactions.ts'

const MORE_ORDERS = 3 * NEWEST_REMARKS

let world: World
let wallet: Wallet
let paidId: string
let txid: string

type As = { role?: string; member?: number; orgId?: string }

async function find(keyword: string, { role = 'owner', member = 0, orgId = world.orgId }: As = {}): Promise<OutputOf<typeof search>> {
  const [{ handler }] = searchEndpoints(world.context) as [ReturnType<typeof searchEndpoints>[number]]
  const context = { orgId, personId: world.members[member]!.id, language: 'en_US', session: { permissions: permissionsOf(role) } } as unknown as MemberContext
  return search.output.parse(await handler(context, readInput(search, { keyword }) as never))
}
const idsOf = async (keyword: string, as?: As) => (await find(keyword, as)).transactions.map(({ id }) => id)

before(async () => {
  world = await openWorld()
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  paidId = (await requestWithdrawal(world, wallet, { amount: '2.5', remark: 'Rent of March' })).order.row.id
  await approve(world, paidId, world.members[1], world.members[2])
  await signOrder(world.context, world.orgId, paidId)
  await broadcastOrder(world.context, world.orgId, paidId)
  world.chain.mine(3)
  await scan(world)
  const order = await world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('transfer_order').select('txid').where('org_id', '=', tx.orgId).where('id', '=', paidId).executeTakeFirstOrThrow(),
  )
  txid = order.txid!
  await world.db.asOrganisation(world.orgId, (tx) => savePersonal(tx, { ...world.context, personId: world.members[0].id }, contact('Landlord', STRANGER)))
})
after(() => world.close())

const contact = (name: string, address: string) => ({ name, chain: CHAIN, address, memo: '', note: '', ack: '' as const })

describe('what the palette finds', () => {
  it('a transaction by its whole id or hash, by their beginning, in any case of letters, and by its remark', async () => {
    const hash = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('transfer_order').select('intent_hash').where('org_id', '=', tx.orgId).where('id', '=', paidId).executeTakeFirstOrThrow(),
    )
    const intent = Buffer.from(hash.intent_hash).toString('hex')
    const words = [
      paidId,
      paidId.toUpperCase(),
      paidId.slice(0, 20),
      txid,
      txid.slice(0, 12),
      txid.replace(/^0x/, ''),
      txid.toUpperCase(),
      intent,
      intent.slice(0, 9),
    ]
    for (const word of [...words, 'Rent', 'rent of', 'MARCH', ' march ']) assert.ok((await idsOf(word)).includes(paidId), word)
    const [found] = (await find('march')).transactions
    assert.deepEqual([found!.amount, found!.symbol, found!.wallet_name, found!.other, found!.status], ['2.5', 'ETH', 'Treasury', 'Landlord', 2000])
    for (const word of ['', 'r', 'nothing of the kind', '%', '_ent', crypto.randomUUID()]) assert.deepEqual(await idsOf(word), [], word)
  })

  it('an address of ours with its sub-wallet, one we paid, and one that sent, by its beginning or in short', async () => {
    const addresses = async (word: string) => (await find(word)).addresses.map(({ kind, address }) => [kind, address])
    for (const word of [
      wallet.address,
      wallet.address.slice(0, 9),
      wallet.address.toLowerCase().slice(0, 12),
      `${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`,
    ])
      assert.deepEqual(await addresses(word), [['own', wallet.address]], word)
    for (const word of [STRANGER, STRANGER.toLowerCase(), STRANGER.slice(0, 7).toUpperCase().replace('X', 'x'), '0x3C44...93bc'])
      assert.deepEqual((await addresses(word))[0], ['paid', STRANGER], word)
    assert.deepEqual(await addresses('0x3C44…0000'), [])
    assert.equal((await find(wallet.address)).addresses[0]!.place?.wallet_name, 'Treasury')
  })

  it('people, wallets, sub-wallets, and the own contacts', async () => {
    assert.deepEqual(
      (await find('cleo')).members.map(({ name }) => name),
      ['Cleo'],
    )
    const byAccount = async (role: string) => (await find('cleo@acm', { role })).members.map(({ name }) => name)
    assert.deepEqual([await byAccount('owner'), await byAccount('viewer')], [['Cleo'], []], 'whoever is shown masked accounts searches none')
    assert.ok((await find('treas')).wallets.some(({ wallet_name, sub_wallet }) => wallet_name === 'Treasury' && sub_wallet === null))
    assert.ok((await find('main')).wallets.some(({ sub_wallet }) => sub_wallet !== null))
    assert.deepEqual(
      (await find('landl')).contacts.map(({ name }) => name),
      ['Landlord'],
    )
    assert.deepEqual((await find('landl', { member: 1 })).contacts, [])
  })

  it('nothing of a kind that the person may not see', async () => {
    for (const word of [paidId, wallet.address, 'cleo', 'treas', 'march']) {
      const { transactions, addresses, members, wallets } = await find(word, { role: 'nobody' })
      assert.deepEqual([transactions, addresses, members, wallets], [[], [], [], []], word)
    }
  })

  it('nothing of another organisation', async () => {
    const other = await insertSampleRows(world.db, 'other')
    for (const word of [paidId, txid, STRANGER, wallet.address, 'cleo', 'treas', 'march', 'landl']) {
      const { transactions, addresses, contacts } = await find(word, { orgId: other.orgId })
      assert.deepEqual([transactions, addresses.filter(({ address }) => address === wallet.address || address === STRANGER), contacts], [[], [], []], word)
    }
  })

  it('an address whatever the case of its checksum, and no word as one that is none', () => {
    const hex = fc.stringMatching(/^[0-9a-fA-F]{4,40}$/)
    fc.assert(
      fc.property(hex, (digits) => {
        const address = `0x${digits}`
        for (const word of [address, address.toLowerCase(), `0x${digits.toUpperCase()}`])
          assert.ok(spellingsOfStart(word).some((start) => address.startsWith(start)))
        assert.ok(spellingsOfStart(address).length <= 16)
      }),
    )
    assert.equal(addressPart('two words'), undefined)
    assert.deepEqual(addressPart('0x3C44…93BC'), { start: '0x3C44', end: '93BC' })
  })
})

describe('with many orders', () => {
  before(async () => {
    const owner = new Client({ connectionString: world.db.url })
    await owner.connect()
    await owner.query("set session_replication_role = 'replica'")
    await owner.query(
      `insert into transfer_order (org_id, id, kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount, fee_cap, address_from, address_to, address_to_end, remark,
        intent, intent_hash, policy_version, initiator, state, is_final, txid, expires_at, created_at, updated_at, version)
      select org_id, gen_random_uuid(), kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount, fee_cap, address_from, '0x' || left(md5(i::text) || md5('b' || i), 40),
        '0000', 'invoice ' || i, intent, sha256(i::text::bytea), policy_version, initiator, 'completed', true, '0x' || md5('c' || i) || md5('d' || i), created_at,
        created_at - i, created_at, 1 from transfer_order, generate_series(1, $2::int) i where org_id = $1 and id = $3`,
      [world.orgId, MORE_ORDERS, paidId],
    )
    await owner.query('vacuum analyze transfer_order')
    await owner.end()
  })

  it('no search reads all that an organisation has', async () => {
    const words = ['0x3C44CdDd', txid, paidId, paidId.slice(0, 8), 'invoice', 'Rent', 'march', 'abcdef']
    for (const word of words) {
      const { start } = addressPart(word) ?? { start: word }
      for (const query of [...searchQueries({ orgId: world.orgId as never }, [CHAIN], word, 6), ...addressQueries(world.orgId, start)])
        assert.ok((await rowsRead(query)) <= NEWEST_REMARKS + 10, `${word} reads ${await rowsRead(query)} rows`)
    }
    const found = async (word: string) => {
      const queries = searchQueries({ orgId: world.orgId as never }, [CHAIN], word, 6)
      const { rows } = await world.db.asOrganisation(world.orgId, (tx) =>
        sql`select distinct id from (${sql.join(queries, sql` union all `)}) found`.execute(tx),
      )
      return rows.length
    }
    assert.ok((await found('invoice 2')) >= 6)
    assert.equal(await found(`Invoice ${MORE_ORDERS - 1}`), 1)
  })
})

type Plan = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] }

/** The most rows that a step of a query reads. */
async function rowsRead(query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await world.db.asOrganisation(world.orgId, (tx) =>
    sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`explain (analyze, format json) ${query}`.execute(tx),
  )
  const most = (plan: Plan): number =>
    Math.max((plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'], ...(plan.Plans ?? []).map(most))
  return most(rows[0]!['QUERY PLAN'][0].Plan)
}
