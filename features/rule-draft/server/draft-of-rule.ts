import { toHex } from '@holdfast/encoding'
import { isScreeningLevel } from '@holdfast/intent'
import { boundsOf, type Comparison, type Condition, type NamedRule, pinnedBy, placeAt, type Party, type Policy } from '@holdfast/policy'
import { bytesToUuid, formatAmount } from '@holdfast/units'
import type { ActionDraft, ConditionDraft, CoversDraft, GroupDraft, LimitDraft, RuleDraft, Who } from '../contract.ts'
import { coSignerOf, withoutCoSigner } from './co-signer-step.ts'

type Pinned = Pick<Policy, 'assets'>

/** A rule of the policy as it travels: the way back of `ruleOfDraft`. */
export function draftOfRule(rule: NamedRule, pinned: Pinned): RuleDraft {
  const { id, name, level, covers, conditions, limits, action } = withoutCoSigner(rule)
  return {
    id,
    name,
    level: level === 'basic' ? 'basic' : 'higher',
    covers: coversOf(covers, pinned),
    conditions: conditions.map((each) => conditionOf(each, pinned)),
    limits: limits.map((each) => limitOf(each, pinned)),
    action: withCoSigner(actionOf(action, pinned), coSignerOf(rule)),
  }
}

const withCoSigner = (action: ActionDraft, id: string | undefined): ActionDraft =>
  action.kind === 'approve' && id !== undefined ? { ...action, co_signer: id } : action

export const draftOfGroup = ({ id, name, members }: { id: string; name: string; members: readonly Uint8Array[] }): GroupDraft => ({
  id,
  name,
  members: members.map(bytesToUuid),
})

/** A rule of machines was to be drawn: it is kept as it stands. */
class ImpossibleDraft extends Error {
  override name = 'ImpossibleDraft'
}

const whoOf = (who: readonly Party[]): Who[] =>
  who.map((each) => {
    if (each.kind === 'machine') throw new ImpossibleDraft(`of the machine ${each.id}`)
    return each.kind === 'person' ? { kind: 'person', id: bytesToUuid(each.id) } : each
  })

function amountText(pinned: Pinned, named: { chain: string; asset: string }, amount: bigint): string {
  return formatAmount(amount, Number(pinnedBy(pinned, named)?.decimals ?? 0n))
}

const secondsOf = (ms: bigint) => Number(ms / 1000n)

function coversOf(covers: NamedRule['covers'], pinned: Pinned): CoversDraft {
  if (covers.kind === 'payments') return { kind: 'payments' }
  const { chain } = covers
  const coins = (amount: bigint) => amountText(pinned, { chain, asset: '' }, amount)
  if (covers.kind === 'stake') {
    const { actions, receivers, maxAmount, maxLockBlocks } = covers
    return {
      kind: 'stake',
      chain,
      actions: actions as Extract<CoversDraft, { kind: 'stake' }>['actions'],
      receivers,
      max_amount: coins(maxAmount),
      max_lock_blocks: Number(maxLockBlocks),
    }
  }
  if (covers.kind === 'trades') {
    const { form, router, gives, gets, slippageBps, deadlineMs } = covers
    return {
      kind: 'trades',
      chain,
      form: form as Extract<CoversDraft, { kind: 'trades' }>['form'],
      router,
      gives: gives.map(({ asset, atMost }) => ({ asset, at_most: atMost === null ? null : amountText(pinned, { chain, asset }, atMost) })),
      gets,
      slippage_percent: slippageBps === null ? null : formatAmount(slippageBps, 2),
      deadline_s: deadlineMs === null ? null : secondsOf(deadlineMs),
    }
  }
  const { contracts, functions, maxValue, maxTokens, unlimitedAllowances, unknownCallData } = covers
  return {
    kind: 'calls',
    chain,
    contracts,
    functions,
    max_value: coins(maxValue),
    max_tokens: String(maxTokens),
    unlimited_allowances: unlimitedAllowances,
    unknown_call_data: unknownCallData,
  }
}

function conditionOf(condition: Condition, pinned: Pinned): ConditionDraft {
  switch (condition.kind) {
    case 'askers':
      return { kind: 'askers', who: whoOf(condition.who) }
    case 'sources':
      return { kind: 'sources', wallets: condition.wallets.map(({ name, keyId, path }) => ({ name, key_id: toHex(keyId), path: path.map(Number) })) }
    case 'assets':
      return {
        kind: 'assets',
        assets: condition.assets.map(({ chain, asset, above, atMost }) => {
          const text = (amount: bigint) => amountText(pinned, { chain, asset: asset ?? '' }, amount)
          return { chain, asset, above: text(above), at_most: atMost === null ? null : text(atMost) }
        }),
      }
    case 'destinations': {
      const { own, listed, lists, paidBefore, addresses } = condition
      return { kind: 'destinations', own, listed, lists, paid_before: paidBefore, addresses }
    }
    case 'memo':
      return { kind: 'memo', is_present: condition.isPresent }
    case 'times': {
      const { zone, days, fromMinute, untilMinute } = condition
      return { kind: 'times', zone, days: days.map(Number), from_minute: Number(fromMinute), until_minute: Number(untilMinute) }
    }
    case 'value': {
      const { aboveCents, atMostCents } = condition
      return { kind: 'value', above_usd: formatAmount(aboveCents, 2), at_most_usd: atMostCents === null ? null : formatAmount(atMostCents, 2) }
    }
    case 'screening': {
      const { machines, levels, withinMs } = condition
      return { kind: 'screening', screeners: machines, levels: levels.filter(isScreeningLevel), within_s: secondsOf(withinMs) }
    }
    case 'parameters':
      return {
        kind: 'parameters',
        parameters: condition.parameters.map(({ signature, position, addresses, atLeast, atMost }) => ({
          ...{ function: signature, number: Number(position) + 1, addresses },
          ...{ at_least: String(atLeast), at_most: atMost === null ? null : String(atMost) },
        })),
      }
    case 'comparisons':
      return { kind: 'parameters', parameters: condition.comparisons.map(parameterOf) }
  }
}

type ParameterDraft = Extract<ConditionDraft, { kind: 'parameters' }>['parameters'][number]

/** Its fields stand in the order of the contract: the console tells by its text whether a draft was changed. */
function parameterOf({ signature, path, lengthAtMost, test }: Comparison): ParameterDraft {
  const [number = 1, ...parts] = path.map((each) => Number(each) + 1)
  return {
    ...{ function: signature, number, ...(parts.length > 0 && { parts }) },
    ...{ addresses: [], at_least: noLeast(signature, path), at_most: null, ...saidOf(test, signature, path) },
    ...(lengthAtMost !== null && { max_length: Number(lengthAtMost) }),
  }
}

/** Where nothing is below nought, that bounds nothing. */
const noLeast = (signature: string, path: readonly bigint[]) => (placeAt(signature, path)?.element.kind === 'int' ? null : '0')

function saidOf(test: Comparison['test'], signature: string, path: readonly bigint[]): Partial<ParameterDraft> {
  switch (test.kind) {
    case 'any':
      return {}
    case 'numbers': {
      const { atLeast, atMost } = boundsOf(test, placeAt(signature, path)?.element)
      return { at_least: atLeast === null ? noLeast(signature, path) : String(atLeast), at_most: atMost === null ? null : String(atMost) }
    }
    case 'addresses':
      return { addresses: test.addresses }
    case 'truth':
      return { is: test.is }
    case 'bytes':
      return { values: test.values.map((each) => `0x${toHex(each)}`) }
    case 'texts':
      return { values: test.values }
  }
}

function limitOf({ each, lengthMs, amounts, maxTokens, maxCount, maxCents }: NamedRule['limits'][number], pinned: Pinned): LimitDraft {
  return {
    each: each as LimitDraft['each'],
    length_s: secondsOf(lengthMs),
    amounts: amounts.map(({ chain, asset, max }) => ({ chain, asset, max: amountText(pinned, { chain, asset }, max) })),
    max_tokens: maxTokens === null ? null : String(maxTokens),
    max_count: maxCount === null ? null : Number(maxCount),
    max_usd: maxCents === null ? null : formatAmount(maxCents, 2),
  }
}

function actionOf(action: NamedRule['action'], pinned: Pinned): ActionDraft {
  if (action.kind === 'refuse') return { kind: 'refuse' }
  if (action.kind === 'checked') throw new ImpossibleDraft(`of the machine ${action.machine}`)
  const told = { may_stop: whoOf(action.mayStop), expire_s: secondsOf(action.expiresAfterMs) }
  if (action.kind === 'pass') {
    const fees = action.fees.map(({ chain, max }) => ({ chain, max: amountText(pinned, { chain, asset: '' }, max) }))
    return { kind: 'pass', fees, ...told }
  }
  const steps = action.steps.map(({ need, who }) => ({ need: Number(need), who: whoOf(who) }))
  return { kind: 'approve', steps, ...told, delay_s: secondsOf(action.delayMs) }
}
