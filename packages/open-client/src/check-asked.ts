import { decode, fromHex } from '@holdfast/encoding'
import { type Intent, intentShape, type TransferIntent } from '@holdfast/intent'
import type { OpenCalls } from './calls.ts'

/** The server answered with an order that says something else than was asked for. Sign nothing, and ask whoever runs the server. */
export class OrderFault extends Error {
  override name = 'OrderFault'
}

type Asked = OpenCalls['openCreateWithdrawal']['input']

/**
 * The order in its bytes, where it pays what was asked for and no more: coin, amount, recipient and memo, and a fee within `max_fee`. A server that is taken
 * over could otherwise have the key ask for another payment. Throws OrderFault.
 */
export function checkAsked(asked: Asked, encoded: string): Intent {
  const intent = decode(intentShape, fromHex(encoded))
  const { asset, amount, feeCap, feeAsset, to, memo } = transferOf(intent)
  const demand = (isSo: boolean, what: string) => {
    if (!isSo) throw new OrderFault(`the order has another ${what} than was asked for`)
  }
  demand(asset.chain === asked.chain && feeAsset.chain === asked.chain, 'network')
  demand(asset.symbol === asked.symbol, 'coin')
  const most = unitsOf(asked.max_fee, feeAsset.decimals)
  demand(feeCap <= most, 'fee, at most,')
  // The fee is taken from the amount, where that was asked for.
  demand(amount === unitsOf(asked.amount, asset.decimals) - (asked.gross === '1' ? feeCap : 0n), 'amount')
  demand(to.toLowerCase() === asked.address_to.toLowerCase(), 'recipient')
  demand((memo ?? '') === (asked.memo ?? ''), 'memo')
  return intent
}

function transferOf(intent: Intent): TransferIntent {
  if (intent.kind !== 'transfer') throw new OrderFault(`the order is a ${intent.kind} and no transfer`)
  return intent
}

/** Decimal text in base units. Throws OrderFault where the coin has fewer digits. */
function unitsOf(text: string, decimals: bigint): bigint {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '' || fraction.length > Number(decimals)) throw new OrderFault(`${text} is no amount of this coin`)
  return BigInt(whole + fraction.padEnd(Number(decimals), '0'))
}
