import { knownSignatureOf, understoodSignatureOf } from '@holdfast/chain-evm/codec'
import { AppError } from '@holdfast/contract'
import { fromHex } from '@holdfast/encoding'
import { createCall } from '@holdfast/features/contract-call/contract'
import { estimateGas, createWithdrawal } from '@holdfast/features/withdrawal/contract'
import { getWithdrawal } from '@holdfast/features/transaction/contract'
import type { Network } from '@holdfast/features/network/server'
import { readPayer } from '@holdfast/features/transfer/server'
import type { SubWalletId } from '@holdfast/units'
import { openApiErrors, openWireErrors } from '../../errors.ts'
import { askConsole, type Asking, demandField, fieldOf } from './asking.ts'
import { ordersAskedFor } from './asked-orders.ts'
import { gasFee, plain, sizeFee } from './fees.ts'
import { coinNamed, networkNamed, type WireCoin } from './coins.ts'
import { numbersOf, subWalletOf } from './numbers.ts'

/** Asks for a payment. What is asked for again with the same `request_id` is the same payment, whatever its fee would be now. */
export async function withdraw(asking: Asking) {
  const { context, caller } = asking
  const request_id = demandField(asking, 'request_id')
  const coin = coinNamed(context, caller.orgId, demandField(asking, 'symbol'))
  const { chain, symbol } = coin.asset
  const sub_wallet_id = await subWalletOf(context.db, caller.orgId, demandField(asking, 'sub_wallet_id'))
  const to = demandField(asking, 'address_to')
  const payment = {
    sub_wallet_id,
    chain,
    symbol,
    from: fieldOf(asking, 'from'),
    amount: plain(demandField(asking, 'amount')),
    outputs: outputsOf(asking),
  }
  const max_fee = (await earlierFee(asking, request_id)) ?? givenFee(asking) ?? (await feeNow(asking, { ...payment, to }))
  const order = { ...payment, request_id, address_to: to, max_fee, memo: fieldOf(asking, 'memo'), remark: fieldOf(asking, 'remark'), ack: 'first_seen' }
  const { withdraw_id: id } = await askConsole(asking, createWithdrawal, order, 'sub_wallets')
  return { withdraw_id: (await numbersOf(context.db, caller.orgId, 'order', [id])).get(id) }
}

/** Asks for a call of a contract, on networks of the Ethereum family. */
export async function createTransaction(asking: Asking) {
  const { context, caller } = asking
  const request_id = demandField(asking, 'request_id')
  const { network, asset } = networkNamed(context, caller.orgId, demandField(asking, 'main_chain_symbol'))
  const trans_type = demandField(asking, 'trans_type')
  const isRight = trans_type === '0'
  const sub_wallet_id = await subWalletOf(context.db, caller.orgId, demandField(asking, 'sub_wallet_id'))
  await demandFirstAddress(asking, sub_wallet_id as SubWalletId, network)
  const order = {
    request_id,
    sub_wallet_id,
    chain: network.chain,
    interactive_contract: demandField(asking, 'interactive_contract'),
    // Of what gives a right over tokens the wire says an amount that means nothing.
    amount: isRight ? '0' : plain(demandField(asking, 'amount')),
    ...calledIn(demandField(asking, 'input_data')),
    max_fee: (await earlierFee(asking, request_id)) ?? gasFee(asking, asset.decimals),
    trans_type,
    dapp_name: fieldOf(asking, 'dapp_name'),
    dapp_url: fieldOf(asking, 'dapp_url'),
    dapp_img: fieldOf(asking, 'dapp_img'),
    // Who says that a call gives a right knows that it does; of any other risk nobody at this door has read.
    ack: isRight ? 'true' : 'false',
  }
  const { trans_id: id } = await askConsole(asking, createCall, order, 'sub_wallets')
  return { trans_id: (await numbersOf(context.db, caller.orgId, 'order', [id])).get(id) }
}

/** Throws AppError where a call names who pays for it, and that is another address than the one that does. */
async function demandFirstAddress(asking: Asking, subWalletId: SubWalletId, network: Network): Promise<void> {
  const { context, caller } = asking
  const from = fieldOf(asking, 'from')
  if (from === undefined) return
  const { subWallets } = caller.requester
  // Of other sub-wallets a key learns no address.
  if (subWallets !== null && !subWallets.includes(subWalletId)) throw new AppError(openApiErrors.key_not_for_wallet)
  const { address } = await context.db.readOrganisation(caller.orgId, (tx) => readPayer(tx, { subWalletId, network }))
  if (address.toLowerCase() !== from.toLowerCase())
    throw new AppError(openWireErrors.not_at_door_two, { details: { reason: 'a call is paid by the first address' } })
}

/** Call data with the function that it calls, which the wire does not name: a known one has to be. What is no call data is refused as that. */
function calledIn(data: string): { input_data: string; function: string } {
  const digits = data.replace(/^0x/i, '')
  const isHex = digits.length % 2 === 0 && /^[0-9a-f]*$/i.test(digits)
  return { input_data: data, function: isHex ? functionIn(fromHex(digits.toLowerCase())) : '' }
}

const functionIn = (data: Uint8Array): string => understoodSignatureOf(data) ?? knownSignatureOf(data) ?? ''

function outputsOf({ fields }: Asking): string | undefined {
  const { outputs } = fields
  if (outputs === undefined || outputs === null || outputs === '') return undefined
  // What is signed is its text.
  if (typeof outputs === 'string') return outputs
  throw new AppError('invalid_parameters', { details: { field: 'outputs', reason: 'it must be JSON text' } })
}

/** The fee that this very request named when it was made before. */
async function earlierFee(asking: Asking, requestId: string): Promise<string | undefined> {
  const [earlier] = await ordersAskedFor(asking, [requestId])
  if (!earlier || earlier.initiator !== asking.caller.requester.partyId) return undefined
  return (await askConsole(asking, getWithdrawal, { id: earlier.id }, 'order')).fee ?? undefined
}

/** The fee that a program names, in whatever way its network has. */
function givenFee(asking: Asking): string | undefined {
  const fee = fieldOf(asking, 'fee')
  if (fee !== undefined) return plain(fee)
  const { context, caller } = asking
  const { network, asset }: WireCoin = coinNamed(context, caller.orgId, demandField(asking, 'symbol'))
  const own = network.assets.find(({ contract }) => contract === null) ?? asset
  if (network.family === 'evm' && fieldOf(asking, 'gas_price') !== undefined && fieldOf(asking, 'gas_limit') !== undefined) return gasFee(asking, own.decimals)
  return fieldOf(asking, 'fee_rate') !== undefined && fieldOf(asking, 'size') !== undefined ? sizeFee(asking, own.decimals) : undefined
}

type Payment = { sub_wallet_id: string; chain: string; symbol: string; from: string | undefined; to: string; amount: string; outputs: string | undefined }

/** What the fee may reach now, at the normal tier. */
async function feeNow(asking: Asking, payment: Payment): Promise<string> {
  const { tiers, cap_max: most } = await askConsole(asking, estimateGas, payment, 'sub_wallets')
  return tiers.find(({ tier }) => tier === 'normal')?.fee ?? most
}
