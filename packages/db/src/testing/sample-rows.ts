import { createHash } from 'node:crypto'
import type { Database } from '../open-database.ts'
import { insertOrderRows } from './sample-order-rows.ts'
import { insertTronRows } from './sample-tron-rows.ts'
import { insertBookRows } from './sample-book-rows.ts'
import { insertCoinRows } from './sample-coin-rows.ts'
import { insertLedgerRows } from './sample-ledger-rows.ts'
import { insertKeyRows, insertSignerRows } from './sample-key-rows.ts'
import { insertTeamRows } from './sample-team-rows.ts'
import { insertNotificationRows } from './sample-notification-rows.ts'

export type SampleIds = { orgId: string; personId: string; walletId: string; subWalletId: string; orderId: string; address: string }

const NOW_MS = 1_750_000_000_000
const CHAIN = 'eip155:31337'

/** Ids and bytes derived from the name alone, so that a failing test can be repeated. */
const bytesOf = (name: string) => Uint8Array.from(createHash('sha256').update(name).digest())
function uuidOf(name: string): string {
  const digits = Buffer.from(bytesOf(name)).toString('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

/**
 * For tests: one row in every table of an organisation, and of the installation, all different for another `name`.
 * The amounts and texts are the awkward ones: 2^256 - 1, other scripts, quotes, line ends.
 */
export async function insertSampleRows(db: Database, name: string): Promise<SampleIds> {
  const id = (part: string) => uuidOf(`${name}/${part}`)
  const ids: SampleIds = {
    orgId: id('organisation'),
    personId: id('person'),
    walletId: id('wallet'),
    subWalletId: id('sub wallet'),
    orderId: id('order'),
    address: `0x${Buffer.from(bytesOf(`${name}/address`))
      .toString('hex')
      .slice(0, 40)}`,
  }
  await insertSystemRows(db, name, ids)
  await insertOrganisationRows(db, name, ids)
  await insertPersonalRows(db, name, ids)
  await insertTeamRows(db, ids, { nowMs: NOW_MS, bytes: (part) => bytesOf(`${name}/${part}`), id: (part) => uuidOf(`${name}/${part}`) })
  await insertBookRows(db, ids, { nowMs: NOW_MS, chain: CHAIN, id })
  const made = { nowMs: NOW_MS, bytes: (part: string) => bytesOf(`${name}/${part}`), id: (part: string) => uuidOf(`${name}/${part}`) }
  await insertKeyRows(db, ids, made)
  await insertSignerRows(db, ids, made)
  await insertMoneyRows(db, name, ids)
  await insertLedgerRows(db, ids, { nowMs: NOW_MS, chain: CHAIN, contract: `0x${name}`, id: (part) => uuidOf(`${name}/${part}`) })
  await insertCoinRows(db, ids, { nowMs: NOW_MS, chain: CHAIN, hex: (part) => Buffer.from(bytesOf(`${name}/${part}`)).toString('hex'), id })
  const of = { uuidOf: id, bytesOf: (part: string) => bytesOf(`${name}/${part}`), nowMs: NOW_MS, ...ids }
  await db.asOrganisation(ids.orgId, (tx) => insertNotificationRows(tx, of))
  return ids
}

async function insertSystemRows(db: Database, name: string, { orgId, personId }: SampleIds): Promise<void> {
  const hash = (part: string) => bytesOf(`${name}/${part}`)
  const time = { created_at: NOW_MS, expires_at: NOW_MS + 60_000 }
  await db.asSystem(async (tx) => {
    await tx
      .insertInto('organisation')
      .values({ id: orgId, name: `Organisation ${name}`, state: 'active', genesis_hash: hash('genesis'), created_at: NOW_MS })
      .execute()
    await tx
      .insertInto('asset')
      .values({ chain: CHAIN, contract: `0x${name}`, symbol: 'TST', name: 'Test “coin” 测试', decimals: 18, created_at: NOW_MS })
      .execute()
    await tx
      .insertInto('asset_price')
      .values({ chain: CHAIN, contract: `0x${name}`, currency: 'usd', quoted_at: NOW_MS, price: 10n ** 60n + 1n, source: 'a “feed” 报价', source_zh: '“报价”' })
      .execute()
    await tx
      .insertInto('session')
      .values({ id: hash('session'), org_id: orgId, person_id: personId, ip: '::1', user_agent: 'a\tb\\n"c"', last_seen_at: NOW_MS, ...time })
      .execute()
    await tx
      .insertInto('login_challenge')
      .values({ id: uuidOf(`${name}/challenge`), kind: 'passkey', data: JSON.stringify({ list: [1, null, 'ü'] }), ...time })
      .execute()
    await tx
      .insertInto('invite')
      .values({ token_hash: hash('invite'), org_id: orgId, person_id: personId, ...time })
      .execute()
    await tx
      .insertInto('key_invite')
      .values({ token_hash: hash('key invite'), org_id: orgId, person_id: personId, ...time })
      .execute()
    await tx
      .insertInto('setup_draft')
      .values({ id: uuidOf(`${name}/draft`), body: JSON.stringify(['a\nb']), ...time })
      .execute()
    await tx
      .insertInto('chain_cursor')
      .values({ chain: `test:${name}`, height: 2n ** 62n, hash: '0xab', updated_at: NOW_MS })
      .execute()
    await tx
      .insertInto('chain_block')
      .values({ chain: `test:${name}`, height: 7n, hash: '0xab', parent_hash: '0xaa' })
      .execute()
    await tx
      .insertInto('runner')
      .values({ name: `scan:${name}`, holder: orgId, expires_at: NOW_MS })
      .execute()
    await tx
      .insertInto('chain_halt')
      .values({ chain: `test:${name}`, reason: 'two sources differ', since_at: NOW_MS })
      .execute()
  })
}

async function insertOrganisationRows(db: Database, name: string, ids: SampleIds): Promise<void> {
  const { orgId, personId, walletId, subWalletId, address } = ids
  const hash = (part: string) => bytesOf(`${name}/${part}`)
  const key = { org_id: orgId, key_id: hash('key'), epoch: 0n }
  const times = { created_at: NOW_MS, updated_at: NOW_MS }
  await db.asOrganisation(orgId, async (tx) => {
    await tx
      .insertInto('person')
      .values({
        org_id: orgId,
        id: personId,
        name: `Zoë 李雷 of ${name}`,
        login: `${name}@example.com`,
        role: 'owner',
        state: 'active',
        language: 'zh-CN',
        failed_logins: 0,
        ...times,
      })
      .execute()
    await tx
      .insertInto('login_credential')
      .values({
        org_id: orgId,
        id: uuidOf(`${name}/credential`),
        person_id: personId,
        kind: 'passkey',
        label: 'laptop',
        lookup: hash('credential'),
        data: JSON.stringify({ counter: 1 }),
        created_at: NOW_MS,
      })
      .execute()
    await tx
      .insertInto('genesis')
      .values({ org_id: orgId, bytes: hash('founding'), hash: hash('genesis'), created_at: NOW_MS })
      .execute()
    await tx
      .insertInto('policy_version')
      .values({ org_id: orgId, version: 1n, bytes: hash('policy'), hash: hash('policy hash'), change: null, created_at: NOW_MS })
      .execute()
    await tx
      .insertInto('idempotency')
      .values({ org_id: orgId, request_id: 'request 1', kind: 'withdraw', body_hash: hash('body'), result_id: ids.orderId, created_at: NOW_MS })
      .execute()
    await tx.insertInto('counter').values({ org_id: orgId, name: 'outbox', value: 1n }).execute()
    await tx
      .insertInto('wallet_key')
      .values({
        ...key,
        protocol: 'dkls23/v1',
        state: 'ready',
        public_key: new Uint8Array(33).fill(2),
        chain_code: hash('chain code'),
        progress: '{}',
        ...times,
      })
      .execute()
    await tx
      .insertInto('recovery_kit')
      .values({ ...key, kit: hash('kit'), drill: hash('drill'), created_at: NOW_MS, verified_at: NOW_MS })
      .execute()
    await tx
      .insertInto('wallet')
      .values({
        org_id: orgId,
        id: walletId,
        name: 'Treasury',
        state: 'active',
        request_id: 'wallet 1',
        created_by: personId,
        ...times,
      })
      .execute()
    await tx.insertInto('key_of_wallet').values({ org_id: orgId, wallet_id: walletId, protocol: 'dkls23/v1', key_id: key.key_id, retired_at: null }).execute()
    await tx.insertInto('added_key').values({ org_id: orgId, wallet_id: walletId, protocol: 'frost-ed25519/v1', key_id: key.key_id, owned_at: null }).execute()
    await tx
      .insertInto('sub_wallet')
      .values({ org_id: orgId, id: subWalletId, wallet_id: walletId, number: 0, name: 'Main', hidden: false, created_at: NOW_MS })
      .execute()
    await tx
      .insertInto('address')
      .values({
        org_id: orgId,
        chain: CHAIN,
        address,
        sub_wallet_id: subWalletId,
        path: [0, 2_147_483_647],
        label: null,
        attestations: '[]',
        created_at: NOW_MS,
      })
      .execute()
    const further = { org_id: orgId, sub_wallet_id: subWalletId, chain: CHAIN, first: 1, count: 1_048_575, created_at: NOW_MS }
    await tx
      .insertInto('address_request')
      .values({ ...further, id: uuidOf(`${name}/address request`), addr_type: 2, made: 1, label: 'Café "充值"', requested_by: personId, updated_at: NOW_MS })
      .execute()
    await tx
      .insertInto('address_batch')
      .values({ ...further, statements: hash('batch') })
      .execute()
    await tx
      .insertInto('standing_reason')
      .values({
        org_id: orgId,
        standing_order_id: uuidOf(`${name}/standing order`),
        chain: CHAIN,
        address,
        contract: '',
        sub_wallet_id: subWalletId,
        amount: 2n ** 255n,
        reason: 'below_threshold',
        detail: '1',
        at: NOW_MS,
      })
      .execute()
    await tx
      .insertInto('log_entry')
      .values({ org_id: orgId, sequence: 0n, bytes: hash('entry'), leaf_hash: hash('leaf') })
      .execute()
    await tx.insertInto('log_fact').values({ org_id: orgId, sequence: 0n, kind: 'genesis', at: NOW_MS, person_id: null, words: '' }).execute()
    await tx
      .insertInto('log_checkpoint')
      .values({ org_id: orgId, size: 1n, note: `${name}\n1\n— signer\n`, created_at: NOW_MS })
      .execute()
    await tx.insertInto('outbox').values({ org_id: orgId, sequence: 1n, topic: 'order.created', payload: '{"order":1}', created_at: NOW_MS }).execute()
  })
}

async function insertPersonalRows(db: Database, name: string, { orgId, personId, walletId, subWalletId, address }: SampleIds): Promise<void> {
  const own = { org_id: orgId, person_id: personId, updated_at: NOW_MS }
  const coin = { chain: CHAIN, contract: `0x${name}` }
  await db.asOrganisation(orgId, async (tx) => {
    await tx
      .insertInto('wallet_pin')
      .values({ ...own, wallet_id: walletId, pinned: true })
      .execute()
    await tx
      .insertInto('sub_wallet_pin')
      .values({ ...own, sub_wallet_id: subWalletId, pinned: true })
      .execute()
    await tx
      .insertInto('coin_focus')
      .values({ ...own, sub_wallet_id: subWalletId, ...coin, focused: true })
      .execute()
    await tx.insertInto('sub_wallet_alias').values({ org_id: orgId, sub_wallet_id: subWalletId, alias: 'Tägliche 日常', updated_at: NOW_MS }).execute()
    await tx
      .insertInto('wallet_coin')
      .values({ org_id: orgId, wallet_id: walletId, ...coin, is_open: false, updated_at: NOW_MS })
      .execute()
    await tx
      .insertInto('unverified_arrival')
      .values({
        org_id: orgId,
        ...coin,
        txid: '0xspam',
        tx_index: 1,
        block_hash: '0xab',
        height: 7n,
        sub_wallet_id: subWalletId,
        from_address: '0xbad',
        arrived_at: NOW_MS,
      })
      .execute()
    await tx
      .insertInto('personal_address')
      .values({
        ...own,
        id: uuidOf(`${name}/contact`),
        chain: CHAIN,
        address,
        memo: '',
        name: 'Müller “& Söhne”',
        note: 'a\nb',
        created_at: NOW_MS,
        removed_at: null,
      })
      .execute()
  })
}

async function insertMoneyRows(db: Database, name: string, ids: SampleIds): Promise<void> {
  const { orgId, personId, walletId, subWalletId, orderId, address } = ids
  const hash = (part: string) => bytesOf(`${name}/${part}`)
  const times = { created_at: NOW_MS, updated_at: NOW_MS }
  const amount = 2n ** 256n - 1n
  await db.asOrganisation(orgId, async (tx) => {
    await tx
      .insertInto('transfer_order')
      .values({
        org_id: orgId,
        id: orderId,
        kind: 'withdraw',
        wallet_id: walletId,
        sub_wallet_id: subWalletId,
        chain: CHAIN,
        contract: '',
        symbol: 'ETH',
        amount,
        fee_cap: 1n,
        address_from: address,
        address_to: '0xdead',
        memo: null,
        remark: "rent; drop table '1'",
        intent: hash('intent'),
        intent_hash: hash('intent hash'),
        policy_version: 1n,
        initiator: personId,
        state: 'awaiting_approval',
        is_final: false,
        replaces: null,
        expires_at: NOW_MS + 1,
        version: 1,
        ...times,
      })
      .execute()
    await tx
      .insertInto('transfer_event')
      .values({ org_id: orgId, order_id: orderId, seq: 1, state: 'awaiting_approval', sub_status: null, actor: personId, reason: null, at: NOW_MS })
      .execute()
    await tx
      .insertInto('approval')
      .values({
        org_id: orgId,
        id: uuidOf(`${name}/approval`),
        intent_hash: hash('intent hash'),
        person_id: personId,
        decision: 'approve',
        bytes: hash('approval'),
        created_at: NOW_MS,
      })
      .execute()
    await tx.insertInto('order_log_place').values({ org_id: orgId, order_id: orderId, sequence: 0n, person_id: null }).execute()
    await tx
      .insertInto('order_transaction')
      .values({ org_id: orgId, order_id: orderId, number: 1, purpose: 'pay', tier: 1, fee_cap: 1n, unsigned_tx: hash('unsigned'), created_at: NOW_MS })
      .execute()
    await tx
      .insertInto('signing_attempt')
      .values({ org_id: orgId, order_id: orderId, number: 1, transaction_number: 1, parties: [1, 3], started_at: NOW_MS })
      .execute()
    await tx.insertInto('signing_start').values({ org_id: orgId, order_id: orderId, number: 1, handed_over_at: NOW_MS }).execute()
    await tx
      .insertInto('slot_lease')
      .values({ org_id: orgId, chain: CHAIN, address, slot: 0n, order_id: orderId, state: 'leased', ...times })
      .execute()
    await tx
      .insertInto('evidence')
      .values({ org_id: orgId, order_id: orderId, bundle: hash('evidence'), created_at: NOW_MS })
      .execute()
    await tx
      .insertInto('replacement_evidence')
      .values({ org_id: orgId, order_id: orderId, number: 1, bundle: hash('evidence'), created_at: NOW_MS })
      .execute()
    await tx
      .insertInto('asset_alarm')
      .values({ org_id: orgId, chain: CHAIN, contract: '', cause: 'missing', place: address, reason: 'one coin is missing', since_at: NOW_MS })
      .execute()
    await tx
      .insertInto('deposit')
      .values({
        org_id: orgId,
        id: uuidOf(`${name}/deposit`),
        chain: CHAIN,
        txid: '0xfeed',
        tx_index: 0,
        block_hash: '0xab',
        height: 7n,
        sub_wallet_id: subWalletId,
        address,
        contract: '',
        symbol: 'ETH',
        amount,
        from_address: '0xbeef',
        memo: 'Rechnung “7”',
        state: 'unconfirmed',
        confirmations: 0n,
        ...times,
      })
      .execute()
    const claim = { org_id: orgId, id: uuidOf(`${name}/claim`), deposit_id: uuidOf(`${name}/deposit`) }
    await tx
      .insertInto('deposit_claim')
      .values({ ...claim, state: 'asked', comment: '0123456789AB', reason: 'a “receipt” 收据', asked_by: personId, asked_at: NOW_MS })
      .execute()
    await tx
      .insertInto('deposit_comment')
      .values({ org_id: orgId, chain: CHAIN, address, comment: '0123456789AB', label: 'Zoë “& Söhne”', created_at: NOW_MS })
      .execute()
    await tx
      .insertInto('chain_charge')
      .values({ org_id: orgId, chain: CHAIN, address, height: 7n, block_hash: '0xab', sub_wallet_id: subWalletId, amount: 1n })
      .execute()
    await tx
      .insertInto('transaction_mark')
      .values({
        org_id: orgId,
        kind: 'withdraw',
        transaction_id: orderId,
        category: 'Rent',
        tags: ['März', "it's"],
        note: 'a\nb',
        suspicious: null,
        updated_by: personId,
        updated_at: NOW_MS,
      })
      .execute()
    await tx
      .insertInto('saved_view')
      .values({ org_id: orgId, person_id: personId, page: 'transactions', views: JSON.stringify([{ name: '"x"', query: 'q=%25' }]), updated_at: NOW_MS })
      .execute()
    await insertTronRows(tx, { orgId, personId, subWalletId, orderId })
    await insertOrderRows(tx, { orgId, orderId, personId })
  })
}
