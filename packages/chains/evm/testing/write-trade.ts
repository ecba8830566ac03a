import { concatBytes, fromHex } from '@holdfast/encoding'
import { encodeFunctionCall, parseSignature, type AbiValue, type Trade, type TradeForm } from '../codec/index.ts'

/** A call of a router as wallets make it. */
export type TradeCall = { data: Uint8Array; value: bigint; signature: string }

/** How a trade is written: what stands between its assets, what stands for the network's own coin in a path, and which of its amounts is exact. */
export type Writing = { between?: readonly string[]; coin?: string; isExactOutput?: boolean; fee?: bigint }

const COIN = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'

const write = (signature: string, values: AbiValue[], value = 0n): TradeCall => ({
  data: encodeFunctionCall(parseSignature(signature), values),
  value,
  signature,
})

/** A trade as a call of a router of this form. One of version 3 cannot be about the network's own coin. */
export const writeTrade = (form: TradeForm, trade: Trade, writing: Writing = {}): TradeCall =>
  form === 'uniswap-v2' ? writeV2(trade, writing) : writeV3(trade, writing)

function writeV2({ gives, atMost, gets, atLeast, to, deadlineS }: Trade, { between = [], coin = COIN, isExactOutput = false }: Writing): TradeCall {
  const rest = [[gives ?? coin, ...between, gets ?? coin], to, deadlineS ?? 0n]
  const [given, got] = [gives === null ? 'ETH' : 'Tokens', gets === null ? 'ETH' : 'Tokens']
  const name = isExactOutput ? `swap${given}ForExact${got}` : `swapExact${given}For${got}`
  if (gives === null) return write(`${name}(uint256,address[],address,uint256)`, [atLeast, ...rest], atMost)
  const amounts = isExactOutput ? [atLeast, atMost] : [atMost, atLeast]
  return write(`${name}(uint256,uint256,address[],address,uint256)`, [...amounts, ...rest])
}

function writeV3({ gives, atMost, gets, atLeast, to, deadlineS }: Trade, { between = [], isExactOutput = false, fee = 3000n }: Writing): TradeCall {
  if (gives === null || gets === null) throw new RangeError('coin is given and got by version 2 alone')
  const amounts = isExactOutput ? [atLeast, atMost] : [atMost, atLeast]
  const name = isExactOutput ? 'exactOutput' : 'exactInput'
  const tokens = [gives, ...between, gets]
  const inOrder = isExactOutput ? tokens.toReversed() : tokens
  const feeBytes = fromHex(fee.toString(16).padStart(6, '0'))
  const path = concatBytes(...inOrder.flatMap((token, i) => [...(i === 0 ? [] : [feeBytes]), fromHex(token.slice(2))]))
  const swap =
    between.length === 0
      ? write(`${name}Single((address,address,uint24,address,uint256,uint256,uint160))`, [[gives, gets, fee, to, ...amounts, 0n]])
      : write(`${name}((bytes,address,uint256,uint256))`, [[path, to, ...amounts]])
  return deadlineS === null ? swap : write('multicall(uint256,bytes[])', [deadlineS, [swap.data]])
}
