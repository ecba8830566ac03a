import { ChainError } from '@holdfast/chain-core'
import type { Trade } from './trade.ts'
import { readUniswapV2 } from './router02.ts'
import { readUniswapV3 } from './swap-router02.ts'

const FORMS = { 'uniswap-v2': readUniswapV2, 'uniswap-v3': readUniswapV3 }

/** The forms of routers whose trades can be read: Router02 of Uniswap v2, SwapRouter02 of Uniswap v3. */
export type TradeForm = keyof typeof FORMS
export const TRADE_FORMS = Object.keys(FORMS) as readonly TradeForm[]

export const isTradeForm = (name: string): name is TradeForm => TRADE_FORMS.some((each) => each === name)

/**
 * The trade that a call of a router of this form makes, read from its bytes and the coin that goes along. Throws ChainError unless the data is, byte for byte,
 * the one canonical encoding of a trade by the function that is claimed to be called.
 */
export function readTrade(form: string, call: { data: Uint8Array; value: bigint; signature: string | null }): Trade {
  if (!isTradeForm(form)) throw new ChainError(`there is no form of routers by the name ${form}`)
  return FORMS[form](call)
}
