import { fromHex } from '@holdfast/encoding'
import { type Around, checkedNext, DraftRefused, type MakePolicy, versionAfter } from '@holdfast/features/policy/server'
import { whoOf } from '@holdfast/features/rule-draft/server'
import { type Condition, inThirdForm, type NamedRule, pinnedBy, type Policy, type Rule } from '@holdfast/policy'
import { isSameRule } from '@holdfast/policy/drafting'
import { AmountTextFault, parseAmount } from '@holdfast/units'
import type { MachineCalls, MachineDraft, MachineRule } from '../contract.ts'
import { callRuleIdOf, ruleIdOf } from '../rule-ids.ts'

const DAY_MS = 86_400_000n

/** How a network spells an address; undefined where there is none. */
export type Spelling = (chain: string, text: string) => string | undefined

/** Makes the next version of the policy with a machine, and the rules that only it asks under before all others. */
export const policyWithMachine =
  ({ base_version, app_id: id, rule, calls, ...draft }: MachineDraft, spelling: Spelling): MakePolicy =>
  (inForce, around) => {
    const { policy } = inForce
    if (BigInt(base_version) !== policy.version) throw new DraftRefused(around.words.stale)
    const third = inThirdForm(policy)
    const { kind, name, public_key, purpose, expire_at } = draft
    const machine = { id, name, kind, publicKey: fromHex(public_key), purpose, expiresAtMs: BigInt(expire_at) }
    const isThere = third.machines.some((each) => each.id === id)
    const machines = isThere ? third.machines.map((each) => (each.id === id ? machine : each)) : [...third.machines, machine]
    const made = [...(rule ? [ruleOf(id, name, rule, policy, around)] : []), ...(calls ? [callRuleOf(id, name, calls, policy, { ...around, spelling })] : [])]
    const rules = withRules(third.rules, made)
    return checkedNext(versionAfter(inForce, around.nowMs, { ...third, machines, rules }), inForce, around)
  }

/**
 * Rules with those that a machine comes with: each in the place of the one before it, which stays as it is where nothing else is said, and new ones before all
 * others.
 */
function withRules(present: readonly Rule[], made: readonly NamedRule[]): Rule[] {
  const added = made.filter(({ id }) => !present.some((each) => each.id === id))
  const kept = present.map((each) => {
    const other = made.find(({ id }) => id === each.id)
    return other && !(each.kind === 'named' && isSameRule(each, { ...other, name: each.name })) ? other : each
  })
  return [...added, ...kept]
}

/** Makes the next version of the policy without a machine. Where another rule names it as well, that has to be changed first. */
export const policyWithoutMachine =
  (id: string): MakePolicy =>
  (inForce, around) => {
    const third = inThirdForm(inForce.policy)
    const machines = third.machines.filter((each) => each.id !== id)
    const rules = third.rules.filter((each) => each.id !== ruleIdOf(id) && each.id !== callRuleIdOf(id))
    return checkedNext(versionAfter(inForce, around.nowMs, { ...third, machines, rules }), inForce, around)
  }

/** What says what is wrong with a draft. */
type Says = { words: Pick<Around['words'], 'fault'> }

/** An amount in base units, of an asset that the policy has to pin. Throws DraftRefused. */
const amountsIn =
  (ruleId: string, policy: Policy, around: Says) =>
  ({ chain, asset, max }: { chain: string; asset: string; max: string }): bigint => {
    const pinned = pinnedBy(policy, { chain, asset })
    const what = asset === '' ? 'the own coin' : asset
    if (!pinned) throw new DraftRefused(around.words.fault(`rule ${ruleId} limits ${what} on ${chain}, which the policy does not pin`))
    try {
      return parseAmount(max, Number(pinned.decimals))
    } catch (cause) {
      if (cause instanceof AmountTextFault) throw new DraftRefused(around.words.fault(cause.message), { cause })
      throw cause
    }
  }

/** The rule under which a key asks for payments. Throws DraftRefused. */
export function ruleOf(id: string, name: string, draft: MachineRule, policy: Policy, around: Says): NamedRule {
  const amountOf = amountsIn(ruleIdOf(id), policy, around)
  const amounts = draft.a_day.map((each) => ({ chain: each.chain, asset: each.asset, max: amountOf(each) }))
  return {
    kind: 'named',
    id: ruleIdOf(id),
    name: shortened(`API ${name}`),
    level: 'higher',
    covers: { kind: 'payments' },
    conditions: [
      asksIn(id),
      { kind: 'assets', assets: amounts.map(({ chain, asset }) => ({ chain, asset, above: 0n, atMost: null })) },
      ...sourcesOf(draft.from),
      ...destinationsOf(draft.to),
    ],
    limits: [{ each: 'asker', lengthMs: DAY_MS, amounts, maxTokens: null, maxCount: BigInt(draft.orders_a_day), maxCents: null }],
    action: actionOf(
      draft,
      draft.fees.map(({ chain, max }) => ({ chain, max: amountOf({ chain, asset: '', max }) })),
    ),
  }
}

const asksIn = (id: string): Condition => ({ kind: 'askers', who: [{ kind: 'machine', id }] })

/** The rule by which a key has contracts called. Calls are never passed without people: what else a contract does, nobody knows. Throws DraftRefused. */
export function callRuleOf(id: string, name: string, draft: MachineCalls, policy: Policy, around: Says & { spelling: Spelling }): NamedRule {
  const { chain, functions, max_value: value, max_tokens: tokens, co_signer: coSigner } = draft
  const contracts = draft.contracts.map((text) => {
    const canonical = around.spelling(chain, text)
    if (canonical === undefined) throw new DraftRefused(around.words.fault(`${text} is no address of ${chain}`))
    return canonical
  })
  const maxTokens = BigInt(tokens)
  const bounds = { maxValue: amountsIn(callRuleIdOf(id), policy, around)({ chain, asset: '', max: value }), maxTokens }
  return {
    kind: 'named',
    id: callRuleIdOf(id),
    name: shortened(`API calls ${name}`),
    level: 'higher',
    covers: { kind: 'calls', chain, contracts, functions, ...bounds, unlimitedAllowances: false, unknownCallData: false },
    conditions: [asksIn(id)],
    limits: [{ each: 'asker', lengthMs: DAY_MS, amounts: [], maxTokens, maxCount: BigInt(draft.calls_a_day), maxCents: null }],
    action: actionOf({ by: coSigner === null ? 'people' : 'people_and_co_signer', need: draft.need, who: draft.who, co_signer: coSigner }, []),
  }
}

/** A name that fits into what is signed: characters take up to four bytes. */
const shortened = (name: string): string => {
  const fits = (text: string) => new TextEncoder().encode(text).length <= 64
  return fits(name) ? name : shortened([...name].slice(0, -1).join(''))
}

function sourcesOf(from: MachineRule['from']): Condition[] {
  if (from.length === 0) return []
  return [{ kind: 'sources', wallets: from.map(({ name, key_id: keyId, path }) => ({ name, keyId: fromHex(keyId), path: path.map(BigInt) })) }]
}

function destinationsOf(to: MachineRule['to']): Condition[] {
  if (to === 'any') return []
  return [{ kind: 'destinations', own: to !== 'listed', listed: to !== 'own', lists: [], paidBefore: false, addresses: [] }]
}

function actionOf(
  { by, need, who, co_signer: coSigner }: Pick<MachineRule, 'by' | 'need' | 'who' | 'co_signer'>,
  fees: { chain: string; max: bigint }[],
): NamedRule['action'] {
  const rest = { mayStop: [], expiresAfterMs: 0n }
  if (by === 'nobody') return { kind: 'pass', fees, ...rest }
  if (by === 'co_signer') return { kind: 'checked', machine: coSigner ?? '', fees, ...rest }
  const people = { need: BigInt(need), who: whoOf(who) }
  const looks = by === 'people_and_co_signer' ? [{ need: 1n, who: [{ kind: 'machine' as const, id: coSigner ?? '' }] }] : []
  return { kind: 'approve', steps: [...looks, people], delayMs: 0n, ...rest }
}
