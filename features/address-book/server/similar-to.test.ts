import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { CONSTANT_START, looksAlike, startOf } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { looksOf, mayLookLike } from '@holdfast/features/known-address/server'
import fc from 'fast-check'
import { sql } from 'kysely'
import { Client } from 'pg'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { ETH, fund, makeWallet, openWorld, requestWithdrawal, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'
import { similarTo } from './similar-to.ts'

let world: World
let wallet: Wallet
let owner: Client
before(async () => {
  world = await openWorld()
  wallet = await makeWallet(world, 'Treasury')
  await fund(world, wallet, 10n * ETH)
  owner = new Client({ connectionString: world.db.url })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await world.close()
})

const inOrganisation = <T>(act: (tx: OrganisationTx) => Promise<T>) => world.db.asOrganisation(world.orgId, act)
const like = (address: string) => inOrganisation((tx) => similarTo(tx, world.members[0]!.id, address))
/** Another address that only begins like one, and one that only ends like it. */
const beginsLike = (address: string) => `${address.slice(0, 8)}${'7'.repeat(34)}`.toLowerCase()
const endsLike = (address: string) => `0x${'7'.repeat(34)}${address.slice(-6)}`.toLowerCase()

const text = (alphabet: string) => (length: number) => fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length })
const hex = text('0123456789abcdefABCDEF')
const base58 = text('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')
const bech32 = text('qpzry9x8gf2tvdw0s3jn54khce6mua7l')
/** Addresses in the spelling of every family, with much in common. */
const address = fc.oneof(
  hex(40).map((body) => `0x${body}`),
  base58(33).map((body) => `T${body}`),
  base58(26),
  fc.tuple(fc.constantFrom('bc1q', 'bc1p', 'tb1q', 'bcrt1q', 'bcrt1p'), bech32(38)).map(([start, body]) => start + body),
  fc.tuple(fc.constantFrom('UQ', 'EQ', 'kQ', '0Q', 'eq'), base58(46)).map(([start, body]) => start + body),
  fc.tuple(fc.constantFrom('UQ', 'T', '0x', 'bc1q'), base58(20)).map(([start, body]) => start + body),
)

describe('an address that looks like one the organisation knows', () => {
  it('is found where it only begins alike, or only ends alike, among own addresses and those that were paid', async () => {
    for (const planted of [beginsLike(wallet.address), endsLike(wallet.address)])
      assert.deepEqual(
        (await like(planted)).map((each) => [each.address, each.kind]),
        [[wallet.address, 'own']],
      )
    const { order } = await requestWithdrawal(world, wallet, { to: STRANGER })
    assert.deepEqual(await like(beginsLike(STRANGER)), [], 'what was only asked for teaches nothing')
    await owner.query(`update transfer_order set txid = '0x01' where id = $1`, [order.row.id])
    for (const planted of [beginsLike(STRANGER), endsLike(STRANGER)])
      assert.deepEqual(
        (await like(planted)).map((each) => [each.address, each.kind]),
        [[STRANGER, 'paid']],
      )
    assert.deepEqual(await like(STRANGER), [], 'it is no imitation of itself')
  })

  it('is found whatever family it is of, also where the row is from before there was a column for how it begins', async () => {
    const addresses = fc.sample(address, { numRuns: 300, seed: 7 })
    const common = { org_id: world.orgId, person_id: world.members[0]!.id, chain: CHAIN, name: '', note: '', created_at: 1, updated_at: 1, removed_at: 1 }
    const rows = addresses.map((each) => ({ ...common, id: randomUUID(), address: each, memo: randomUUID() }))
    await inOrganisation(async (tx) => {
      await tx.insertInto('personal_address').values(rows).execute()
      for (const each of addresses.slice(0, 100)) {
        const found = await tx
          .selectFrom('personal_address')
          .select('address')
          .where(mayLookLike('address', looksOf([each])))
          .execute()
        assert.ok(
          found.some((row) => row.address === each),
          each,
        )
      }
    })
  })

  it('is never missed by what is asked of the database', () => {
    fc.assert(
      fc.property(address, address, fc.nat(8), fc.nat(8), (one, other, start, end) => {
        const planted = `${one.slice(0, start)}${other.slice(start, other.length - end)}${one.slice(one.length - end)}`
        const [known, asked] = [looksOf([one]), looksOf([planted])]
        const isFound = known.starts.some((each) => asked.starts.includes(each)) || known.ends.some((each) => asked.ends.includes(each))
        assert.ok(isFound || !looksAlike(one, planted), `${one} ${planted}`)
      }),
    )
  })

  it('begins in the database where it begins here, after what all addresses of its network begin with', async () => {
    const addresses = fc.sample(address, { numRuns: 500, seed: 8 })
    const { rows } = await inOrganisation((tx) =>
      sql<{ plain: string }>`select regexp_replace(lower(given), ${CONSTANT_START.source}, '') as plain from unnest(${addresses}::text[]) as given`.execute(tx),
    )
    assert.deepEqual(
      rows.map(({ plain }) => plain.slice(0, 6)),
      addresses.map(startOf),
    )
  })

  it('is found by an index in every table, however much the organisation has', async () => {
    await owner.query("set session_replication_role = 'replica'")
    await owner.query(
      `insert into address (org_id, chain, address, address_end, address_start, sub_wallet_id, path, number, label, attestations, created_at)
        select org_id, chain, '0x' || md5('a' || i) || 'abcdef01', 'ef01', left(md5('a' || i), 6), sub_wallet_id, array[path[1], 1000 + i], 1000 + i, null, '[]', created_at
        from address, generate_series(1, 5000) i where sub_wallet_id = $1 and number = 0`,
      [wallet.subWalletId],
    )
    await owner.query(
      `insert into transfer_order (org_id, id, kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount, fee_cap, address_from, address_to, address_to_end,
        address_to_start, remark, intent, intent_hash, policy_version, initiator, state, is_final, txid, expires_at, created_at, updated_at, version)
      select org_id, gen_random_uuid(), kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount, fee_cap, address_from, '0x' || left(md5(i::text) || md5('b' || i), 40),
        left(md5(i::text), 4), left(md5(i::text), 6), '', intent, sha256(i::text::bytea), policy_version, initiator, 'completed', true, '0x' || md5('c' || i) || md5('d' || i),
        created_at, created_at - i, created_at, 1 from transfer_order, generate_series(1, 5000) i where org_id = $1`,
      [world.orgId],
    )
    await owner.query(
      `insert into order_output (org_id, order_id, place, address, address_end, address_start, amount)
        select org_id, id, 0, address_to, address_to_end, address_to_start, 1 from transfer_order where org_id = $1`,
      [world.orgId],
    )
    await owner.query(
      `insert into personal_address (org_id, id, person_id, chain, address, address_end, address_start, memo, name, note, created_at, updated_at)
        select org_id, gen_random_uuid(), initiator, chain, address_to, address_to_end, address_to_start, '', id::text, '', 1, 1 from transfer_order where org_id = $1`,
      [world.orgId],
    )
    await owner.query(
      `insert into book_entry (org_id, id, name, address, address_end, address_start, chains, memo, note, vasp, leaves, reviewed_at, created_by, created_at, updated_at)
        select org_id, gen_random_uuid(), left(id::text, 50), address_to, address_to_end, address_to_start, '[]', '', '', '', false, 1, initiator, 1, 1
        from transfer_order where org_id = $1`,
      [world.orgId],
    )
    for (const table of ['address', 'transfer_order', 'order_output', 'book_entry', 'personal_address']) {
      await owner.query(`vacuum analyze ${table}`)
      const [column, isSigned] = table === 'transfer_order' ? (['address_to', sql`and txid is not null`] as const) : (['address', sql``] as const)
      const plan = await inOrganisation(async (tx) => {
        const isAsked = mayLookLike(column, looksOf([STRANGER]))
        const { rows } = await sql`explain select 1 from ${sql.table(table)} where org_id = ${world.orgId} and ${isAsked} ${isSigned}`.execute(tx)
        return JSON.stringify(rows)
      })
      for (const index of [`${table}_by_start`, `${table}_by_end`]) assert.match(plan, new RegExp(index), `${table}: ${plan}`)
      assert.doesNotMatch(plan, /Seq Scan/, table)
    }
  })
})
