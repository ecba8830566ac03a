import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Condition, NamedRule, Valuation } from '@holdfast/policy'
import { dayLimit, namedRule, type NamedRuleOf, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { nodePorts } from '@holdfast/ports/node'
import { uuidToBytes } from '@holdfast/units'
import { ETH, fund, makeWallet, type Member, openWorld, requestWithdrawal, resetScript, type Wallet, type World } from '../../testing/test-world.ts'
import { readLimit } from '../../../packages/policy/src/rules/limits.ts'
import { currentPolicy } from '@holdfast/features/policy/server'
import { mostByValue } from './opening/outcome-by-limits.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'

const step = (...members: Member[]) => ({ need: 1n, who: members.map(({ id }) => personOf({ id: uuidToBytes(id) })) })
const rule = (id: string, steps: ReturnType<typeof step>[] | undefined, given: NamedRuleOf = {}) => namedRule(id, { ...(steps && { steps }), ...given })
const above = (dollars: bigint): Condition => ({ kind: 'value', aboveCents: dollars * 100n, atMostCents: null })
const upTo = (dollars: bigint): Condition => ({ kind: 'value', aboveCents: 0n, atMostCents: dollars * 100n })

/** A day of 3,000 dollars by one of two; beyond it single payments of up to 5,000 dollars, by two. Nothing dearer, nor of unknown worth. */
const rulesOf = ([ann, ben, cleo]: readonly Member[]): NamedRule[] => [
  rule('small', [step(ann!, ben!)], { conditions: [upTo(2500n)], limits: [dayLimit({ maxCents: 300_000n })] }),
  rule('large', [step(ben!), step(ben!, cleo!)], { conditions: [upTo(5000n)], limits: [dayLimit({ maxCents: 900_000n })] }),
]

let world: World
let wallet: Wallet
const DAY_MS = 86_400_000
/** 2,000 dollars for one ether, for a week. */
const valuation: Valuation[] = [{ chain: CHAIN, asset: '', microUsd: 2_000_000_000n, validUntilMs: BigInt(nodePorts.clock.nowMs() + 7 * DAY_MS) }]

before(async () => {
  world = await openWorld({ namedRules: rulesOf, valuation })
})
beforeEach(async () => {
  resetScript(world)
  await world.db.asSystem((tx) => tx.deleteFrom('asset_price').execute())
  wallet = await makeWallet(world)
  await fund(world, wallet, 20n * ETH)
  // What was asked for a day ago counts no more.
  world.clock.aheadMs += DAY_MS + 1000
})
after(() => world.close())

const ask = async (amount: string) => (await requestWithdrawal(world, wallet, { amount })).order.row
const price = (dollars: bigint, of = world) =>
  of.db.asSystem((tx) =>
    tx
      .insertInto('asset_price')
      .values({
        chain: CHAIN,
        contract: '',
        currency: 'usd',
        price: dollars * 10n ** 24n,
        quoted_at: of.context.ports.clock.nowMs(),
        source: 'test',
        source_zh: null,
      })
      .execute(),
  )
const refused = (denied: string, says: RegExp) => (cause: { details?: { denied?: string; reason?: string } }) => {
  assert.equal(cause.details?.denied, denied)
  assert.match(cause.details?.reason ?? '', says)
  return true
}

describe('an order under rules by what it is worth', () => {
  it('says the most that one more order may pay: that passes, and one base unit more does not', async () => {
    const most = () =>
      world.db.asOrganisation(world.orgId, async (tx) => {
        const { policy } = await currentPolicy(tx)
        const [small] = rulesOf(world.members)
        const limits = (small?.limits ?? []).map(readLimit)
        return mostByValue(
          tx,
          policy,
          { rule: small!, limits },
          { chain: CHAIN, contract: null },
          { personId: world.members[0].id, nowMs: world.context.ports.clock.nowMs() },
        )
      })
    assert.equal(await most(), (5n * ETH) / 4n, 'the bound of one order')
    await ask('1')
    assert.equal(await most(), ETH / 2n, 'what the day leaves')
    await price(4000n)
    assert.equal(await most(), 0n, 'by the price that is higher, the day is used up')
  })

  it('goes by the first rule whose bound and sum of value have room, over what was asked for before', async () => {
    assert.equal((await ask('1.25')).rule_id, 'small')
    assert.equal((await ask('0.25')).rule_id, 'small')
    assert.equal((await ask('0.000000000000000001')).rule_id, 'large')
    assert.equal((await ask('1.3')).rule_id, 'large')
  })

  it('is refused where the table makes it worth too much, in words that say how much it is', async () => {
    await assert.rejects(ask('2.500001'), refused('conditions-not-met', /By the table of values it is worth 5000\.01 USD/))
  })

  it('is refused, or decided by the next rule, where a live price is higher than the table; a lower one changes nothing', async () => {
    await price(1000n)
    assert.equal((await ask('1.25')).rule_id, 'small')
    await assert.rejects(ask('2.6'), refused('conditions-not-met', /by the table|By the table/))
  })

  it('is refused once the table says no longer what it is worth', async () => {
    world.clock.aheadMs = 8 * DAY_MS
    await assert.rejects(ask('0.001'), refused('conditions-not-met', /expired on \d{4}-\d\d-\d\d, so it counts as more than any bound/))
    world.clock.aheadMs = 5 * DAY_MS
  })

  it('says of a refusal that the live price made it', async () => {
    await price(4000n)
    assert.equal((await ask('0.625')).rule_id, 'small')
    assert.equal((await ask('0.7')).rule_id, 'large')
    await assert.rejects(ask('1.5'), refused('value-by-live-price', /Rule “large” lets up to 5000 USD through.*6000 USD by the live price, which is higher/))
    assert.equal((await ask('1.25')).rule_id, 'large')
    await assert.rejects(ask('0.31'), refused('value-by-live-price', /lets 9000 USD through in its window.*by the live price/))
  })
})

/** Nothing above 9,000 dollars, two for what is above 3,000, and one for all else, who asks for 20,000 a day. */
const tieredRules = ([ann, ben, cleo]: readonly Member[]): NamedRule[] => [
  rule('never', undefined, { conditions: [above(9000n)] }),
  rule('dear', [step(ben!), step(ben!, cleo!)], { conditions: [above(3000n)] }),
  rule('rest', [step(ann!, ben!)], { limits: [dayLimit({ each: 'asker', maxCents: 2_000_000n })] }),
]

describe('rules for what is worth more than a bound', () => {
  let tiered: World
  let payer: Wallet
  before(async () => {
    tiered = await openWorld({ namedRules: tieredRules, valuation })
    payer = await makeWallet(tiered)
    await fund(tiered, payer, 20n * ETH)
  })
  after(() => tiered.close())
  const pay = async (amount: string) => (await requestWithdrawal(tiered, payer, { amount })).order.row

  it('are not got round by a table that says less than the market', async () => {
    assert.equal((await pay('1')).rule_id, 'rest')
    assert.equal((await pay('2')).rule_id, 'dear')
    await price(3500n, tiered)
    await assert.rejects(
      pay('1'),
      refused('value-by-live-price', /Rule “dear” decides over what is worth more than 3000 USD, and this is worth 3500 USD by the live/),
    )
    await assert.rejects(pay('3'), refused('value-by-live-price', /Rule “never” decides over what is worth more than 9000 USD/))
    assert.equal((await pay('0.25')).rule_id, 'rest')
    assert.equal((await pay('2')).rule_id, 'dear')
  })

  it('and the most that somebody may still ask for is counted for that person', async () => {
    await tiered.db.asSystem((tx) => tx.deleteFrom('asset_price').execute())
    const most = (personId: Member['id']) =>
      tiered.db.asOrganisation(tiered.orgId, async (tx) => {
        const { policy } = await currentPolicy(tx)
        const rest = tieredRules(tiered.members)[2]!
        const asked = { rule: rest, limits: rest.limits.map(readLimit) }
        return mostByValue(tx, policy, asked, { chain: CHAIN, contract: null }, { personId, nowMs: tiered.context.ports.clock.nowMs() })
      })
    const [ann, ben] = tiered.members
    assert.deepEqual(await Promise.all([most(ann!.id), most(ben!.id)]), [(35n * ETH) / 4n, 10n * ETH])
  })
})
