/**
 * Measures every list and page that is read with the size of an organisation: first of a small one, then of the same one with a million orders, ten thousand
 * sub-wallets and two hundred people. Run: `node bench/scale.bench.ts [orders]`. Real processes and a real database; one JSON line for each read.
 */
import { listPersonalBook } from '@holdfast/features/address-book/contract'
import { listTodo } from '@holdfast/features/proposal/contract'
import { listKeys } from '@holdfast/features/key-recovery/contract'
import { listNotifications } from '@holdfast/features/notification/contract'
import { getUserInfo, listLoginHistory } from '@holdfast/features/session/contract'
import { getOrganisation } from '@holdfast/features/setup/contract'
import { listMembers } from '@holdfast/features/team/contract'
import { getWithdrawal, listLabels, listTransactions } from '../features/transaction/contract.ts'
import { getBalanceHistory, listCoinAssets, listSubWalletBalances, listSubWallets, listWallets } from '../features/wallet/contract.ts'
import { listUserAddresses } from '../features/deposit-address/contract.ts'
import { freshAddress } from '../features/testing/fresh-address.ts'
import { nodePorts } from '@holdfast/ports/node'
import pg from 'pg'
import { LOCAL_CHAIN } from '../apps/launcher/src/local-settings.ts'
import { fastFee, orderPayment } from '../apps/launcher/src/order-payment.ts'
import { foundFunded } from '../test/processes/testing/funded-organisation.ts'
import { startTestStack } from '../test/processes/testing/start-test-stack.ts'
import { copyDeposits, copyOrders } from './copy-orders.ts'
import { databaseOf, pathOf, productCall } from './reads.ts'

type Size = { orders: number; deposits: number; subWallets: number; people: number }
/** Every page of the small one is full too, so that what differs is what lies behind the pages. */
const SMALL: Size = { orders: 25, deposits: 25, subWallets: 25, people: 25 }
const LARGE: Size = { orders: Number(process.argv[2] ?? 1_000_000), deposits: 10_000, subWallets: 10_000, people: 200 }
const REPEATS = 40
/** How old sub-wallets are at least. */
const SETTLED_MS = 2 * 3_600_000

const round = (value: number): number => Math.round(value * 10) / 10
const page = { page_no: 1, page_size: 20 }

const stack = await startTestStack({ ratePerSession: 100_000 })
const organisation = await foundFunded(stack, { amount: '10' })
const { alice, bruno, walletId, subWalletId } = organisation
const payment = { subWalletId, symbol: 'ETH', amount: '0.000001' }
const maxFee = await fastFee(alice, { ...payment, to: freshAddress() })
const order = await orderPayment(nodePorts, alice, { ...payment, to: freshAddress(), maxFee })
const database = await databaseOf(stack)
const owner = new pg.Client({ connectionString: database.url })
await owner.connect()
const orgId = (await owner.query<{ id: string }>('select id from organisation')).rows[0]!.id

const READS: Record<string, string> = {
  wallets: pathOf(listWallets, { need_stat: 1 }),
  'sub-wallets': pathOf(listSubWallets, { wallet_id: walletId, ...page }),
  'values of sub-wallets': pathOf(listSubWalletBalances, { wallet_id: walletId, sub_wallet_ids: [subWalletId] }),
  'coins of a sub-wallet': pathOf(listCoinAssets, { sub_wallet_id: subWalletId }),
  'addresses of a sub-wallet': pathOf(listUserAddresses, { sub_wallet_id: subWalletId, ...page }),
  'balance history': pathOf(getBalanceHistory, { wallet_id: walletId }),
  transactions: pathOf(listTransactions, page),
  'transactions of a wallet': pathOf(listTransactions, { wallet_id: walletId, ...page }),
  'transactions of a sub-wallet': pathOf(listTransactions, { sub_wallet_id: subWalletId, ...page }),
  'withdrawals that wait': pathOf(listTransactions, { type: 'withdraw', status: '1000', ...page }),
  'one withdrawal': pathOf(getWithdrawal, { id: order.id }),
  'what lists can be narrowed by': pathOf(listLabels, {}),
  'to-do': pathOf(listTodo, page),
  'to-do, asked for': pathOf(listTodo, { state: 'mine', ...page }),
  'to-do, decided': pathOf(listTodo, { state: 'done', ...page }),
  members: pathOf(listMembers, page),
  'who I am': pathOf(getUserInfo, {}),
  'address book': pathOf(listPersonalBook, page),
  notifications: pathOf(listNotifications, page),
  keys: pathOf(listKeys, page),
  'login history': pathOf(listLoginHistory, page),
  organisation: pathOf(getOrganisation, {}),
}

/** How long each read takes at its quickest, one at a time: what else the machine does makes it longer and never shorter. */
async function measure(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const [name, path] of Object.entries(READS)) {
    const { url, headers } = productCall(name.startsWith('to-do') && name !== 'to-do, asked for' ? bruno : alice, path)
    const times: number[] = []
    for (let i = 0; i < REPEATS; i++) {
      const startedMs = performance.now()
      const answer = (await (await fetch(url, { headers })).json()) as { code: string; msg: string }
      times.push(performance.now() - startedMs)
      if (answer.code !== '0') throw new Error(`${name}: ${answer.msg}`)
    }
    found[name] = Math.min(...times)
  }
  return found
}

/** Adds so much to the organisation. Every sub-wallet has its addresses on all networks, as it has after a while, so that nothing is left to do for them. */
async function fill({ orders, deposits, subWallets, people }: Size): Promise<void> {
  await owner.query("set session_replication_role = 'replica'")
  const nowMs = Date.now()
  await owner.query(
    `insert into person (org_id, id, name, login, role, state, language, failed_logins, created_at, updated_at)
      select $1, id, 'Person', id || '@example.org', 'viewer', 'active', 'en-US', 0, $2, $2 from (select gen_random_uuid() as id from generate_series(1, $3::int)) made`,
    [orgId, nowMs, people],
  )
  // An hour and more ago, so that they are settled as those of an organisation are that has so many.
  const madeMs = nowMs - SETTLED_MS
  await owner.query(
    `with made as (
      insert into sub_wallet (org_id, id, wallet_id, number, name, hidden, created_at)
        select $1, gen_random_uuid(), $2, last + i, 'Customer ' || i, false, $3
        from (select max(number) as last from sub_wallet where org_id = $1 and wallet_id = $2) before, generate_series(1, $4::int) i returning id, number),
    addresses as (
      insert into address (org_id, chain, address, address_end, sub_wallet_id, path, label, attestations, created_at)
        select $1, chains.chain, case when chains.chain = $5 then '0x' || lpad(number::text, 40, '0') else 'customer-' || number end,
          right(lpad(number::text, 40, '0'), 4), id, array[0, number], null, '[]', $3
        from made, (select distinct chain from address where org_id = $1) chains),
    sums as (
      insert into wallet_sum (org_id, wallet_id, chain, contract, amount) select $1, $2, $5, '', 1000000000000000::numeric * $4::int
        on conflict (org_id, wallet_id, chain, contract) do update set amount = wallet_sum.amount + excluded.amount)
    insert into ledger_account (org_id, id, kind, sub_wallet_id, chain, contract, balance)
      select $1, gen_random_uuid(), 'available', id, $5, '', 1000000000000000 from made`,
    [orgId, walletId, madeMs, subWallets, LOCAL_CHAIN],
  )
  await copyOrders(owner, orgId, orders)
  await copyDeposits(owner, orgId, deposits)
  // As a database keeps itself after a while.
  await owner.query('vacuum analyze')
}

try {
  await fill(SMALL)
  const small = await measure()
  const startedMs = performance.now()
  await fill(LARGE)
  console.log(JSON.stringify({ figure: 'scale: the organisation is filled', ...LARGE, seconds: Math.round((performance.now() - startedMs) / 1000) }))
  const large = await measure()
  for (const name of Object.keys(READS))
    console.log(
      JSON.stringify({ figure: `scale: ${name}`, smallMs: round(small[name]!), largeMs: round(large[name]!), times: round(large[name]! / small[name]!) }),
    )
} finally {
  await owner.end()
  await stack.dispose()
}
