import { randomUUID } from 'node:crypto'
import type { Belongings } from './belongings.ts'
import { freshAddress } from '../../../features/testing/fresh-address.ts'

const CHAIN = 'eip155:31337'
const coin = { chain: CHAIN, symbol: 'ETH' }
/** What is collected of a coin. */
const COLLECTED = { ...coin, collect_min: '1', max_fee: '0.01' }
const ofWallet = ({ walletId }: Belongings) => ({ wallet_id: walletId })
const ofBatch = ({ batchId }: Belongings) => ({ batch_id: batchId })
const ofToken = ({ subWalletId }: Belongings) => ({ request_id: randomUUID(), sub_wallet_id: subWalletId, chain: CHAIN, symbol: 'USDX' })
const ofCollector = ({ collectorId }: Belongings) => ({ id: collectorId })
/** A token that no network lists, as a collector would take it. */
const SWEPT = {
  ...{ contract_address: freshAddress(), threshold: '1', most: '2', allowance: 'exact', max_fee_pct: null, schedule: '', enabled: true },
}

/** A call that a member may make with their own organisation's things, for every endpoint of what moves by itself, of batches and of the tools of TRON. */
export const AUTOMATIC_CALLS: Record<string, (own: Belongings) => Record<string, string>> = {
  'GET /api/mpc/tools/batch/template': () => ({ symbol: 'ETH' }),
  'POST /api/mpc/tools/batch/upload': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...coin, file: `address,amount\n${freshAddress()},0.01` }),
  'GET /api/mpc/tools/batch/info': ofBatch,
  'GET /api/mpc/tools/batch/rows': ofBatch,
  'POST /api/mpc/tools/batch/submit': ({ secondBatchId }) => ({ batch_id: secondBatchId, execution: 'strict', fee_tier: 'normal' }),
  'POST /api/mpc/tools/batch/cancel': ofBatch,
  // Its lines ended unpaid where the call before took it back.
  'POST /api/mpc/tools/batch/retry': ({ batchId }) => ({ batch_id: batchId, lines: '[1]' }),
  'GET /api/mpc/tools/batch/record/list': ofWallet,
  'POST /api/mpc/tools/batch/auth/create': (own) => ({ ...ofToken(own), amount: '1' }),
  'POST /api/mpc/tools/batch/auth/revoke': ofToken,
  'GET /api/mpc/tools/tron/monitor/list': ({ walletId }) => ({ wallet_id: walletId }),
  'POST /api/mpc/tools/tron/monitor/save': () => ({ chain: CHAIN, address: freshAddress() }),
  'POST /api/mpc/tools/tron/monitor/delete': () => ({ chain: CHAIN, address: freshAddress() }),
  'GET /api/mpc/tools/tron/fee/usage': () => ({ start_time: '0', end_time: '1' }),
  'GET /api/mpc/tools/tron/notice/receivers': () => ({}),
  'POST /api/mpc/tools/tron/notice/receivers/save': ({ alice }) => ({ person_ids: alice.personId }),
  'POST /api/mpc/tools/tron/notice/receivers/delete': ({ alice }) => ({ person_ids: alice.personId }),
  'GET /api/mpc/tools/tron/proxy/info': () => ({}),
  'POST /api/mpc/tools/tron/proxy/save': ({ subWalletId }) => ({
    ...{ auth_sub_wallet_id: subWalletId, further_lenders: subWalletId, payer_sub_wallet_id: subWalletId },
    ...{ fallback: 'burn', budget_day: '10', max_trx: '100' },
  }),
  'POST /api/mpc/tools/tron/proxy/status': () => ({ enabled: 'false' }),
  'GET /api/mpc/tools/tron/proxy/account/list': () => ({}),
  'POST /api/mpc/tools/tron/proxy/account/operate': () => ({ addresses: JSON.stringify([freshAddress()]), op: 'on' }),
  'GET /api/mpc/tools/tron/delegate/list': () => ({}),
  'GET /api/mpc/tools/tron/delegate/info': () => ({ id: randomUUID() }),
  'GET /api/mpc/tools/tron/delegate/estimate': () => ({ address_from: freshAddress(), address_to: freshAddress(), contract_address: freshAddress() }),
  'POST /api/mpc/tools/tron/delegate/create': () => ({
    ...{ request_id: `tenant-${randomUUID()}`, resource_type: 'energy', energy_num: '1', address_from: freshAddress() },
  }),
  'GET /api/mpc/auto_collect/info': ofWallet,
  'GET /api/mpc/auto_collect/sub_wallets': ofWallet,
  'POST /api/mpc/auto_collect/sub_wallets/save': ({ walletId, subWalletId }) => ({ wallet_id: walletId, collect_sub_wallet_id: subWalletId }),
  'POST /api/mpc/auto_collect/status': ({ walletId }) => ({ wallet_id: walletId, status: 'pause', remark: '' }),
  'GET /api/mpc/auto_collect/check': ofWallet,
  'GET /api/mpc/auto_collect/chains': ofWallet,
  'GET /api/mpc/auto_collect/symbol/list': ofWallet,
  'GET /api/mpc/auto_collect/symbol/info': ({ walletId }) => ({ wallet_id: walletId, ...coin }),
  'POST /api/mpc/auto_collect/symbol/set': ({ walletId }) => ({ wallet_id: walletId, ...COLLECTED }),
  'POST /api/mpc/auto_collect/symbol/batch_set': ({ walletId }) => ({ wallet_id: walletId, rules: JSON.stringify([COLLECTED]) }),
  'POST /api/mpc/auto_collect/symbol/operate': ({ walletId }) => ({ wallet_id: walletId, symbols: JSON.stringify([coin]), op: 'off' }),
  'POST /api/mpc/auto_collect/symbol/delete': ({ walletId }) => ({ wallet_id: walletId, symbols: JSON.stringify([coin]) }),
  'GET /api/mpc/auto_collect/scope/info': ofWallet,
  'POST /api/mpc/auto_collect/scope/save': ({ walletId, subWalletId }) => ({ wallet_id: walletId, mode: 'except', sub_wallet_ids: subWalletId }),
  'GET /api/mpc/auto_collect/scope/sub_wallet/list': ofWallet,
  'POST /api/mpc/auto_collect/scope/sub_wallet/operate': ({ walletId, subWalletId }) => ({ wallet_id: walletId, sub_wallet_ids: subWalletId, op: 'include' }),
  'GET /api/mpc/auto_collect/config/template/download': () => ({}),
  'GET /api/mpc/auto_collect/config/export': ofWallet,
  'POST /api/mpc/auto_collect/config/import': ({ walletId }) => ({ wallet_id: walletId, file: 'chain,symbol' }),
  'GET /api/mpc/auto_collect/config/import/status': ({ importId }) => ({ import_id: importId }),
  'POST /api/mpc/auto_collect/config/import/confirm': ({ importId }) => ({ import_id: importId }),
  'GET /api/mpc/auto_collect/black_address/list': ofWallet,
  'POST /api/mpc/auto_collect/black_address/save': ({ walletId, mark }) => ({ wallet_id: walletId, chain: CHAIN, address: freshAddress(), reason: mark }),
  'POST /api/mpc/auto_collect/black_address/delete': ({ walletId }) => ({ wallet_id: walletId, ids: JSON.stringify(['nothing']) }),
  'GET /api/mpc/auto_collect/log/list': ofWallet,
  'GET /api/mpc/auto_collect/funds/list': ({ walletId, subWalletId }) => ({ wallet_id: walletId, sub_wallet_id: subWalletId }),
  'GET /api/mpc/auto_collect/funds/info': ({ walletId, address }) => ({ wallet_id: walletId, ...coin, address }),
  'POST /api/mpc/auto_collect/funds/collect_now': ({ walletId }) => ({ wallet_id: walletId, ids: JSON.stringify(['nothing']) }),
  'POST /api/mpc/auto_collect/full_scan': ofWallet,
  'GET /api/mpc/auto_collect/full_scan/status': ({ walletId }) => ({ wallet_id: walletId, task_id: String(Date.now()) }),
  'GET /api/mpc/auto_collect/deposit/list': ofWallet,
  'POST /api/mpc/auto_collect/deposit/modify': ({ walletId, depositId }) => ({ wallet_id: walletId, id: depositId, credit_status: 'rule', remark: '' }),
  'POST /api/mpc/auto_collect/deposit/merge': ({ walletId, depositId }) => ({ wallet_id: walletId, ids: depositId, remark: '' }),
  'GET /api/mpc/auto_collect/record/list': ofWallet,
  'GET /api/mpc/auto_collect/notice/receivers': ofWallet,
  'POST /api/mpc/auto_collect/notice/receivers/save': ({ walletId, bruno }) => ({
    wallet_id: walletId,
    user_id: bruno.personId,
    events: JSON.stringify(['failed']),
  }),
  'POST /api/mpc/auto_collect/notice/receivers/delete': ({ walletId, alice }) => ({ wallet_id: walletId, ids: alice.personId }),
  'GET /api/mpc/auto_collect/notice/config': ofWallet,
  'POST /api/mpc/auto_collect/notice/config/save': ({ walletId }) => ({ wallet_id: walletId, fuel_days: '7', failed_times: '3', stuck_minutes: '60' }),
  'GET /api/mpc/auto_collect/record/info': ({ walletId, paidId }) => ({ wallet_id: walletId, id: paidId }),
  'POST /api/mpc/auto_collect/record/cancel': ({ walletId, paidId }) => ({ wallet_id: walletId, id: paidId, remark: '' }),
  'POST /api/mpc/auto_collect/record/speed_up': ({ walletId, paidId }) => ({ wallet_id: walletId, id: paidId, remark: '' }),
  'GET /api/mpc/auto_collect/record/stat': ofWallet,
  'GET /api/mpc/collect/config/list': ofWallet,
  'GET /api/mpc/collect/config/info': ofCollector,
  'POST /api/mpc/collect/config/save': ({ walletId, subWalletId, collectorId }) => ({
    ...{ id: collectorId, wallet_id: walletId, name: 'Sweep', chain: CHAIN, fee_max: '0.01' },
    ...{ target_sub_wallet_id: subWalletId, payer_sub_wallet_id: subWalletId },
  }),
  'POST /api/mpc/collect/config/publish': ofCollector,
  'POST /api/mpc/collect/config/status': ({ collectorId }) => ({ id: collectorId, status: 'pause' }),
  'GET /api/mpc/collect/chains': ofWallet,
  'GET /api/mpc/collect/symbols': ofCollector,
  'POST /api/mpc/collect/symbols/save': ({ collectorId }) => ({ id: collectorId, symbols: JSON.stringify([SWEPT]) }),
  'POST /api/mpc/collect/symbols/delete': ({ collectorId }) => ({ id: collectorId, symbols: JSON.stringify([SWEPT.contract_address]) }),
  'GET /api/mpc/collect/auth/sub_wallet/list': ofCollector,
  'GET /api/mpc/collect/history/list': ({ walletId, collectorId }) => ({ wallet_id: walletId, id: collectorId }),
  'GET /api/mpc/collect/history/info': ({ paidId }) => ({ id: paidId }),
  'GET /api/mpc/collect/history/stat': ofWallet,
  'POST /api/mpc/collect/trans/cancel': ({ paidId }) => ({ id: paidId, remark: '' }),
  'POST /api/mpc/collect/config/delete': ofCollector,
}
