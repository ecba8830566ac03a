import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BEYOND_CENTS, type Condition, type NamedRule, type Valuation } from '@holdfast/policy'
import { dayLimit, namedRule, type NamedRuleOf, personOf } from '../../../../packages/policy/src/testing/named-rules.ts'
import { CENTS, type Word } from '@holdfast/protocol'
import { CHAIN, COIN, DAY_MS, NOW_MS, TOKEN } from '../testing/organisation-of.ts'
import { addressOf, RECIPIENT_ADDRESS } from '../testing/order-of.ts'
import { ann, type Attempt, attemptOf, ben, checkOf, type Hooks, key, organisationWith } from '../testing/world-of.ts'
import { checkStillGood, verifySignRequest } from './verify.ts'
import { checkLimits, spendsWithin } from './verify-reservation.ts'
import { asksOf } from './words.ts'

const HOUR_MS = 3_600_000
const MICRO = 1_000_000n
const step = { need: 1n, who: [personOf(ben.person)] }
const rule = (given: NamedRuleOf) => namedRule('small', { steps: [step], ...given })
const upTo = (dollars: bigint): Condition => ({ kind: 'value', aboveCents: 0n, atMostCents: dollars * 100n })
const worth = (dollars: bigint, asset = '', untilMs = NOW_MS + HOUR_MS): Valuation => ({
  chain: CHAIN,
  asset,
  microUsd: dollars * MICRO,
  validUntilMs: BigInt(untilMs),
})
const ether = (thousandths: bigint) => thousandths * 10n ** 15n
const tokens = (whole: bigint) => whole * MICRO

type Paid = { asset?: typeof COIN; amount: bigint }

/** An order of Ann that Ben approved, in an organisation with these rules and worths. */
const attempt = (rules: NamedRule[], valuation: Valuation[], { asset = COIN, amount }: Paid, hooks: Hooks = {}): Attempt =>
  attemptOf({ organisation: organisationWith({ rules, valuation }), order: { asset, amount }, approvers: [ben], ...hooks })
const verdictOf = ({ request, view }: Attempt) => checkOf(() => verifySignRequest(request, view))

/** What this signer let through under the rule before, in base units of an asset. */
const earlier =
  (asset: string | null, amount: bigint, atMs = NOW_MS - 1): NonNullable<Hooks['register']> =>
  (register) =>
    void register.spends.set(`earlier ${asset} ${amount}`, {
      ruleId: 'small',
      asset,
      amount,
      atMs,
      told: { initiator: ann.person.id, from: addressOf(key, [0n, 7n]), paid: [{ to: RECIPIENT_ADDRESS, amount }] },
    })
const together =
  (...hooks: NonNullable<Hooks['register']>[]): NonNullable<Hooks['register']> =>
  (...given) =>
    hooks.forEach((hook) => hook(...given))

describe('a rule for what is worth so much', () => {
  const rules = [rule({ conditions: [upTo(100n)] })]

  it('lets through what the table says is worth no more, in any asset', () => {
    const table = [worth(2000n), worth(1n, TOKEN.contract!)]
    assert.equal(verdictOf(attempt(rules, table, { amount: ether(50n) })), 'signed')
    assert.equal(verdictOf(attempt(rules, table, { amount: ether(50n) + 1n })), 'c5')
    assert.equal(verdictOf(attempt(rules, table, { asset: TOKEN, amount: tokens(100n) })), 'signed')
    assert.equal(verdictOf(attempt(rules, table, { asset: TOKEN, amount: tokens(100n) + 1n })), 'c5')
  })

  it('lets nothing through of which the table does not say what it is worth, or says it no more by the clock of the signer', () => {
    assert.equal(verdictOf(attempt(rules, [worth(1n, TOKEN.contract!)], { amount: 1n })), 'c5')
    assert.equal(verdictOf(attempt(rules, [], { amount: 1n })), 'c5')
    assert.equal(verdictOf(attempt(rules, [worth(1n, '', NOW_MS)], { amount: 1n })), 'c5')
    assert.equal(verdictOf(attempt(rules, [worth(1n, '', NOW_MS + 1)], { amount: 1n })), 'signed')
    assert.equal(verdictOf(attempt(rules, [worth(1n)], { amount: 1n }, { view: () => ({ nowMs: NOW_MS + HOUR_MS }) })), 'c5')
  })

  it('counts what the bytes pay, and not what an order says', () => {
    const more = attempt(rules, [worth(2000n)], { amount: ether(50n) }, { transaction: () => ({ amount: ether(51n) }) })
    assert.equal(verdictOf(more), 'c5')
  })

  it('is looked at again when signing starts: what became unknown meanwhile is signed no more', () => {
    const { request, view } = attempt(rules, [worth(2000n)], { amount: ether(1n) })
    const order = verifySignRequest(request, view)
    assert.equal(
      checkOf(() => checkStillGood(order, 2, { ...view, nowMs: NOW_MS + HOUR_MS - 1 })),
      'signed',
    )
    assert.equal(
      checkOf(() => checkStillGood(order, 2, { ...view, nowMs: NOW_MS + HOUR_MS })),
      'c5',
    )
  })

  it('counts no fee, as no limit of amounts does', () => {
    assert.equal(verdictOf(attempt(rules, [worth(2000n)], { amount: ether(50n) }, { proposed: () => ({ feeCap: ether(10_000n) }) })), 'signed')
  })
})

describe('a limit of what all is worth together', () => {
  const limited = (each = 'rule') => [rule({ limits: [dayLimit({ each, maxCents: 10_000n })] })]
  const table = [worth(2000n), worth(1n, TOKEN.contract!)]
  const [coins, dollars] = [`${CHAIN}|`, `${CHAIN}|${TOKEN.contract}`]

  it('sums over assets, by the table of now, from the amounts that were let through', () => {
    const after = (...hooks: NonNullable<Hooks['register']>[]) => ({ register: together(...hooks) })
    const spent = after(earlier(coins, ether(20n)), earlier(dollars, tokens(40n)))
    assert.equal(verdictOf(attempt(limited(), table, { asset: TOKEN, amount: tokens(20n) }, spent)), 'signed')
    assert.equal(verdictOf(attempt(limited(), table, { asset: TOKEN, amount: tokens(20n) + 1n }, spent)), 'c9')
    assert.equal(verdictOf(attempt(limited(), table, { amount: ether(10n) }, spent)), 'signed')
    assert.equal(verdictOf(attempt(limited(), table, { amount: ether(10n) + 1n }, spent)), 'c9')
    // What was paid counts for what it is worth now.
    assert.equal(verdictOf(attempt(limited(), [worth(3000n), table[1]!], { asset: TOKEN, amount: tokens(20n) }, spent)), 'c9')
    assert.equal(verdictOf(attempt(limited(), [worth(1000n), table[1]!], { asset: TOKEN, amount: tokens(40n) }, spent)), 'signed')
    const left = after(earlier(coins, ether(20n), NOW_MS - DAY_MS))
    assert.equal(verdictOf(attempt(limited(), table, { amount: ether(50n) }, left)), 'signed')
  })

  it('is used up by whatever is of unknown worth, of the order itself or of what was let through', () => {
    assert.equal(verdictOf(attempt(limited(), [worth(1n, TOKEN.contract!)], { amount: 1n })), 'c9')
    for (const gone of [earlier(coins, 1n), earlier(null, 1n), earlier(`${CHAIN}|0xgone`, 1n)])
      assert.equal(verdictOf(attempt(limited(), [worth(1n, TOKEN.contract!)], { asset: TOKEN, amount: 1n }, { register: gone })), 'c9')
    const stale = [worth(2000n, '', NOW_MS), worth(1n, TOKEN.contract!)]
    assert.equal(verdictOf(attempt(limited(), stale, { asset: TOKEN, amount: 1n }, { register: earlier(coins, 1n) })), 'c9')
    assert.equal(verdictOf(attempt(limited(), table, { asset: TOKEN, amount: 1n }, { register: earlier(coins, 1n) })), 'signed')
  })

  it('counts by asker, recipient and paying address', () => {
    for (const each of ['asker', 'destination', 'source']) {
      const by = (hooks: Hooks) => verdictOf(attempt(limited(each), table, { amount: ether(30n) }, hooks))
      assert.equal(by({ register: earlier(dollars, tokens(40n)) }), 'signed', each)
      assert.equal(by({ register: earlier(dollars, tokens(41n)) }), 'c9', each)
      const others: NonNullable<Hooks['register']> = (register) =>
        void register.spends.set('of another', {
          ruleId: 'small',
          asset: dollars,
          amount: tokens(90n),
          atMs: NOW_MS - 1,
          told: { initiator: ben.person.id, from: '0xother', paid: [{ to: '0xother', amount: tokens(90n) }] },
        })
      assert.equal(by({ register: others }), 'signed', each)
    }
  })

  it('counts what the two others say under their words, and each order once', () => {
    const { request, view } = attempt(limited(), table, { amount: ether(10n) }, { register: earlier(coins, ether(20n)) })
    const order = verifySignRequest(request, view)
    const { reservation, needs } = order
    const asks = asksOf(order, view.register.policy, NOW_MS)
    assert.deepEqual(
      asks.counts.map(({ asset }) => asset),
      [CENTS],
    )
    const word = (spends: [number, bigint][], older = 0n) =>
      ({
        counted: [
          { spends: spends.map(([order, amount]) => ({ order: new Uint8Array(32).fill(order), amount, atMs: BigInt(NOW_MS - 1) })), older, olderCount: 0n },
        ],
      }) as unknown as Word
    const checked = (...words: Word[]) => checkOf(() => checkLimits(reservation, needs, view.register, NOW_MS, words))
    assert.equal(checked(word([[7, 4000n]])), 'signed')
    assert.equal(checked(word([[7, 4001n]])), 'c9')
    assert.equal(checked(word([[7, 4000n]]), word([[7, 3999n]])), 'signed')
    assert.equal(checked(word([[7, 4000n]]), word([[8, 1n]])), 'c9')
    assert.equal(checked(word([[7, 1n]], 4000n)), 'c9')
    assert.equal(checked(word([[7, BEYOND_CENTS]])), 'c9')
  })

  it('is told in words as cents of each order, rounded up', () => {
    const { view } = attempt(limited(), table, { amount: 1n }, { register: together(earlier(coins, 1n), earlier(dollars, tokens(1n) + 1n)) })
    const told = spendsWithin(view.register, { rule: 'small', asset: CENTS, each: 'rule', of: '', sinceMs: 0n }, '', NOW_MS)
    assert.deepEqual(new Set([...told.values()].map(({ amount }) => amount)), new Set([1n, 101n]))
  })

  it('does not keep anybody from cancelling', () => {
    const paid = attempt(limited(), [worth(2000n)], { amount: ether(1n) })
    const { reservation, needs } = verifySignRequest(paid.request, paid.view)
    const late = NOW_MS + HOUR_MS
    assert.equal(
      checkOf(() => checkLimits(reservation, needs, paid.view.register, late)),
      'c9',
    )
    assert.equal(
      checkOf(() => checkLimits({ ...reservation, cancels: true }, needs, paid.view.register, late)),
      'signed',
    )
  })
})
