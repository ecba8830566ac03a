import { type Trade, type TradeForm } from '@holdfast/chain-evm/codec'
import type { CallAct } from '@holdfast/intent'
import { type Writing, writeTrade } from '../../../chains/evm/testing/write-trade.ts'
import type { NamedRule, ThirdForm, Valuation } from '../index.ts'
import type { TradeBounds } from '../rules/trades-shape.ts'
import { approveBy, namedRule, type NamedRuleOf, personOf, thirdForm } from './named-rules.ts'
import { CHAIN, ETH, member } from './sample-organisation.ts'

// A venue, two tokens and what they are worth: 1 USDX is a dollar, 1 COIN is 2 dollars, 1 ETH is 1000 dollars.

export const people = [0, 1, 2].map(member)
export const ROUTER = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D'
export const PAYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const USDX = { chain: CHAIN, contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDX', decimals: 6n }
export const COIN = { chain: CHAIN, contract: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', symbol: 'COIN', decimals: 6n }
export const VALID_UNTIL_MS = 10_000_000_000
export const NOW_MS = 1_000_000_000
export const DAY_MS = 86_400_000n
export const MINUTES_20_MS = 20n * 60_000n

export const valuation: Valuation[] = [
  { chain: CHAIN, asset: USDX.contract, microUsd: 1_000_000n, validUntilMs: BigInt(VALID_UNTIL_MS) },
  { chain: CHAIN, asset: COIN.contract, microUsd: 2_000_000n, validUntilMs: BigInt(VALID_UNTIL_MS) },
  { chain: CHAIN, asset: '', microUsd: 1_000_000_000n, validUntilMs: BigInt(VALID_UNTIL_MS) },
]

/** What a rule covers: up to 1000 USDX for COIN or ETH, at most 5 % below, within 20 minutes. */
export const covered = (changes: Partial<TradeBounds> = {}): Extract<NamedRule['covers'], { kind: 'trades' }> => ({
  kind: 'trades',
  chain: CHAIN,
  form: 'uniswap-v2',
  router: ROUTER,
  gives: [{ asset: USDX.contract, atMost: 1_000_000_000n }],
  gets: [COIN.contract, ''],
  slippageBps: 500n,
  deadlineMs: MINUTES_20_MS,
  ...changes,
})

/** A rule for trades that one of three people approves. */
export const tradeRule = (id: string, changes: Partial<TradeBounds> = {}, given: NamedRuleOf = {}): NamedRule =>
  namedRule(id, { covers: covered(changes), action: approveBy([{ need: 1n, who: people.map(personOf) }]), ...given })

/** A rule that refuses trades of these assets at whatever price. */
export const refusedTrades = (id: string, changes: Partial<TradeBounds> = {}): NamedRule => {
  const given = [{ asset: USDX.contract, atMost: null }]
  return namedRule(id, { covers: covered({ gives: given, slippageBps: null, deadlineMs: null, ...changes }) })
}

export const tradePolicy = (rules: ThirdForm['rules'], changes: Partial<ThirdForm> = {}): ThirdForm =>
  thirdForm(people, { assets: [ETH, USDX, COIN], valuation, rules, ...changes })

/** 100 USDX for 50 COIN, ten minutes from now, for the address that pays. */
export const fairTrade: Trade = {
  gives: USDX.contract,
  atMost: 100_000_000n,
  gets: COIN.contract,
  atLeast: 50_000_000n,
  to: PAYER,
  deadlineS: BigInt(NOW_MS / 1000 + 600),
}

/** A call of the venue that makes a trade. */
export function tradeCall(changes: Partial<Trade> = {}, { form = 'uniswap-v2', ...writing }: Writing & { form?: TradeForm } = {}): CallAct {
  const { data, value, signature } = writeTrade(form, { ...fairTrade, ...changes }, writing)
  return { as: 'call', chain: CHAIN, from: PAYER, contract: ROUTER, value, data, signature, initiator: people[0]?.id ?? new Uint8Array(), source: null }
}
