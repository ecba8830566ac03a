import { fromHex } from '@holdfast/encoding'
import { type Comparison, type Condition, type NamedRule, pinnedBy, placeAt, type Policy, VALUE_BYTES_MAX, type Who as PolicyWho } from '@holdfast/policy'
import { AmountTextFault, parseAmount, uuidToBytes } from '@holdfast/units'
import type { ActionDraft, ConditionDraft, CoversDraft, GroupDraft, LimitDraft, RuleDraft, Who } from '../contract.ts'
import type { StrategyWords } from './strategy-words.ts'

/** What a rule is made with: the assets that the policy pins, and how each network spells an address, undefined where there is none. */
export type Places = { assets: Policy['assets']; canonicalAddress(chain: string, text: string): string | undefined; words: StrategyWords }

export type DraftField = 'name' | 'level' | 'covers' | 'conditions' | 'limits' | 'action' | 'steps' | 'may_stop' | 'groups' | 'rules' | 'version'

/** Why a draft is no rule, and which field of it says so. */
export class RuleFault extends Error {
  override name = 'RuleFault'
  readonly field: DraftField
  constructor(field: DraftField, message: string) {
    super(message)
    this.field = field
  }
}

/** The rule that a draft asks for: amounts in base units by what the policy pins, and every address in its canonical form. Throws RuleFault. */
export function ruleOfDraft({ id, name, level, covers, conditions, limits, action }: RuleDraft, places: Places): NamedRule {
  return {
    kind: 'named',
    id,
    name,
    level,
    covers: coversOf(covers, places),
    conditions: conditions.map((each) => conditionOf(each, covers, places)),
    limits: limits.map((each) => limitOf(each, places)),
    action: actionOf(action, places),
  }
}

export const groupOfDraft = ({ id, name, members }: GroupDraft) => ({ id, name, members: members.map(uuidToBytes) })

/** People and groups as the policy names them. */
export const whoOf = (who: readonly Who[]): PolicyWho[] =>
  who.map((each) => (each.kind === 'person' ? { kind: 'person', id: uuidToBytes(each.id) } : { kind: 'group', id: each.id }))

function amountOf(field: DraftField, { chain, asset }: { chain: string; asset: string }, text: string, { assets, words }: Places): bigint {
  const pinned = pinnedBy({ assets }, { chain, asset })
  if (!pinned) throw new RuleFault(field, words.notPinned(asset, chain))
  return parsed(field, text, Number(pinned.decimals), words)
}

function parsed(field: DraftField, text: string, decimals: number, words: StrategyWords): bigint {
  try {
    return parseAmount(text, decimals)
  } catch (cause) {
    if (cause instanceof AmountTextFault) throw new RuleFault(field, words.noAmount(text))
    throw cause
  }
}

function addressesOf(field: DraftField, chain: string, texts: readonly string[], { canonicalAddress, words }: Places): string[] {
  return texts.map((text) => {
    const canonical = canonicalAddress(chain, text)
    if (canonical === undefined) throw new RuleFault(field, words.noAddress(text, chain))
    return canonical
  })
}

function coversOf(covers: CoversDraft, places: Places): NamedRule['covers'] {
  if (covers.kind === 'payments') return { kind: 'payments' }
  const { chain } = covers
  const coins = (text: string) => amountOf('covers', { chain, asset: '' }, text, places)
  const addresses = (texts: readonly string[]) => addressesOf('covers', chain, texts, places)
  if (covers.kind === 'stake')
    return {
      kind: 'stake',
      chain,
      actions: covers.actions,
      receivers: covers.receivers && addresses(covers.receivers),
      maxAmount: coins(covers.max_amount),
      maxLockBlocks: BigInt(covers.max_lock_blocks),
    }
  if (covers.kind === 'trades') return tradesOf(covers, places)
  return {
    kind: 'calls',
    chain,
    contracts: addresses(covers.contracts),
    functions: covers.functions,
    maxValue: coins(covers.max_value),
    maxTokens: BigInt(covers.max_tokens),
    unlimitedAllowances: covers.unlimited_allowances,
    unknownCallData: covers.unknown_call_data,
  }
}

function tradesOf(covers: Extract<CoversDraft, { kind: 'trades' }>, places: Places): NamedRule['covers'] {
  const { chain, form, router, gives, gets, slippage_percent: slippage, deadline_s: deadline } = covers
  const [canonical = ''] = addressesOf('covers', chain, [router], places)
  return {
    kind: 'trades',
    chain,
    form,
    router: canonical,
    gives: gives.map(({ asset, at_most: most }) => ({ asset, atMost: most === null ? null : amountOf('covers', { chain, asset }, most, places) })),
    gets,
    slippageBps: slippage === null ? null : parsed('covers', slippage, 2, places.words),
    deadlineMs: deadline === null ? null : BigInt(deadline) * 1000n,
  }
}

function conditionOf(condition: ConditionDraft, covers: CoversDraft, places: Places): Condition {
  switch (condition.kind) {
    case 'askers':
      return { kind: 'askers', who: whoOf(condition.who) }
    case 'sources':
      return { kind: 'sources', wallets: condition.wallets.map(({ name, key_id, path }) => ({ name, keyId: fromHex(key_id), path: path.map(BigInt) })) }
    case 'assets':
      return { kind: 'assets', assets: condition.assets.map((each) => boundedOf(each, places)) }
    case 'destinations': {
      const { own, listed, lists, paid_before: paidBefore } = condition
      const addresses = condition.addresses.map((each) => {
        const [address = ''] = addressesOf('conditions', each.chain, [each.address], places)
        return { ...each, address }
      })
      return { kind: 'destinations', own, listed, lists, paidBefore, addresses }
    }
    case 'memo':
      return { kind: 'memo', isPresent: condition.is_present }
    case 'times': {
      const { zone, days, from_minute: from, until_minute: until } = condition
      return { kind: 'times', zone, days: days.map(BigInt), fromMinute: BigInt(from), untilMinute: BigInt(until) }
    }
    case 'value': {
      const cents = (text: string) => parsed('conditions', text, 2, places.words)
      const { above_usd: above, at_most_usd: most } = condition
      return { kind: 'value', aboveCents: cents(above), atMostCents: most === null ? null : cents(most) }
    }
    case 'screening':
      return { kind: 'screening', machines: condition.screeners, levels: condition.levels, withinMs: BigInt(condition.within_s) * 1000n }
    case 'parameters':
      return comparedOf(condition, covers, places)
  }
}

type ParametersDraft = Extract<ConditionDraft, { kind: 'parameters' }>
type ParameterDraft = ParametersDraft['parameters'][number]

/** Numbers without a sign and addresses keep the form of before, in which signers of before read them. */
function comparedOf({ parameters }: ParametersDraft, covers: CoversDraft, places: Places): Condition {
  const isOld = parameters.every((each) => each.max_length === undefined && each.is === undefined && each.values === undefined && isInFirstForm(each))
  if (isOld) return { kind: 'parameters', parameters: parameters.map((each) => parameterOf(each, covers, places)) }
  return { kind: 'comparisons', comparisons: parameters.map((each) => comparisonOf(each, covers, places)) }
}

/** Also what stands nowhere in the function: the check of the policy says what is wrong with it. */
function isInFirstForm({ function: signature, number, parts }: ParameterDraft): boolean {
  const type = placeAt(signature, pathOf({ number, parts }))?.type.kind
  return parts === undefined && (type === undefined || type === 'uint' || type === 'address')
}

const pathOf = ({ number, parts = [] }: Pick<ParameterDraft, 'number' | 'parts'>): bigint[] => [number, ...parts].map((each) => BigInt(each - 1))

function parameterOf(compared: ParameterDraft, covers: CoversDraft, places: Places) {
  const { function: signature, number, at_least: least, at_most: most } = compared
  return {
    ...{ signature, position: BigInt(number - 1), atLeast: wordOf(least ?? '0', false, places), atMost: most === null ? null : wordOf(most, false, places) },
    addresses: comparedAddresses(compared, covers, places),
  }
}

/** A number as a word of the contract ABI. */
function wordOf(text: string, isSigned: boolean, { words }: Places): bigint {
  const number = BigInt(text)
  const read = isSigned ? BigInt.asIntN(256, number) : BigInt.asUintN(256, number)
  if (read !== number) throw new RuleFault('conditions', words.noNumber(text))
  return BigInt.asUintN(256, number)
}

const comparedAddresses = ({ addresses }: ParameterDraft, covers: CoversDraft, places: Places): string[] =>
  covers.kind === 'calls' ? addressesOf('conditions', covers.chain, addresses, places) : addresses

function comparisonOf(compared: ParameterDraft, covers: CoversDraft, places: Places): Comparison {
  const { function: signature, max_length: length } = compared
  const path = pathOf(compared)
  const type = placeAt(signature, path)?.element
  const tests = testsOf(compared, type, covers, places)
  if (tests.length > 1) throw new RuleFault('conditions', places.words.comparedTwice(compared.number, signature))
  return { signature, path, lengthAtMost: length === undefined ? null : BigInt(length), test: tests[0] ?? { kind: 'any' } }
}

/** What a draft says that a parameter may be: one thing, or nothing where only the length of a list is compared. */
function testsOf(
  compared: ParameterDraft,
  type: NonNullable<ReturnType<typeof placeAt>>['element'] | undefined,
  covers: CoversDraft,
  places: Places,
): Comparison['test'][] {
  const { is, values, at_least: least, at_most: most } = compared
  const addresses = comparedAddresses(compared, covers, places)
  const isSigned = type?.kind === 'int'
  const word = (text: string | null) => (text === null ? null : wordOf(text, isSigned, places))
  // From nought on is any number without a sign.
  const numbers = { kind: 'numbers' as const, atLeast: least === '0' && !isSigned ? null : word(least), atMost: word(most) }
  return [
    ...(addresses.length > 0 ? [{ kind: 'addresses' as const, addresses }] : []),
    ...(numbers.atLeast === null && numbers.atMost === null ? [] : [numbers]),
    ...(is === undefined ? [] : [{ kind: 'truth' as const, is }]),
    ...(values === undefined
      ? []
      : type?.kind === 'string'
        ? [{ kind: 'texts' as const, values: textsOf(values, places) }]
        : [{ kind: 'bytes' as const, values: bytesOf(values, places) }]),
  ]
}

const bytesOf = (texts: readonly string[], { words }: Places): Uint8Array[] =>
  texts.map((each) => {
    if (!/^0x([0-9a-fA-F]{2}){0,256}$/.test(each)) throw new RuleFault('conditions', words.noBytes(each))
    return fromHex(each)
  })

/** As they are signed: in one spelling, and no longer than a rule holds. */
const textsOf = (texts: readonly string[], { words }: Places): string[] =>
  texts.map((each) => {
    const text = each.toWellFormed().normalize('NFC')
    if (new TextEncoder().encode(text).length > VALUE_BYTES_MAX) throw new RuleFault('conditions', words.longText(VALUE_BYTES_MAX))
    return text
  })

type BoundedDraft = Extract<ConditionDraft, { kind: 'assets' }>['assets'][number]

function boundedOf({ chain, asset, above, at_most: most }: BoundedDraft, places: Places) {
  if (asset === null) {
    if (/[1-9]/.test(above) || most !== null) throw new RuleFault('conditions', places.words.amountOfAny(chain))
    return { chain, asset, above: 0n, atMost: null }
  }
  const amount = (text: string) => amountOf('conditions', { chain, asset }, text, places)
  return { chain, asset, above: amount(above), atMost: most === null ? null : amount(most) }
}

function limitOf({ each, length_s, amounts, max_tokens, max_count, max_usd }: LimitDraft, places: Places): NamedRule['limits'][number] {
  return {
    each,
    lengthMs: BigInt(length_s) * 1000n,
    amounts: amounts.map(({ chain, asset, max }) => ({ chain, asset, max: amountOf('limits', { chain, asset }, max, places) })),
    maxTokens: max_tokens === null ? null : BigInt(max_tokens),
    maxCount: max_count === null ? null : BigInt(max_count),
    maxCents: max_usd === null ? null : parsed('limits', max_usd, 2, places.words),
  }
}

function actionOf(action: ActionDraft, places: Places): NamedRule['action'] {
  if (action.kind === 'refuse') return action
  const told = { mayStop: whoOf(action.may_stop), expiresAfterMs: BigInt(action.expire_s) * 1000n }
  if (action.kind === 'pass') {
    const fees = action.fees.map(({ chain, max }) => ({ chain, max: amountOf('action', { chain, asset: '' }, max, places) }))
    return { kind: 'pass', fees, ...told }
  }
  const looks = action.co_signer === undefined ? [] : [{ need: 1n, who: [{ kind: 'machine' as const, id: action.co_signer }] }]
  const steps = [...looks, ...action.steps.map(({ need, who }) => ({ need: BigInt(need), who: whoOf(who) }))]
  return { kind: 'approve', steps, ...told, delayMs: BigInt(action.delay_s) * 1000n }
}
