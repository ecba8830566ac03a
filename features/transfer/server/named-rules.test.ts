import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { assertConserved } from '@holdfast/ledger'
import type { NamedRule } from '@holdfast/policy'
import { approveBy, dayLimit, namedRule, type NamedRuleOf, NOWHERE, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { verifyEvidence } from '@holdfast/protocol'
import { uuidToBytes } from '@holdfast/units'
import {
  approvalOf,
  approveAs,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  orderOf,
  requestWithdrawal,
  resetScript,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { signOrder } from './signing/sign-order.ts'

const BARRED = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

const step = (...members: Member[]) => ({ need: 1n, who: members.map(({ id }) => personOf({ id: uuidToBytes(id) })) })
const rule = (id: string, steps: ReturnType<typeof step>[], given: NamedRuleOf = {}) => namedRule(id, { steps, ...given })

/** Two ether a day by one of two people; beyond that by both, one after the other; nothing to one address. */
const rulesOf = ([ann, ben, cleo]: readonly Member[]): NamedRule[] => [
  rule('never', [], {
    action: { kind: 'refuse' },
    conditions: [{ kind: 'destinations', ...NOWHERE, addresses: [{ name: 'Barred', chain: CHAIN, address: BARRED, memo: null }] }],
  }),
  rule('tiny', [], {
    conditions: [{ kind: 'assets', assets: [{ chain: CHAIN, asset: '', above: 0n, atMost: ETH / 100n }] }],
    action: approveBy([step(ben!)], { expiresAfterMs: 3_600_000n }),
  }),
  rule('small', [step(ann!, ben!)], {
    limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 2n * ETH }] })],
  }),
  rule('large', [step(ben!), step(ben!, cleo!)]),
]

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld({ namedRules: rulesOf })
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 20n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

const ask = async (amount: string, changes = {}) => (await requestWithdrawal(world, wallet, { amount, ...changes })).order.row
const says = async (orderId: string, by: number) => approveAs(world, await approvalOf(world, orderId, world.members[by]!))

/** Signs an order, and answers the rule that signers were asked to decide by and the one its evidence names. */
async function signed(orderId: string): Promise<[string | null, string]> {
  assert.equal(await signOrder(world.context, world.orgId, orderId), 'signed')
  const request = world.signers.requests.findLast((each) => each.kind === 'sign')
  assert.ok(request?.kind === 'sign')
  return [request.rule, verifyEvidence(await evidenceOf(world, orderId), { codecFor }).ruleId]
}

describe('an order under rules with limits and steps', () => {
  it('goes by the first rule with room for it, and once that is used up by the next one, whose steps are all needed', async () => {
    const small = await ask('1.5')
    assert.equal(small.rule_id, 'small')
    assert.deepEqual(await says(small.id, 1), { state: 'approved', missing: 0 })
    assert.deepEqual(await signed(small.id), ['small', 'small'])
    const large = await ask('1')
    assert.equal(large.rule_id, 'large')
    assert.deepEqual(await says(large.id, 1), { state: 'approving', missing: 1 })
    assert.deepEqual(await says(large.id, 2), { state: 'approved', missing: 0 })
    // Both rules are met by then, and which of them had room only the signers know: evidence names the first.
    assert.deepEqual(await signed(large.id), ['large', 'small'])
    assert.equal((await orderOf(world, large.id)).state, 'broadcasting')
  })

  it('ends earlier than was wanted where its rule has it be open for less', async () => {
    const { id, rule_id } = await ask('0.01')
    const { intent } = await orderOf(world, id)
    assert.deepEqual([rule_id, intent.expiresAtMs - intent.notBeforeMs], ['tiny', 3_600_000n])
  })

  it('is refused when it is asked for where a rule refuses it', async () => {
    await assert.rejects(ask('1', { to: BARRED }), (cause: { details?: { denied?: string; rule_id?: string } }) => {
      assert.deepEqual([cause.details?.denied, cause.details?.rule_id], ['refused-by-rule', 'never'])
      return true
    })
  })
})
