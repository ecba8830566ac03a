import { ChainError } from '@holdfast/chain-core'
import { parseSignature } from '../abi-type.ts'
import { type AbiValue, decodeFunctionCall } from '../abi-value.ts'
import { ADDRESS_LENGTH, checksumAddress } from '../address.ts'
import { selectorOf } from '../call-data.ts'
import { endsOf, type Trade, wholeTrade } from './trade.ts'

type Read = (fields: AbiValue[]) => Omit<Trade, 'deadlineS'>

const FEE_LENGTH = 3

/**
 * The assets of a packed path: an address, and again and again a fee of three bytes and the next address. Throws ChainError if it is none.
 */
function assetsOf(path: Uint8Array): string[] {
  const step = FEE_LENGTH + ADDRESS_LENGTH
  if (path.length < ADDRESS_LENGTH || (path.length - ADDRESS_LENGTH) % step !== 0) throw new ChainError('the path of the trade has bytes too many or too few')
  const count = 1 + (path.length - ADDRESS_LENGTH) / step
  return Array.from({ length: count }, (_, i) => checksumAddress(path.subarray(i * step, i * step + ADDRESS_LENGTH)))
}

/** With a limit of the price the router may stop in the middle: then what is got can be less than an exact amount that the call names. */
function noPriceLimit(limit: AbiValue | undefined): void {
  if (limit !== 0n) throw new ChainError('the trade has a limit of the price, at which the router stops in the middle')
}

const single =
  (isExactInput: boolean): Read =>
  (fields) => {
    const [given, got, , to, amount, bound, limit] = fields as [string, string, bigint, string, bigint, bigint, bigint]
    noPriceLimit(limit)
    const { first, last } = endsOf([given, got])
    return { gives: first, gets: last, to, ...(isExactInput ? { atMost: amount, atLeast: bound } : { atLeast: amount, atMost: bound }) }
  }

const along =
  (isExactInput: boolean): Read =>
  (fields) => {
    const [path, to, amount, bound] = fields as [Uint8Array, string, bigint, bigint]
    const { first, last } = endsOf(assetsOf(path))
    // Where the amount to get is exact, the path begins with what is got.
    return isExactInput ? { gives: first, atMost: amount, gets: last, atLeast: bound, to } : { gives: last, atMost: bound, gets: first, atLeast: amount, to }
  }

/** The functions that can be read, each with one tuple. Source: IV3SwapRouter of Uniswap/swap-router-contracts. */
const SWAPS: readonly { signature: string; read: Read }[] = [
  { signature: 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))', read: single(true) },
  { signature: 'exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))', read: single(false) },
  { signature: 'exactInput((bytes,address,uint256,uint256))', read: along(true) },
  { signature: 'exactOutput((bytes,address,uint256,uint256))', read: along(false) },
]

/** The deadline in seconds, and the calls of the router itself that it makes. Source: IMulticallExtended of the same. */
const MULTICALL = 'multicall(uint256,bytes[])'

/**
 * The trade that a call of SwapRouter02 makes, by itself or as the only call that a deadline stands around. Coin never goes along: the router would keep what
 * it does not need. Throws ChainError if it is none that can be read.
 */
export function readUniswapV3({ data, value, signature }: { data: Uint8Array; value: bigint; signature: string | null }): Trade {
  if (value !== 0n) throw new ChainError('coin goes along with a trade that gives a token')
  if (signature !== MULTICALL) return wholeTrade({ ...readSwap(data, signature), deadlineS: null })
  const [deadlineS, calls] = decodeFunctionCall(parseSignature(MULTICALL), data) as [bigint, Uint8Array[]]
  const [inner, ...others] = calls
  if (!inner || others.length > 0) throw new ChainError('the call makes more than one call, or none')
  const swap = SWAPS.find((each) => parseSignature(each.signature).selector === selectorOf(inner))
  return wholeTrade({ ...readSwap(inner, swap?.signature ?? null), deadlineS })
}

function readSwap(data: Uint8Array, signature: string | null): Omit<Trade, 'deadlineS'> {
  const swap = SWAPS.find((each) => each.signature === signature)
  if (!swap) throw new ChainError('the call is none of the trades of a router of this form')
  const [fields] = decodeFunctionCall(parseSignature(swap.signature), data) as [AbiValue[]]
  return swap.read(fields)
}
