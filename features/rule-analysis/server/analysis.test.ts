import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CallInput, type Endpoint, formEncode, type Language, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { MemberContext } from '@holdfast/http'
import { withDeputies } from '@holdfast/policy'
import { approveBy, namedRule, personOf, thirdForm } from '../../../packages/policy/src/testing/named-rules.ts'
import { member } from '../../../packages/policy/src/testing/sample-organisation.ts'
import { ann, ben, cleo, openPolicyWorld, world } from '../../policy/server/testing/policy-world.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { ETH, fund, makeWallet, type Member, requestWithdrawal, STRANGER, type Wallet } from '../../testing/test-world.ts'
import { checkRulesDraft, replayRules } from '../contract.ts'
import type { RuleDraft, RulesDraft } from '@holdfast/features/rule-draft/contract'
import { analysisView } from './analysis-view.ts'
import { analysisEndpoints } from './analysis-routes.ts'

const people = (...members: Member[]) => members.map(({ id }) => ({ kind: 'person' as const, id }))
const upTo = (most: string | null, above = '0'): RuleDraft['conditions'][number] => ({
  kind: 'assets',
  assets: [{ chain: CHAIN, asset: '', above, at_most: most }],
})
const ruleOf = (id: string, need: number, who: Member[], given: Partial<RuleDraft> = {}): RulesDraft['rules'][number] => ({
  kind: 'named',
  id,
  name: id,
  level: 'higher',
  covers: { kind: 'payments' },
  conditions: [],
  limits: [],
  action: { kind: 'approve', steps: [{ need, who: people(...who) }], may_stop: [], delay_s: 0, expire_s: 0 },
  ...given,
})
const draftOf = (...rules: RulesDraft['rules']): RulesDraft => ({ base_version: 1, groups: [], rules, add_keys: [] })

let wallet: Wallet

async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, language: Language = 'en_US'): Promise<OutputOf<E>> {
  const handled = analysisEndpoints(world.context).find((each) => each.endpoint === endpoint)!
  const context = { orgId: world.orgId, personId: ann.id, language } as MemberContext
  return endpoint.output.parse(await handled.handler(context, readInput(endpoint, parseForm(formEncode(input))) as never)) as OutputOf<E>
}

describe('what drafted rules would do', () => {
  before(async () => {
    await openPolicyWorld()
    wallet = await makeWallet(world)
    await fund(world, wallet, 10n * ETH)
    await requestWithdrawal(world, wallet, { amount: '1', requestId: 'one' })
    await requestWithdrawal(world, wallet, { amount: '3', requestId: 'three' })
  })
  after(() => world.close())

  it('is told of the rules in force where no draft is given', async () => {
    const found = await call(checkRulesDraft, {})
    assert.equal(found.fault, null)
    assert.ok(found.is_whole)
    assert.deepEqual([found.overlaps_count, found.shadowed], [0, []])
    assert.deepEqual(
      found.gaps.map(({ text }) => text.split(',')[0]),
      ['payments on Test network; ETH above 1000 ETH'],
    )
    assert.equal((await call(checkRulesDraft, {}, 'zh_CN')).gaps[0]?.example, '1000.000000000000000001 ETH，由Ann发起')
    assert.deepEqual(found.match, null)
    assert.ok(found.assets.every(({ bands }) => bands.every(({ rules, has_gap }) => rules.length === (has_gap ? 0 : 1))))
  })

  it('says what no rule decides, what two are for, what never decides, and whom they cannot do without', async () => {
    const draft = draftOf(
      ruleOf('small', 1, [ben, cleo], { conditions: [upTo('2')] }),
      ruleOf('never', 1, [ben, cleo], { conditions: [upTo('1')] }),
      ruleOf('large', 2, [ann, ben, cleo], { conditions: [upTo('5', '1')] }),
    )
    const found = await call(checkRulesDraft, { draft })
    assert.deepEqual(
      found.shadowed.map(({ rule, by, text }) => [rule.name, by.map(({ name }) => name), text]),
      [['never', ['small'], 'Never applies: “small” covers everything it matches.']],
    )
    assert.deepEqual(
      found.overlaps.map(({ first, other, is_whole }) => [first.name, other.name, is_whole]),
      [['small', 'large', false]],
    )
    const ether = found.assets.find(({ chain, asset }) => chain === CHAIN && asset === '')
    assert.deepEqual(
      ether?.bands.map(({ text, rules, has_gap }) => [text, rules.map(({ name }) => name).join(), has_gap]),
      [
        ['up to 1 ETH', 'small', false],
        ['above 1 ETH up to 2 ETH', 'small', false],
        ['above 2 ETH up to 5 ETH', 'large', false],
        ['above 5 ETH', '', true],
      ],
    )
    assert.ok(
      found.gaps.some(({ text }) => text.includes('ETH above 5 ETH') && text.includes('USD')),
      JSON.stringify(found.gaps),
    )
    assert.ok(found.away.some(({ rule, person }) => rule?.name === 'large' && person?.person_id === ben.id))
    assert.ok((await call(checkRulesDraft, { draft }, 'zh_CN')).shadowed[0]?.text.startsWith('永不生效'))
  })

  it('says beside whom rules cannot do without who decides in their place, where orders can be approved by that', () => {
    const [asker, first, second] = [0, 1, 2].map((number) => member(number))
    const rules = [namedRule('last', { action: approveBy([{ need: 1n, who: [personOf(second!)] }]) })]
    const made = thirdForm([asker!, first!, second!], { rules, governance: { approvers: [second!.id], threshold: 1n } })
    const policy = withDeputies(made, [personOf(first!)])
    const standIn = { delegator: second!.id, delegate: first!.id, fromMs: 0, untilMs: 86_400_000 }
    const said = (language: Language) =>
      analysisView({ policy, networks: world.context.networks, language, nowMs: 5 }, [standIn]).away.map(({ rule, decided }) => [rule?.name, decided])
    assert.deepEqual(said('en_US'), [
      ['last', 'Orders can still be approved: Person 2 decides on behalf of Person 3 until 1970-01-02 00:00:00 UTC.'],
      [undefined, null],
    ])
    assert.match(String(said('zh_CN')[0]![1]), /^订单仍可完成审批：Person 2 代 Person 3 审批至 1970-01-02 .*。$/)
  })

  it('says of one order who decides on it, and how each condition stands', async () => {
    const listed: RuleDraft['conditions'][number] = { kind: 'destinations', own: false, listed: true, lists: [], paid_before: false, addresses: [] }
    const draft = draftOf(ruleOf('listed', 1, [ben, cleo], { conditions: [upTo('2'), listed] }), ruleOf('rest', 2, [ann, ben, cleo]))
    const order = { chain: CHAIN, asset: '', amount: '1', to: STRANGER, sub_wallet_id: wallet.subWalletId }
    const found = await call(checkRulesDraft, { draft, order })
    assert.deepEqual(found.match, { id: 'rest', name: 'rest', level: 'higher' })
    assert.equal(found.action, 'approve')
    assert.deepEqual(
      found.nodes.map(({ need, approvers }) => [need, approvers.map(({ person_id }) => person_id).toSorted()]),
      [[2, [ben.id, cleo.id].toSorted()]],
    )
    assert.deepEqual(
      found.reasons.map(({ rule, conditions }) => [rule.name, conditions.map(({ ok }) => ok)]),
      [
        ['listed', [true, false]],
        ['rest', []],
      ],
    )
    const { to: _, ...unknown } = order
    assert.deepEqual(
      (await call(checkRulesDraft, { draft, order: unknown })).reasons[0]?.conditions.map(({ ok }) => ok),
      [true, null],
    )
  })

  it('is replayed on past orders of the organisation and on the borders of rules', async () => {
    const draft = draftOf(ruleOf('small', 2, [ann, ben, cleo], { conditions: [upTo('2')] }))
    const replayed = await call(replayRules, { draft, days: 30 })
    assert.deepEqual([replayed.fault, replayed.orders, replayed.changed_count], [null, 2, 1])
    assert.deepEqual(replayed.before, { passes: 0, waits: 2, refused: 0 })
    assert.deepEqual(replayed.after, { passes: 0, waits: 1, refused: 1 })
    const [changed] = replayed.changed
    assert.match(changed?.title ?? '', /^3 ETH → 0x/)
    assert.deepEqual([changed?.before.outcome, changed?.after.outcome], ['waits', 'refused'])
    assert.ok(replayed.edge_cases.some(({ edge, after: then, is_changed }) => edge === 'above-amount' && then.outcome === 'refused' && is_changed))
  })

  it('says why a draft cannot be proposed, and looks at it all the same', async () => {
    const found = await call(checkRulesDraft, { draft: draftOf(ruleOf('alone', 2, [ann, ben], { conditions: [{ kind: 'askers', who: people(ann) }] })) })
    assert.match(found.fault ?? '', /./)
    assert.deepEqual(
      found.away.filter(({ rule }) => rule !== null).map(({ rule, person, step }) => [rule?.name, person, step]),
      [['alone', null, 1]],
    )
    const stale = await call(checkRulesDraft, { draft: { ...draftOf(), base_version: 9 } })
    assert.match(stale.fault ?? '', /changed/)
    assert.deepEqual(stale.assets, [])
  })
})
