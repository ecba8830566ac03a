import { ChainError } from '@holdfast/chain-core'
import { parseSignature } from '../abi-type.ts'
import { decodeFunctionCall } from '../abi-value.ts'
import { endsOf, type Trade, wholeTrade } from './trade.ts'

/**
 * A function of Router02. `gives` and `gets`: the network's own coin, or the token at that end of the path. `amounts` are the names of its leading numbers; what
 * the coin is given of goes along with the call. After them come path, receiver and deadline.
 */
type Swap = { signature: string; gives: 'token' | 'coin'; gets: 'token' | 'coin'; amounts: readonly ('atMost' | 'atLeast')[] }

/**
 * The functions that can be read. Those for tokens that keep a fee at each transfer are left out. Source: IUniswapV2Router01 and IUniswapV2Router02 of
 * Uniswap/v2-periphery.
 */
const SWAPS: readonly Swap[] = [
  {
    signature: 'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
    gives: 'token',
    gets: 'token',
    amounts: ['atMost', 'atLeast'],
  },
  {
    signature: 'swapTokensForExactTokens(uint256,uint256,address[],address,uint256)',
    gives: 'token',
    gets: 'token',
    amounts: ['atLeast', 'atMost'],
  },
  { signature: 'swapExactETHForTokens(uint256,address[],address,uint256)', gives: 'coin', gets: 'token', amounts: ['atLeast'] },
  { signature: 'swapETHForExactTokens(uint256,address[],address,uint256)', gives: 'coin', gets: 'token', amounts: ['atLeast'] },
  {
    signature: 'swapExactTokensForETH(uint256,uint256,address[],address,uint256)',
    gives: 'token',
    gets: 'coin',
    amounts: ['atMost', 'atLeast'],
  },
  {
    signature: 'swapTokensForExactETH(uint256,uint256,address[],address,uint256)',
    gives: 'token',
    gets: 'coin',
    amounts: ['atLeast', 'atMost'],
  },
]

/** The trade that a call of Router02 makes. Throws ChainError if it is none that can be read. */
export function readUniswapV2({ data, value, signature }: { data: Uint8Array; value: bigint; signature: string | null }): Trade {
  const swap = SWAPS.find((each) => each.signature === signature)
  if (!swap) throw new ChainError('the call is none of the trades of a router of this form')
  const values = decodeFunctionCall(parseSignature(swap.signature), data)
  const [path, to, deadlineS] = values.slice(swap.amounts.length) as [string[], string, bigint]
  if (swap.gives === 'token' && value !== 0n) throw new ChainError('coin goes along with a trade that gives a token')
  const named = Object.fromEntries(swap.amounts.map((name, i) => [name, values[i] as bigint]))
  const { first, last } = endsOf(path)
  return wholeTrade({
    gives: swap.gives === 'coin' ? null : first,
    atMost: named['atMost'] ?? value,
    gets: swap.gets === 'coin' ? null : last,
    atLeast: named['atLeast'] ?? 0n,
    to,
    deadlineS,
  })
}
