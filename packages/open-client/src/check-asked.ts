import { decode, fromHex, toHex } from '@holdfast/encoding'
import { type BatchIntent, type ContractCallIntent, type Intent, intentShape, type TransferIntent } from '@holdfast/intent'
import type { OpenCalls } from './calls.ts'

/** The server answered with an order that says something else than was asked for. Sign nothing, and ask whoever runs the server. */
export class OrderFault extends Error {
  override name = 'OrderFault'
}

type Asked = OpenCalls['openCreateWithdrawal']['input']
/** A batch as it is asked for. An amount is decimal text. */
export type AskedBatch = Omit<OpenCalls['openCreateBatch']['input'], 'lines'> & { lines: readonly { address: string; amount: string; memo?: string }[] }
type AskedCall = OpenCalls['openCreateCall']['input']

/**
 * The order in its bytes, where it pays what was asked for and no more: coin, amount, recipient and memo, and a fee within `max_fee`. A server that is taken
 * over could otherwise have the key ask for another payment. Throws OrderFault.
 */
export function checkAsked(asked: Asked, encoded: string): Intent {
  const intent = decode(intentShape, fromHex(encoded))
  if (intent.kind !== 'transfer') throw new OrderFault(`the order is a ${intent.kind} and no transfer`)
  const { asset, amount, feeCap, to, memo } = intent
  demand(asset.symbol === asked.symbol, 'coin')
  demandCommon(asked, intent)
  // The fee is taken from the amount, where that was asked for.
  demand(amount === unitsOf(asked.amount, asset.decimals) - (asked.gross === '1' ? feeCap : 0n), 'amount')
  demand(to.toLowerCase() === asked.address_to.toLowerCase(), 'recipient')
  demand((memo ?? '') === (asked.memo ?? ''), 'memo')
  return intent
}

/** The order in its bytes, where it calls what was asked for: contract, function, every byte of the call data, and what goes along. Throws OrderFault. */
export function checkCalled(asked: AskedCall, encoded: string): Intent {
  const intent = decode(intentShape, fromHex(encoded))
  if (intent.kind !== 'contractCall') throw new OrderFault(`the order is a ${intent.kind} and no contract call`)
  const { asset, amount, to, data, signature } = intent
  demand(asset.contract === null, 'coin')
  demandCommon(asked, intent)
  demand(amount === unitsOf(asked.amount ?? '0', asset.decimals), 'amount')
  demand(to.toLowerCase() === asked.interactive_contract.toLowerCase(), 'contract')
  demand((signature ?? '') === (asked.function ?? '').trim(), 'function')
  demand(toHex(data) === asked.input_data.slice(2).toLowerCase(), 'call data')
  return intent
}

/** The batch in its bytes, where its lines are those that were asked for, one by one. Throws OrderFault. */
export function checkBatch(asked: AskedBatch, encoded: string): Intent {
  const intent = decode(intentShape, fromHex(encoded))
  if (intent.kind !== 'batch') throw new OrderFault(`the order is a ${intent.kind} and no batch`)
  const { asset, lines } = intent
  demand(asset.symbol === asked.symbol, 'coin')
  demandCommon(asked, intent)
  const isSame = lines.every(({ to, amount, memo }, i) => {
    const line = asked.lines[i]
    if (line === undefined || to.toLowerCase() !== line.address.toLowerCase()) return false
    return amount === unitsOf(line.amount, asset.decimals) && (memo ?? '') === (line.memo ?? '')
  })
  demand(isSame && lines.length === asked.lines.length, 'line')
  return intent
}

function demandCommon(asked: { chain: string; max_fee: string }, { asset, feeAsset, feeCap }: TransferIntent | ContractCallIntent | BatchIntent): void {
  demand(asset.chain === asked.chain && feeAsset.chain === asked.chain, 'network')
  demand(feeCap <= unitsOf(asked.max_fee, feeAsset.decimals), 'fee, at most,')
}

function demand(isSo: boolean, what: string): void {
  if (!isSo) throw new OrderFault(`the order has another ${what} than was asked for`)
}

/** Decimal text in base units. Throws OrderFault where the coin has fewer digits. */
function unitsOf(text: string, decimals: bigint): bigint {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '' || fraction.length > Number(decimals)) throw new OrderFault(`${text} is no amount of this coin`)
  return BigInt(whole + fraction.padEnd(Number(decimals), '0'))
}
