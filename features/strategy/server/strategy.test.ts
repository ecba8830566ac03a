import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { AppError, type CallInput, type Endpoint, formEncode, type Language, type OutputOf, parseForm, readInput, sentenceOf } from '@holdfast/contract'
import type { MemberContext } from '@holdfast/http'
import { CHAIN, TOKEN } from '../../testing/scripted-chain.ts'
import { ETH, fund, makeWallet, requestWithdrawal, type Member, type Wallet } from '../../testing/test-world.ts'
import { currentPolicy, recordInForce } from '../../policy/server/current-policy.ts'
import { policyChanges } from '../../policy/server/change/policy-change.ts'
import { ann, apply, approveAs, ben, cleo, dora, hireDora, inOrganisation, openPolicyWorld, world } from '../../policy/server/testing/policy-world.ts'
import {
  auditBasic,
  auditHigher,
  checkRules,
  deleteHigher,
  getBasic,
  getHigher,
  getRules,
  listAddressLists,
  listBasic,
  listBasicLog,
  listCoinChoices,
  listContractChoices,
  listGroupChoices,
  listHigher,
  listMemberChoices,
  listOperateLog,
  listSubWalletChoices,
  listTemplates,
  proposeRules,
  restoreRules,
  saveBasic,
  saveHigher,
  setHigherStatus,
  sortHigher,
} from '../contract.ts'
import type { RuleDraft, RulesDraft, StepDraft } from '@holdfast/features/rule-draft/contract'
import { feature } from './index.ts'

const people = (...members: Member[]) => members.map(({ id }) => ({ kind: 'person' as const, id }))
const step = (need: number, ...members: Member[]): StepDraft => ({ need, who: people(...members) })
const approve = (...steps: StepDraft[]): RuleDraft['action'] => ({ kind: 'approve', steps, may_stop: [], delay_s: 0, expire_s: 0 })
const upTo = (at_most: string | null, above = '0'): RuleDraft['conditions'] => [{ kind: 'assets', assets: [{ chain: CHAIN, asset: '', above, at_most }] }]
const ruleOf = (id: string, given: Partial<RuleDraft> = {}): RuleDraft => ({
  id,
  name: id,
  level: 'higher',
  covers: { kind: 'payments' },
  conditions: [],
  limits: [],
  action: { kind: 'refuse' },
  ...given,
})

let requests = 0
async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, by: Member = ann, language: Language = 'en_US'): Promise<OutputOf<E>> {
  const asked = { ...input, ...(Object.hasOwn(endpoint.input.shape, 'request_id') && !('request_id' in input) ? { request_id: `strategy-${requests++}` } : {}) }
  const session = { demandSecondFactorWhereSet: async () => {} } as never
  const handled = feature.endpoints!(world.context, { session } as never).find((each) => each.endpoint === endpoint)!
  const context = { orgId: world.orgId, personId: by.id, language } as MemberContext
  return endpoint.output.parse(await handled.handler(context, readInput(endpoint, parseForm(formEncode(asked))) as never)) as OutputOf<E>
}

const refusal =
  (code: string, words = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof AppError, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(sentenceOf(error, 'en_US'), words)
    return true
  }

const DAY_MS = 86_400_000
const PERSONNEL = '200143'
const POLICY_REFUSED = '300051'

const changeOf = async (id: string) => (await inOrganisation((tx) => policyChanges.read(tx, id)))!

/** Has a change approved by the two others and followed by the signers. */
async function carryOut(id: string): Promise<void> {
  const change = await changeOf(id)
  for (const member of [ann, ben, cleo].filter((each) => each.id !== change.row.initiator)) await approveAs(change, member)
  assert.equal(await apply(change), 'applied')
}

const present = async (changes: Partial<RulesDraft> = {}): Promise<RulesDraft> => {
  const { base_version, rules, groups } = await call(getRules, {})
  return {
    base_version,
    groups: groups.map(({ id, name, members }) => ({ id, name, members: members.map(({ person_id: person }) => person) })),
    rules: rules.map((rule) => (rule.kind === 'named' ? { ...rule } : { kind: 'kept' as const, id: rule.id })),
    add_keys: [],
    ...changes,
  }
}
const named = (rule: RuleDraft) => ({ kind: 'named' as const, ...rule })
const faultsOf = async (draft: RulesDraft, language: Language = 'en_US') => (await call(checkRules, { draft }, ann, language)).faults

describe('strategies', () => {
  let wallet: Wallet
  before(async () => {
    await openPolicyWorld({ maxPayment: null })
    await hireDora()
    wallet = await makeWallet(world)
    await fund(world, wallet, 20n * ETH)
  })
  afterEach(async () => {
    const open = await inOrganisation((tx) => tx.selectFrom('policy_change').select('id').where('is_final', '=', false).execute())
    for (const { id } of open) {
      const change = await changeOf(id)
      for (const member of [ben, cleo])
        if (change.row.initiator !== member.id && (await changeOf(id)).row.state === 'approving') await approveAs(change, member, 'reject')
    }
  })
  after(() => world.close())

  it('are told where an earlier rule decides instead, in both languages', async () => {
    const [kept] = (await present()).rules
    const everything = named(ruleOf('everything', { action: approve(step(1, ben)) }))
    const late = named(ruleOf('late', { action: approve(step(2, ben, cleo)) }))
    const told = async (rules: RulesDraft['rules'], language: Language = 'en_US') =>
      (await call(checkRules, { draft: await present({ groups: [], rules }) }, ann, language)).warnings.filter(({ rule_id: id }) => id === 'late')
    const says = (found: { text: string }[], words: RegExp) =>
      assert.ok(
        found.some(({ text }) => words.test(text)),
        JSON.stringify(found),
      )
    says(await told([everything, late, kept!]), /^Never applies: “everything” covers everything it matches\.$/)
    says(await told([everything, late, kept!], 'zh_CN'), /^永不生效：“everything” 已先行决定其全部订单。$/)
    assert.ok((await told([late, everything, kept!])).every(({ text }) => !text.startsWith('Never')))
  })

  it('are told everybody without whom a rule stands still, and of whom nothing was heard for long', async () => {
    const [kept] = (await present()).rules
    const told = async (rule: RuleDraft, language: Language = 'en_US') => {
      const { warnings } = await call(checkRules, { draft: await present({ groups: [], rules: [named(rule), kept!] }) }, ann, language)
      return warnings.filter(({ rule_id: id, person }) => id === 'both' && person !== null)
    }
    const both = ruleOf('both', { action: approve(step(1, ben), step(1, cleo)) })
    assert.deepEqual(
      (await told(both)).map(({ person, field }) => [person!.name, field]),
      [
        ['Ben', 'steps'],
        ['Cleo', 'steps'],
      ],
    )
    assert.deepEqual(await told(ruleOf('both', { action: approve(step(1, ann, ben, cleo)) })), [])
    world.clock.aheadMs += 40 * DAY_MS
    const silent = await told(ruleOf('both', { action: approve(step(1, ann, ben, cleo)) }))
    world.clock.aheadMs -= 40 * DAY_MS
    assert.deepEqual(
      silent.map(({ person }) => person!.name),
      ['Ann', 'Ben', 'Cleo'],
    )
    assert.match(silent[1]!.text, /rule “both” counts on Ben, who has neither signed in nor decided anything for 4\d days/)
  })

  it('are told while who is away nobody could meet a rule, in both languages, and without whom together', async () => {
    const [kept] = (await present()).rules
    const told = async (rule: RuleDraft, language: Language = 'en_US') => {
      const { warnings } = await call(checkRules, { draft: await present({ groups: [], rules: [named(rule), kept!] }) }, ann, language)
      return warnings.filter(({ rule_id: id, person }) => id === rule.id && person === null).map(({ text }) => text)
    }
    const nowMs = world.context.ports.clock.nowMs()
    await inOrganisation((tx) =>
      tx
        .insertInto('absence')
        .values(
          [ben, dora].map(({ id }) => ({
            org_id: tx.orgId,
            person_id: id,
            from_at: 1,
            to_at: nowMs + DAY_MS,
            deputy: null,
            note: '',
            ended_at: null,
            updated_at: 1,
          })),
        )
        .execute(),
    )
    const pair = ruleOf('pair', { action: approve(step(2, ben, cleo)) })
    assert.match(
      (await told(pair)).join(),
      /^with Ben out of office until \d{4}-[\d-]+ [\d:.]+ UTC, rule “pair” needs 2 approvals .* only Cleo could give one$/,
    )
    assert.match((await told(pair, 'zh_CN')).join(), /^Ben 外出期间（至 .* UTC），规则“pair”除发起人外需 2 人审批/)
    const any = ruleOf('any', { action: approve(step(1, ben, cleo)) })
    assert.deepEqual(await told(any), [], 'the other is enough')
    await inOrganisation((tx) => tx.updateTable('absence').set({ ended_at: 1 }).where('org_id', '=', tx.orgId).execute())
    world.clock.aheadMs += 40 * DAY_MS
    const silent = await told(any)
    world.clock.aheadMs -= 40 * DAY_MS
    assert.match(silent.join(), /^if Ben, Cleo, of whom nothing was heard for long, are all gone, rule “any” needs 1 approval .* nobody could give one$/)
  })

  it('are refused where people could not meet them: in words, with the rule, the step and the person', async () => {
    const [kept] = (await present()).rules
    const drafted = async (rule: RuleDraft, groups: RulesDraft['groups'] = []) => present({ groups, rules: [named(rule), kept!] })
    const withDora = await drafted(ruleOf('big', { action: approve(step(1, ben), step(1, ann, dora)) }))
    const [fault, ...more] = await faultsOf(withDora)
    assert.deepEqual(more, [])
    assert.deepEqual([fault!.rule_id, fault!.field, fault!.step, fault!.person?.name, fault!.code], ['big', 'steps', 2, 'Dora', PERSONNEL])
    assert.match(fault!.text, /rule “big”, step 2 names Dora, who has no approval key/)
    assert.match((await faultsOf(withDora, 'zh_CN'))[0]!.text, /规则“big”，?第 2 步包含 Dora，其没有审批密钥|规则“big”.*第 2 步.*Dora/)
    await assert.rejects(call(proposeRules, { draft: withDora } as never), refusal(PERSONNEL, /step 2 names Dora/))
    const alone = await drafted(ruleOf('both', { conditions: [{ kind: 'askers', who: people(ann) }], action: approve(step(2, ann, ben)) }))
    assert.match((await faultsOf(alone))[0]!.text, /steps that nobody can meet/)
    const tooMany = await drafted(ruleOf('three', { action: approve(step(3, ann, ben)) }))
    assert.match((await faultsOf(tooMany))[0]!.text, /step 1 needs 3 people, and only 2/)
    const emptied = await drafted(ruleOf('group', { action: approve({ need: 1, who: [{ kind: 'group', id: 'ops' }] }) }), [
      { id: 'ops', name: 'Ops', members: [] },
    ])
    assert.deepEqual([(await faultsOf(emptied))[0]!.field, (await faultsOf(emptied))[0]!.code], ['groups', PERSONNEL])
    await assert.rejects(call(proposeRules, { draft: emptied } as never), refusal(PERSONNEL, /“Ops” has nobody/))
  })

  it('say of every other fault which rule and which field it is about, and what is wrong with each at once', async () => {
    const draft = await present({
      rules: [
        named(ruleOf('a', { conditions: upTo('1', '2'), action: approve(step(1, ann, ben)) })),
        named(
          ruleOf('b', {
            limits: [{ each: 'rule', length_s: 0, amounts: [], max_tokens: null, max_count: 3, max_usd: null }],
            action: approve(step(1, ann, ben)),
          }),
        ),
        named(ruleOf('c', { action: { kind: 'pass', fees: [], may_stop: [], expire_s: 0 } })),
      ],
    })
    assert.deepEqual(
      (await faultsOf(draft)).map(({ rule_id, field, code }) => [rule_id, field, code]),
      [
        ['a', 'conditions', ''],
        ['b', 'limits', ''],
        ['c', 'action', ''],
      ],
    )
    await assert.rejects(call(proposeRules, { draft } as never), refusal(POLICY_REFUSED, /lets no amount/))
    assert.deepEqual(
      (await faultsOf({ ...draft, base_version: 9 })).map(({ field }) => field),
      ['version'],
    )
    assert.deepEqual(
      (await faultsOf(await present({ rules: [{ kind: 'kept', id: 'nothing' }] }))).map(({ rule_id }) => rule_id),
      ['nothing'],
    )
    assert.match((await faultsOf(await present()))[0]!.text, /changes nothing/)
  })

  it('move the policy over to rules with names, which signers follow and payments go by', async () => {
    const { is_third_form, move_over, rules } = await call(getRules, {})
    assert.equal(is_third_form, false)
    assert.deepEqual(
      rules.map(({ kind, id }) => [kind, id]),
      [['kept', 'payments']],
    )
    assert.deepEqual(move_over!.kept, [])
    const before = await call(checkRules, { draft: move_over!.draft })
    assert.deepEqual(before.faults, [])
    assert.ok(before.lines.length > 0)
    assert.deepEqual(
      before.quorums.map(({ need }) => need),
      [2],
    )
    const { id } = await call(proposeRules, { draft: move_over!.draft } as never)
    await carryOut(id)
    const after = await call(getRules, {})
    assert.equal(after.is_third_form, true)
    assert.deepEqual(
      after.rules.map(({ kind, id: rule }) => [kind, rule]),
      [['named', 'payments']],
    )
    assert.equal(after.move_over, null)
    const inForce = await inOrganisation((tx) => currentPolicy(tx))
    assert.deepEqual(recordInForce(inForce), inForce.genesisRecord, 'no signer was replaced: the founding document says whose keys to believe')
    const { order } = await requestWithdrawal(world, wallet, { amount: '1' })
    assert.equal(order.row.rule_id, 'payments')
    const { list } = await call(listHigher, {})
    assert.deepEqual(
      list.map(({ id: rule, hits_30d, priority, audit_status }) => [rule, hits_30d, priority, audit_status]),
      [['payments', 1, 1, 'none']],
    )
    assert.ok(list[0]!.last_hit !== null)
  })

  it('are added, replaced, ordered, switched off and on again one by one, each by a change that differs by that rule', async () => {
    const { id: _, ...small } = ruleOf('x', { name: 'Small', conditions: upTo('2'), action: approve(step(1, ann, ben)) })
    const saved = await call(saveHigher, { rule: small } as never)
    assert.equal(saved.trade_no, (await changeOf(saved.trade_no)).row.id)
    const waiting = (await call(listHigher, {})).list
    assert.deepEqual(
      waiting.map(({ name, audit_status, enabled, priority }) => [name, audit_status, enabled, priority]),
      [
        ['payments', 'none', true, 1],
        ['Small', 'create', false, null],
      ],
    )
    await assert.rejects(call(auditHigher, { id: saved.trade_no, result: true, remark: '' }, ben), refusal('300184', /Open http/))
    await carryOut(saved.trade_no)
    await assert.rejects(call(auditHigher, { id: saved.trade_no, result: true, remark: '' }, ben), refusal('300013'))
    const sort = await call(sortHigher, { ids: [saved.id, 'payments'] } as never)
    await carryOut(sort.trade_no)
    assert.deepEqual(
      (await call(listHigher, {})).list.map(({ name }) => name),
      ['Small', 'payments'],
    )
    await assert.rejects(call(sortHigher, { ids: ['payments'] } as never), refusal(POLICY_REFUSED, /each higher rule/))
    const changed = await call(saveHigher, { id: saved.id, rule: { ...small, conditions: upTo('3') } } as never)
    assert.equal(changed.id, saved.id)
    await carryOut(changed.trade_no)
    const info = await call(getHigher, { id: saved.id })
    assert.deepEqual(info.rule.conditions, upTo('3'))
    assert.equal((await requestWithdrawal(world, wallet, { amount: '2.5' })).order.row.rule_id, saved.id)
    const off = await call(setHigherStatus, { id: saved.id, status: 'off' } as never)
    await carryOut(off.trade_no)
    assert.deepEqual(
      (await call(listHigher, {})).list.map(({ name }) => name),
      ['payments'],
    )
    await assert.rejects(call(setHigherStatus, { id: 'payments', status: 'on' } as never), refusal(POLICY_REFUSED, /in force already/))
    const on = await call(setHigherStatus, { id: saved.id, status: 'on' } as never)
    await carryOut(on.trade_no)
    assert.deepEqual((await call(getHigher, { id: saved.id })).rule.conditions, upTo('3'))
    const deleted = await call(deleteHigher, { id: saved.id, remark: '' } as never)
    assert.equal((await call(listHigher, {})).list.find(({ id }) => id === saved.id)!.audit_status, 'delete')
    await carryOut(deleted.trade_no)
    await assert.rejects(call(deleteHigher, { id: 'nothing', remark: '' } as never), refusal(POLICY_REFUSED, /no rule “nothing”/))
  })

  it('give a sub-wallet a basic rule of its own, which decides where no higher one does', async () => {
    assert.equal((await call(getBasic, { sub_wallet_id: wallet.subWalletId })).strategy_id, null)
    const saved = await call(saveBasic, { sub_wallet_id: wallet.subWalletId, nodes: [step(1, ben), step(1, cleo)] } as never)
    const waiting = await call(getBasic, { sub_wallet_id: wallet.subWalletId })
    assert.deepEqual(
      [waiting.audit_status, waiting.nodes.map(({ need, approvers }) => [need, approvers[0]!.name]), waiting.expire_h],
      [
        'create',
        [
          [1, 'Ben'],
          [1, 'Cleo'],
        ],
        168,
      ],
    )
    await assert.rejects(call(auditBasic, { id: saved.trade_no, result: true, remark: '' }, ben), refusal('300184', /Open http/))
    await carryOut(saved.trade_no)
    const all = await call(listBasic, {})
    assert.deepEqual(
      all.find(({ strategy_id: id }) => id === saved.id),
      await call(getBasic, { sub_wallet_id: wallet.subWalletId }),
    )
    const off = await call(setHigherStatus, { id: 'payments', status: 'off' } as never)
    await carryOut(off.trade_no)
    assert.equal((await requestWithdrawal(world, wallet, { amount: '1' })).order.row.rule_id, saved.id)
    const { list } = await call(listBasicLog, {})
    assert.deepEqual(
      list.map(({ action, diff }) => [action, diff.map(({ old, new: now }) => [old === null, now === null])]),
      [['create', [[true, false]]]],
    )
  })

  it('are told by their changes, what each changed, and bring an earlier version back on top of the present', async () => {
    const { list } = await call(listOperateLog, { scope: 'higher' })
    assert.deepEqual(
      list
        .map(({ action }) => action)
        .toReversed()
        .slice(0, 4),
      ['update', 'create', 'sort', 'update'],
    )
    assert.ok(list.every(({ lines, flow }) => lines.length > 0 && flow.state === 'applied'))
    assert.deepEqual((await call(listOperateLog, { user: cleo.id })).list, [])
    const { draft, left_out } = await call(restoreRules, { version: 2 })
    assert.deepEqual(left_out, [])
    const check = await call(checkRules, { draft })
    assert.deepEqual(check.faults, [])
    const { id } = await call(proposeRules, { draft } as never)
    await carryOut(id)
    assert.deepEqual(
      (await call(getRules, {})).rules.map(({ id: rule }) => rule),
      ['payments'],
    )
    await assert.rejects(call(restoreRules, { version: 99 }), refusal('300014'))
  })

  it('for trades stand in a list and a log of their own, as they were asked for', async () => {
    const covers: RuleDraft['covers'] = {
      ...{ kind: 'trades', chain: CHAIN, form: 'uniswap-v2', router: '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D', gets: [TOKEN] },
      ...{ gives: [{ asset: '', at_most: '1.5' }], slippage_percent: '0.5', deadline_s: 1200 },
    }
    const { id: _, ...swaps } = ruleOf('x', { name: 'Swaps', covers, action: approve(step(1, ann, ben)) })
    await assert.rejects(call(saveHigher, { rule: { ...swaps, covers: { ...covers, gets: [''] } } } as never), refusal(POLICY_REFUSED, /for itself only/))
    const saved = await call(saveHigher, { rule: swaps } as never)
    await carryOut(saved.trade_no)
    assert.equal((await call(listHigher, { type: 'trade' })).list.map(({ name, type }) => `${name} ${type}`).join(), 'Swaps trade')
    assert.deepEqual((await call(getHigher, { id: saved.id })).rule.covers, covers)
    assert.equal((await call(listHigher, { type: 'web3' })).list.length, 0)
    const { list } = await call(listOperateLog, { scope: 'higher', type: 'trade' })
    assert.equal(list.map(({ target, action }) => `${target} ${action}`).join(), 'Swaps create')
    await carryOut((await call(deleteHigher, { id: saved.id, remark: '' } as never)).trade_no)
  })

  it('answer a refused change as such, and take up the same request once', async () => {
    const [template] = await call(listTemplates, {
      form: { assets: [{ chain: CHAIN, asset: '', each: '1', day: '2', large: '10' }], askers: [], approvers: people(ann, ben, cleo) },
    } as never)
    const asked = { request_id: 'the-template', draft: template!.draft! } as never
    const first = await call(proposeRules, asked)
    assert.deepEqual([(await call(proposeRules, asked)).id, (await call(proposeRules, asked)).idempotent], [first.id, true])
    for (const member of [ben, cleo]) if ((await changeOf(first.id)).row.state === 'approving') await approveAs(await changeOf(first.id), member, 'reject')
    await assert.rejects(call(auditHigher, { id: first.id, result: true, remark: '' }, ben), refusal('200145'))
  })

  it('begin with a template: a daily limit by one, larger ones by two, everything else refused', async () => {
    const form = { assets: [{ chain: CHAIN, asset: '', each: '1', day: '2', large: '10' }], askers: [], approvers: people(ann, ben, cleo) }
    const [template] = await call(listTemplates, { form } as never)
    const { id } = await call(proposeRules, { draft: template!.draft! } as never)
    await carryOut(id)
    const asks = async (amount: string) => (await requestWithdrawal(world, wallet, { amount })).order.row.rule_id
    assert.deepEqual([await asks('1'), await asks('1'), await asks('1')], ['small', 'small', 'large'])
    await assert.rejects(asks('11'), refusal('300002'))
  })

  it('offer what rules can name, of this organisation and no other', async () => {
    const [choice] = await call(listSubWalletChoices, { wallet_id: wallet.walletId })
    assert.equal(choice!.sub_wallet_id, wallet.subWalletId)
    assert.deepEqual(
      choice!.sources.map(({ path }) => path),
      choice!.sources.map(() => [0]),
    )
    assert.deepEqual(
      (await call(listMemberChoices, { role: 'approver' })).map(({ name, has_key }) => [name, has_key]),
      [['Dora', false]],
    )
    assert.ok((await call(listCoinChoices, { wallet_id: wallet.walletId })).some(({ asset, symbol }) => asset === '' && symbol === 'ETH'))
    assert.deepEqual([await call(listContractChoices, {}), await call(listGroupChoices, {}), await call(listAddressLists, {})], [[], [], []])
  })
})
