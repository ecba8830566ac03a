import { buildTransfer, codecFor, type Trade, type TransferTransaction } from '@holdfast/chain-evm/codec'
import { concatBytes } from '@holdfast/encoding'
import type { ContractCallIntent } from '@holdfast/intent'
import type { BoundedCallRule, NamedRule, Valuation } from '@holdfast/policy'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writeTrade } from '../../../../../packages/chains/evm/testing/write-trade.ts'
import { approveBy, dayLimit, namedRule, personOf } from '../../../../../packages/policy/src/testing/named-rules.ts'
import { approvalsOf, draftOf, OTHER_ADDRESS, requestOf } from '../../testing/order-of.ts'
import { CHAIN, COIN, NOW_MS, TOKEN } from '../../testing/organisation-of.ts'
import { ann, anyTwo, ben, checkOf, cleo, key, organisationWith, registerOf } from '../../testing/world-of.ts'
import { checkStillGood, verifySignRequest } from '../verify.ts'

const ROUTER = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D'
const USDC = TOKEN.contract ?? ''
const GOLD = { chain: CHAIN, contract: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', symbol: 'GOLD', decimals: 6n }
const HOUR_MS = 3_600_000
const action = approveBy([{ need: 2n, who: [ben, cleo].map(({ person }) => personOf(person)) }])
const limits = [dayLimit({ amounts: [{ chain: CHAIN, asset: USDC, max: 150_000_000n }] })]

/** Up to 100 USDC at a time, and 150 a day, for gold or ether, at most 1 % below what they are worth, within an hour. */
const covers: Extract<NamedRule['covers'], { kind: 'trades' }> = {
  ...{ kind: 'trades', chain: CHAIN, form: 'uniswap-v2', router: ROUTER },
  ...{ gives: [{ asset: USDC, atMost: 100_000_000n }], gets: [GOLD.contract, ''], slippageBps: 100n, deadlineMs: BigInt(HOUR_MS) },
}
const trades = namedRule('trades', { covers, limits, action })
/** A rule by which anything may be called at the router, and at another contract. */
const calls: BoundedCallRule = {
  ...{ kind: 'boundedCall', id: 'calls', chain: CHAIN, payers: null, contracts: [ROUTER, OTHER_ADDRESS], window: null },
  ...{ functions: ['approve(address,uint256)'], maxValue: 10n ** 18n, maxTokens: 10n ** 18n, unlimitedAllowances: true, unknownCallData: true },
  ...anyTwo,
}
const worth = (asset: string, dollars: bigint, validUntilMs = NOW_MS + HOUR_MS): Valuation => ({
  ...{ chain: CHAIN, asset, microUsd: dollars * 1_000_000n, validUntilMs: BigInt(validUntilMs) },
})
const prices = [worth(USDC, 1n), worth(GOLD.contract, 2n), worth('', 2000n)]

type Change = {
  rules?: NamedRule[]
  valuation?: Valuation[]
  trade?: Partial<Trade>
  order?: Partial<ContractCallIntent>
  /** What the transaction does in place of what people approved. */
  bytes?: Partial<Trade>
  transaction?: Partial<TransferTransaction>
  used?: { asset: string; amount: bigint }
}

/** A request to sign a trade, honest but for the change, as a signer sees it. */
function attemptOf({ rules = [trades], valuation = prices, trade = {}, order = {}, bytes, transaction = {}, used }: Change) {
  const acme = organisationWith({ rules: [...rules, calls], valuation, assets: [COIN, TOKEN, GOLD] })
  const { policy, fingerprint } = acme
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset: COIN, amount: 0n })
  const { memo: _, screening: __, ...rest } = draft.intent
  const fair = { gives: USDC, atMost: 100_000_000n, gets: GOLD.contract, atLeast: 49_500_000n, to: rest.from, deadlineS: BigInt(NOW_MS / 1000 + 600) }
  const { data, value, signature } = writeTrade('uniswap-v2', { ...fair, ...trade })
  const intent: ContractCallIntent = { ...rest, kind: 'contractCall', to: ROUTER, amount: value, data, signature, ...order }
  const other = bytes && writeTrade('uniswap-v2', { ...fair, ...trade, ...bytes }).data
  const sent = { to: intent.to, amount: intent.amount, data: other ?? intent.data, gasLimit: 300_000n, ...transaction }
  const call = { intent, transaction: { ...draft.transaction, ...sent } }
  const { request, log } = requestOf({ key, draft: call, approvals: approvalsOf(call, policy, [ben, cleo]), unsigned: buildTransfer(call.transaction) })
  const register = registerOf(acme, log)
  if (used) register.spends.set('another order', { ruleId: 'trades', asset: `${CHAIN}|${used.asset}`, amount: used.amount, atMs: NOW_MS })
  return { request, view: { party: 1, register, nowMs: NOW_MS, codecFor } }
}

function verdictOf(change: Change): string {
  const { request, view } = attemptOf(change)
  return checkOf(() => verifySignRequest(request, view))
}

describe('a signer asked to sign a trade', () => {
  it('takes part where the rule covers it, and counts what it gives at most', () => {
    const { request, view } = attemptOf({})
    const { reservation } = verifySignRequest(request, view)
    assert.deepEqual(reservation.kind === 'told' && [reservation.ruleId, reservation.contract, reservation.amount], ['trades', USDC, 100_000_000n])
    const ether = { gets: null, atLeast: 49_500_000_000_000_000n }
    assert.deepEqual([verdictOf({}), verdictOf({ trade: ether })], ['signed', 'signed'])
  })

  it('refuses every trade that the rule does not cover, by what the bytes say', () => {
    const { data } = writeTrade('uniswap-v2', { gives: USDC, atMost: 1n, gets: GOLD.contract, atLeast: 1n, to: OTHER_ADDRESS, deadlineS: 1n })
    const refuses = namedRule('never', { covers: { ...covers, gives: [{ asset: USDC, atMost: null }], slippageBps: null, deadlineMs: null } })
    const wrong: [string, Change, string][] = [
      ['pays another receiver', { trade: { to: OTHER_ADDRESS } }, 'c5'],
      ['pays another receiver than people approved', { bytes: { to: OTHER_ADDRESS } }, 'c5'],
      ['gives more', { trade: { atMost: 100_000_001n, atLeast: 60_000_000n } }, 'c5'],
      ['gives more than people approved', { trade: { atMost: 1_000_000n, atLeast: 60_000_000n }, bytes: { atMost: 2_000_000n } }, 'c7'],
      ['gets less by one base unit', { trade: { atLeast: 49_499_999n } }, 'c5'],
      ['gets less than people approved', { bytes: { atLeast: 49_499_999n } }, 'c5'],
      ['gets another token', { trade: { gets: OTHER_ADDRESS } }, 'c5'],
      ['waits for longer', { trade: { deadlineS: BigInt(NOW_MS / 1000 + 3601) } }, 'c5'],
      ['is over', { trade: { deadlineS: BigInt(NOW_MS / 1000) } }, 'c5'],
      ['is made elsewhere', { order: { to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' } }, 'c5'],
      ['is made elsewhere than people approved', { transaction: { to: OTHER_ADDRESS } }, 'c5'],
      ['cannot be read', { order: { data: Uint8Array.of(1, 2, 3, 4), signature: null } }, 'c5'],
      ['is something else that rules for calls let through', { order: { data: Uint8Array.of(9, 9, 9, 9, 0), signature: null } }, 'c5'],
      ['has bytes behind it', { order: { data: concatBytes(data, new Uint8Array(32)) } }, 'c5'],
      ['sends coin along', { order: { amount: 1n } }, 'c5'],
      ['is of an asset whose price is old', { valuation: [worth(USDC, 1n), worth(GOLD.contract, 2n, NOW_MS)] }, 'c5'],
      ['is of an asset without a price', { valuation: [worth(GOLD.contract, 2n)] }, 'c5'],
      ['is refused by a rule, at any price', { rules: [refuses, trades], valuation: [] }, 'c5'],
    ]
    const tried = wrong.map(([name, change]) => {
      try {
        return [name, verdictOf(change)]
      } catch (cause) {
        return [name, String(cause)]
      }
    })
    assert.deepEqual(
      tried,
      wrong.map(([name, , check]) => [name, check]),
    )
  })

  it('counts what was given before, for whatever it was given', () => {
    assert.equal(verdictOf({ used: { asset: USDC, amount: 50_000_000n } }), 'signed')
    assert.equal(verdictOf({ used: { asset: USDC, amount: 50_000_001n } }), 'c9')
    assert.equal(verdictOf({ trade: { gets: null, atLeast: 49_500_000_000_000_000n }, used: { asset: USDC, amount: 50_000_001n } }), 'c9')
    assert.equal(verdictOf({ used: { asset: '', amount: 10n ** 18n } }), 'signed')
  })

  it('stops where the deadline or the price passes while signers meet', () => {
    const { request, view } = attemptOf({ valuation: [worth(USDC, 1n), worth(GOLD.contract, 2n, NOW_MS + 60_000)] })
    const order = verifySignRequest(request, view)
    const stillGood = (nowMs: number) => checkOf(() => checkStillGood(order, 2, { ...view, nowMs }))
    assert.deepEqual([stillGood(NOW_MS + 59_999), stillGood(NOW_MS + 60_000)], ['signed', 'c5'])
  })
})
