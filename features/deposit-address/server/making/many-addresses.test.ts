import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { addressesMaxOf } from '@holdfast/chain-core'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { readWalletKeys } from '@holdfast/features/key/server'
import type { MemberContext } from '@holdfast/http'
import { addressBalances, balances } from '@holdfast/ledger'
import { derivePublicKey } from '@holdfast/mpc'
import fc from 'fast-check'
import pg from 'pg'
import { CHAIN } from '../../../testing/scripted-chain.ts'
import { replaceSigner } from '../../../testing/replace-signer.ts'
import { callerOf } from '../../../testing/request-key.ts'
import { ETH, makeWallet, openWorld, requestWithdrawal, resetScript, scan, type Wallet, type World } from '../../../testing/test-world.ts'
import * as contract from '../../contract.ts'
import { depositAddressEndpoints } from '../routes.ts'
import { BATCH, makeAddresses } from './run-addresses.ts'

let world: World
let wallet: Wallet
let requests = 0

before(async () => {
  world = await openWorld()
  wallet = await makeWallet(world)
})
after(() => world.close())
afterEach(() => resetScript(world))

async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> {
  const handled = depositAddressEndpoints(world.context).find((each) => each.endpoint === endpoint)!
  const caller = callerOf(world.orgId, world.members[0].id, { request_id: 'none', ...input }) as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(caller, readInput(endpoint, parseForm(formEncode(input))) as never)) as OutputOf<E>
}

const proveRecovery = () =>
  world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .updateTable('recovery_kit')
      .set({ drill: new Uint8Array([1]), verified_at: world.context.ports.clock.nowMs() })
      .execute(),
  )

const ask = (given: { count?: number; label?: string; addr_type?: number; request_id?: string; chain?: string } = {}, to = wallet) =>
  call(contract.createAddresses, { request_id: `addresses-${++requests}`, sub_wallet_id: to.subWalletId, chain: CHAIN, ...given })
const make = (id: string) => makeAddresses(world.context, world.orgId, id)
const list = (given: Partial<CallInput<typeof contract.listUserAddresses>> = {}, of = wallet) =>
  call(contract.listUserAddresses, { sub_wallet_id: of.subWalletId, page_size: 200, ...given })
const stored = () =>
  world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('address').selectAll().where('sub_wallet_id', '=', wallet.subWalletId).orderBy('number').execute())

async function asOwner(query: string, values: unknown[]): Promise<void> {
  const owner = new pg.Client({ connectionString: world.db.url })
  await owner.connect()
  await owner.query(query, values)
  await owner.end()
}

describe('further addresses of a sub-wallet', () => {
  it('are refused before recovery of the key is proven, and asked for afterwards with the numbers that follow', async () => {
    await assert.rejects(ask(), { errorName: 'deposits_closed' })
    await proveRecovery()
    const [one, three] = [await ask({ label: 'Shop' }), await ask({ count: 3, label: 'Customer' })]
    assert.deepEqual([one.first, one.count, one.made, three.first, three.count, one.idempotent], [1, 1, 0, 2, 3, false])
    assert.equal((await list()).pageTotal, 1, 'none is listed before the signers attested it')
    assert.ok((await make(three.id)) && (await make(one.id)) && (await make(one.id)))
    const { list: rows, pageTotal } = await list()
    assert.equal(pageTotal, 5)
    assert.deepEqual(
      rows.map(({ label, enableDeposit }) => [label, enableDeposit]),
      [
        [null, true],
        ['Shop', true],
        ['Customer 2', true],
        ['Customer 3', true],
        ['Customer 4', true],
      ],
    )
    assert.equal(new Set(rows.map(({ address }) => address)).size, 5)
  })

  it('are each what key and path give, and no two have one path, however they were asked for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }), async (counts) => {
        const asked = await Promise.all(counts.map((count) => ask({ count })))
        await Promise.all(asked.map(({ id }) => make(id)))
      }),
      { numRuns: 5 },
    )
    const [key] = await world.db.asOrganisation(world.orgId, (tx) => readWalletKeys(tx, wallet.walletId))
    const rows = await stored()
    assert.deepEqual(
      rows.map(({ path }) => path),
      rows.map((_, number) => [0, number]),
    )
    for (const { address, path } of rows)
      assert.equal(address, world.network.codec.addressFromKey(derivePublicKey(key!.protocol, key!.publicKey!, key!.chainCode!, path)))
  })

  it('are made once for each request, in batches, also by two servers, and whatever was cut off goes on', async () => {
    const asked = { count: 2_003, request_id: 'the-same-addresses' }
    const answers = await Promise.all([ask(asked), ask(asked), ask(asked)])
    assert.equal(new Set(answers.map(({ id }) => id)).size, 1)
    assert.equal(answers.filter(({ idempotent }) => !idempotent).length, 1)
    await assert.rejects(ask({ ...asked, count: 4 }), { errorName: 'duplicate_request' })
    const { id, first } = answers[0]!
    let batches = 0
    assert.equal(await makeAddresses(world.context, world.orgId, id, () => batches++ === 1), false)
    const { list: open } = await call(contract.listAddressRequests, { sub_wallet_id: wallet.subWalletId })
    assert.deepEqual([open[0]!.id, open[0]!.made], [id, BATCH])
    await Promise.all([make(id), make(id)])
    const made = (await stored()).filter(({ number }) => number >= first)
    assert.deepEqual([made.length, made.at(-1)!.number], [asked.count, first + asked.count - 1])
    assert.equal((await ask(asked)).made, asked.count)
  })

  it('are refused where there is no room for so many, on another network, and by a slip of the pen', async () => {
    await assert.rejects(ask({ count: 10_001 }))
    await assert.rejects(ask({ count: 0 }))
    await assert.rejects(ask({ chain: 'eip155:999' }), { errorName: 'unsupported_coin' })
    const { left } = await call(contract.listAddressRequests, { sub_wallet_id: wallet.subWalletId })
    const used = (await stored()).length
    assert.deepEqual(
      left.map(({ chain, left: more }) => [chain, more]),
      [[CHAIN, Math.min(addressesMaxOf(0), 1_000_001) - used]],
    )
  })

  it('are credited once each, to the sub-wallet, which has the sum of them', async () => {
    const rows = await stored()
    const paid = [rows[1]!, rows[2]!, rows.at(-1)!].map(({ address }) => address)
    for (const [i, address] of paid.entries()) world.chain.give(address, BigInt(i + 1) * ETH, null)
    world.chain.mine(world.network.finalityBlocks + 1)
    await scan(world)
    await scan(world)
    const has = await world.db.asOrganisation(world.orgId, (tx) =>
      addressBalances(
        tx,
        paid.map((address) => ({ chain: CHAIN, address })),
      ),
    )
    assert.deepEqual(new Map(has.map(({ address, available }) => [address, available])), new Map(paid.map((address, i) => [address, BigInt(i + 1) * ETH])))
    const [coin] = await world.db.asOrganisation(world.orgId, (tx) => balances(tx, wallet.subWalletId))
    assert.equal(coin!.available, 6n * ETH)
    const { list: funded, pageTotal } = await list({ state: 'funded' })
    assert.deepEqual(
      [pageTotal, funded.map(({ balance }) => balance[0]!.amount), funded.every(({ last_in_at }) => last_in_at !== null)],
      [3, ['1', '2', '3'], true],
    )
    assert.equal((await list({ state: 'unused', page_size: 1 })).pageTotal, rows.length - 3)
    assert.deepEqual(
      (await list({ keyword: paid[2]! })).list.map(({ address }) => address),
      [paid[2]],
    )
    assert.equal((await list({ keyword: 'customer 3' })).list.length, 1)
  })

  it('pay what they have themselves, and nothing that another one has', async () => {
    const [, , two] = await stored()
    await assert.rejects(requestWithdrawal(world, wallet, { amount: '1' }), { errorName: 'insufficient_balance' }, 'the first address has nothing')
    await assert.rejects(requestWithdrawal(world, wallet, { amount: '2.5', from: two!.address }), { errorName: 'insufficient_balance' })
    const { order } = await requestWithdrawal(world, wallet, { amount: '1.5', from: two!.address })
    const funded = await call(contract.listMultiAddresses, { sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', state: 'funded' })
    assert.deepEqual(
      funded.list.map(({ balance, available }) => [balance, Number(available) < Number(balance)]),
      [
        ['1', false],
        ['2', true],
        ['3', false],
      ],
      'what an order holds is not there to pay with',
    )
    assert.equal(funded.pageTotal, 3)
    assert.deepEqual([order.row.address_from, order.intent.kind === 'transfer' && order.intent.path], [two!.address, [0n, 2n]])
    const other = await makeWallet(world, 'Other')
    await assert.rejects(requestWithdrawal(world, other, { amount: '1', from: two!.address }), { errorName: 'resource_not_found' })
  })

  it('are exported whole, in parts, with the path of each', async () => {
    const parts: string[] = []
    let total: number | null = null
    for (let after: string | null | undefined; after !== null; ) {
      const part: OutputOf<typeof contract.exportAddresses> = await call(contract.exportAddresses, {
        sub_wallet_id: wallet.subWalletId,
        ...(after === undefined ? {} : { after }),
      })
      total ??= part.total
      parts.push(part.csv)
      after = part.next
    }
    const rows = await stored()
    const lines = parts.join('').trim().split('\r\n').slice(1)
    assert.ok(parts.length >= 3)
    assert.deepEqual([total, lines.length], [rows.length, rows.length])
    for (const [i, { address, path }] of rows.entries()) assert.ok(lines[i]!.includes(address) && lines[i]!.includes(`m/${path.join('/')}`), lines[i])
    await assert.rejects(call(contract.exportAddresses, { sub_wallet_id: wallet.subWalletId, after: 'x' }), { errorName: 'invalid_parameters' })
  })

  it('are listed in parts that go on where the one before ended, and so are the comments of a shared address', async () => {
    const inParts = async (page_size: number) => {
      const rows: string[] = []
      for (let after: string | null | undefined; after !== null; ) {
        const part = await list({ page_size, ...(after === undefined ? {} : { after }) })
        assert.equal(part.has_more, part.next !== null)
        rows.push(...part.list.map(({ id }) => id))
        after = part.next
      }
      return rows
    }
    const comments = Array.from({ length: 12 }, (_, i) => `C0MMENT0000${'0123456789AB'[i]}`)
    const place = { org_id: world.orgId, chain: CHAIN, address: (await stored())[2]!.address }
    const made = comments.map((comment, i) => ({ ...place, comment, label: null, created_at: 1 + (i % 3) }))
    await world.db.asOrganisation(world.orgId, (tx) => tx.insertInto('deposit_comment').values(made).execute())
    const { pageTotal } = await list({ page_size: 1 })
    const whole: string[] = []
    for (let page_no = 1; whole.length < pageTotal; page_no++) whole.push(...(await list({ page_no })).list.map(({ id }) => id))
    assert.equal(new Set(whole).size, (await stored()).length - 1 + comments.length)
    for (const size of [199, 7]) assert.deepEqual(await inParts(size), whole, `in parts of ${size}`)
    await assert.rejects(list({ after: 'elsewhere' }), { errorName: 'invalid_parameters' })
    await asOwner('delete from deposit_comment', [])
  })

  it('of the system are in no list for people who pay in, and in the choice of where to pay from', async () => {
    const before = (await list({ page_size: 1 })).pageTotal
    await make((await ask({ addr_type: 2, label: 'Sweep' })).id)
    assert.equal((await list({ page_size: 1 })).pageTotal, before)
    assert.equal((await list({ keyword: 'sweep' })).pageTotal, 0)
    const choice = { sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol: 'ETH' }
    const { list: system } = await call(contract.listMultiAddresses, { ...choice, addr_type: 2 })
    assert.deepEqual(
      system.map(({ addr_type, label, is_default }) => [addr_type, label, is_default]),
      [[2, 'Sweep', false]],
    )
    assert.equal((await call(contract.listMultiAddresses, choice)).pageTotal, before + 1)
  })
})

describe('an address that the signers did not attest', () => {
  it('is not made where one signer derives another', async () => {
    const fresh = await makeWallet(world, 'Doubted')
    await proveRecovery()
    world.signers.addressSaid = (party, address) => (party === 2 ? address.replace(/.$/, 'x') : address)
    const { id } = await ask({ count: 2 }, fresh)
    await assert.rejects(make(id), { name: 'SignerMismatchError', message: /signer 2 derives other addresses/ })
    assert.equal((await list({}, fresh)).pageTotal, 1)
    resetScript(world)
    assert.ok(await make(id))
    assert.equal((await list({}, fresh)).pageTotal, 3)
  })

  it('is shown to nobody, whoever wrote it into the database: one beside, one in the place of another, one moved to another sub-wallet', async () => {
    const victim = await makeWallet(world, 'Victim')
    await proveRecovery()
    const { id } = await ask({ count: 3 }, victim)
    await make(id)
    const evil = '0x000000000000000000000000000000000000dEaD'
    const shown = async () => (await list({}, victim)).list.map(({ address }) => address)
    const honest = await shown()
    assert.ok(honest.length === 4 && honest.every((each) => each !== null))
    await asOwner(
      `insert into address (org_id, chain, address, address_end, sub_wallet_id, path, number, label, attestations, created_at)
        select org_id, chain, $2, 'dead', sub_wallet_id, array[path[1], 9], 9, null, attestations, created_at from address where sub_wallet_id = $1 and number = 0`,
      [victim.subWalletId, evil],
    )
    assert.deepEqual(await shown(), [...honest, null])
    assert.equal((await call(contract.listMultiAddresses, { sub_wallet_id: victim.subWalletId, chain: CHAIN, symbol: 'ETH' })).list.length, 4)
    const { csv } = await call(contract.exportAddresses, { sub_wallet_id: victim.subWalletId })
    assert.ok(!csv.includes(evil) && csv.includes('m/0/9'), csv)
    await asOwner('delete from address where sub_wallet_id = $1 and number = 9', [victim.subWalletId])
    // In the place of one of a batch: the batch is not what the signers signed any more.
    await asOwner('update address set address = $2 where sub_wallet_id = $1 and number = 2', [victim.subWalletId, evil])
    assert.ok(!(await shown()).includes(evil))
    // In the place of the first, which the deposit drawer shows.
    await asOwner('delete from address where sub_wallet_id = $1 and number = 2', [victim.subWalletId])
    await asOwner('update address set address = $2 where sub_wallet_id = $1 and number = 0', [victim.subWalletId, evil])
    const told = await call(contract.getDepositAddress, { sub_wallet_id: victim.subWalletId, chain: CHAIN, symbol: 'ETH' })
    assert.deepEqual([told.address, told.enableDeposit], [null, false])
    assert.match(told.text, /not attested/)
    // Nor without any statement at all, or with that of one signer alone.
    const silent = `update address set attestations = case when $2 then jsonb_build_array(attestations -> 0) else '[]' end where sub_wallet_id = $1 and number = 0`
    const lone = await makeWallet(world, 'Lone')
    await proveRecovery()
    for (const hasOne of [true, false]) {
      await asOwner(silent, [lone.subWalletId, hasOne])
      assert.deepEqual(
        (await list({}, lone)).list.map(({ address }) => address),
        [null],
        `${hasOne}`,
      )
    }
  })

  it('is shown as before when two signers were replaced one after the other, where all three of one time attested it', async () => {
    const old = await makeWallet(world, 'Old')
    await proveRecovery()
    const { id } = await ask({ count: 2 }, old)
    await make(id)
    const shown = async () => (await list({}, old)).list.map(({ address }) => address)
    const before = await shown()
    assert.ok(before.length === 3 && before.every((each) => each !== null))
    for (const party of [3, 2]) {
      await replaceSigner(world, party)
      assert.deepEqual(await shown(), before, `after signer ${party}`)
    }
    // One of them alone and who took the place of the others are nobody's word.
    await asOwner('update address set attestations = attestations - 2 where sub_wallet_id = $1 and number = 0', [old.subWalletId])
    await replaceSigner(world, 1)
    assert.deepEqual(await shown(), [null, ...before.slice(1)])
  })
})
