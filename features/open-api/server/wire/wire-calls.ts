import { estimateGas } from '@holdfast/features/withdrawal/contract'
import { CALL_FIELDS, WITHDRAWAL_FIELDS } from '@holdfast/open-wire'
import { askConsole, type Asking, demandField, fieldOf } from './asking.ts'
import { coinNamed } from './coins.ts'
import { collectingSubWallets, setCollectingSymbol } from './collection.ts'
import { createDelegate, delegationsAfter, delegationsByRequest } from './delegations.ts'
import { subWalletOf } from './numbers.ts'
import { depositsAfter, depositsByNumber, ordersAfter, ordersByRequest } from './records.ts'
import { raiseFee } from './speed-ups.ts'
import { addressInfo, addressList, changeShowStatus, createAddress, createWallet, walletAssets } from './wallets.ts'
import { createTransaction, withdraw } from './withdrawals.ts'
import { chainHeight, coinList, openCoin } from './workspace.ts'

/**
 * `permission`: what a key needs for it; null for what any key may ask. `makes`: something comes of it, so that a request of it is taken once. `signs`: the
 * fields of an order, which the key that signs orders has signed; it is made once by its `request_id`, which is one of them.
 */
export type WireCall = { permission: string | null; makes?: true; signs?: readonly string[]; act(asking: Asking): Promise<unknown> }

/** The fee of a payment in three tiers, as the wire says it of networks without a price of gas. */
async function gasEstimate(asking: Asking) {
  const { context, caller } = asking
  const { asset } = coinNamed(context, caller.orgId, demandField(asking, 'symbol'))
  const form = {
    sub_wallet_id: await subWalletOf(context.db, caller.orgId, demandField(asking, 'sub_wallet_id')),
    chain: asset.chain,
    symbol: asset.symbol,
    from: fieldOf(asking, 'from'),
    to: demandField(asking, 'to'),
    amount: demandField(asking, 'amount'),
  }
  const { tiers, fee_symbol } = await askConsole(asking, estimateGas, form, 'sub_wallets')
  const fee = tiers.find(({ tier }) => tier === 'normal')?.fee ?? ''
  return { fee_unit: fee_symbol, fee, trans_fee: fee, fee_changeable: true }
}

const setSymbol: WireCall = { permission: 'co_signer.write', makes: true, act: setCollectingSymbol }

/** The calls of the wire, by the paths that its clients call. */
export const WIRE_CALLS: Readonly<Record<string, WireCall>> = {
  '/api/mpc/wallet/open_coin': { permission: null, act: openCoin },
  '/api/mpc/coin_list': { permission: null, act: coinList },
  '/api/mpc/chain_height': { permission: null, act: chainHeight },
  '/api/mpc/sub_wallet/create': { permission: 'wallet.create', makes: true, act: createWallet },
  '/api/mpc/sub_wallet/create/address': { permission: 'address.create', makes: true, act: createAddress },
  '/api/mpc/sub_wallet/get/address/list': { permission: 'address.read', act: addressList },
  '/api/mpc/sub_wallet/assets': { permission: 'wallet.read', act: walletAssets },
  '/api/mpc/sub_wallet/change_show_status': { permission: 'wallet.create', makes: true, act: changeShowStatus },
  '/api/mpc/sub_wallet/address/info': { permission: 'address.read', act: addressInfo },
  '/api/mpc/billing/gas_estimate': { permission: 'withdraw.create', act: gasEstimate },
  '/api/mpc/billing/withdraw': { permission: 'withdraw.create', makes: true, signs: WITHDRAWAL_FIELDS, act: withdraw },
  '/api/mpc/billing/withdraw_list': { permission: 'wallet.read', act: ordersByRequest('withdrawals') },
  '/api/mpc/billing/sync_withdraw_list': { permission: 'wallet.read', act: ordersAfter('withdrawals') },
  '/api/mpc/billing/deposit_list': { permission: 'wallet.read', act: depositsByNumber },
  '/api/mpc/billing/sync_deposit_list': { permission: 'wallet.read', act: depositsAfter },
  '/api/mpc/billing/sync_auto_collect_list': { permission: 'wallet.read', act: ordersAfter('collections') },
  '/api/mpc/web3/trans/create': { permission: 'web3.create', makes: true, signs: CALL_FIELDS, act: createTransaction },
  '/api/mpc/web3/trans_list': { permission: 'wallet.read', act: ordersByRequest('calls') },
  '/api/mpc/web3/sync_trans_list': { permission: 'wallet.read', act: ordersAfter('calls') },
  '/api/mpc/billing/withdraw_pending': { permission: 'withdraw.create', makes: true, act: raiseFee('withdrawals', 'withdraw_id') },
  '/api/mpc/web3/pending': { permission: 'web3.create', makes: true, act: raiseFee('calls', 'trans_id') },
  '/api/mpc/auto_collect/sub_wallets': { permission: 'co_signer.read', act: collectingSubWallets },
  '/api/mpc/auto_collect/symbol/set': setSymbol,
  // Where some of the field's clients call it.
  '/api/mpc/billing/auto_collect/symbol/set': setSymbol,
  '/api/mpc/tron/delegate': { permission: 'tools.write', makes: true, act: createDelegate },
  '/api/mpc/tron/delegate/trans_list': { permission: 'tools.read', act: delegationsByRequest },
  '/api/mpc/tron/delegate/sync_trans_list': { permission: 'tools.read', act: delegationsAfter },
}
