import { AmountTextFault, parseAmount } from '@holdfast/units'
import type { ConditionDraft, GroupDraft, LimitDraft, RulesDraft, Who } from '../contract.ts'
import { assetOf, type Known } from './known.ts'
import { isNamed, type NamedDraft, peopleIn } from './rules-draft.ts'
import { placeOf } from './parameter-types.ts'
import { tradeFaults } from './trade-faults.ts'

/** What is wrong with a rule: at which field, and the end of the key of the sentence that says it. */
export type Fault = { field: string; key: FaultKey; values?: Readonly<Record<string, string | number>> }

/** Each has a sentence of its own, under `rules.fault`. */
export type FaultKey =
  | 'nameEmpty'
  | 'nameTaken'
  | 'basicConditions'
  | 'nobody'
  | 'noWallet'
  | 'noAsset'
  | 'amount'
  | 'amountEmpty'
  | 'precise'
  | 'order'
  | 'nowhere'
  | 'noDay'
  | 'hours'
  | 'noLength'
  | 'noLimit'
  | 'noStep'
  | 'needNone'
  | 'needMany'
  | 'noKey'
  | 'passKind'
  | 'passWhere'
  | 'passPaid'
  | 'passLimit'
  | 'passCount'
  | 'passFee'
  | 'noContract'
  | 'noFunction'
  | 'noAction'
  | 'baseUnits'
  | 'noValue'
  | 'valueRefuses'
  | 'listRefuses'
  | 'noParameter'
  | 'noFunctionOf'
  | 'noArgument'
  | 'wholeNumber'
  | 'signedNumber'
  | 'hexBytes'
  | 'leastMost'
  | 'noRouter'
  | 'samePair'
  | 'percent'
  | 'noScreener'
  | 'noLevel'
  | 'screeningAge'

/** What is wrong with what stands there, and is said at once; that something is missing yet is said once somebody tries to go on. */
export const FAULTS_WHILE_TYPING: ReadonlySet<FaultKey> = new Set([
  'nameTaken',
  'basicConditions',
  'amount',
  'precise',
  'order',
  'hours',
  'needMany',
  'noKey',
  'passKind',
  'passPaid',
  'valueRefuses',
  'listRefuses',
  'noFunctionOf',
  'wholeNumber',
  'signedNumber',
  'hexBytes',
  'leastMost',
  'samePair',
  'screeningAge',
])

/** Why a text is no amount of an asset; an empty one is none. */
function amountFault(text: string, decimals: number): FaultKey | undefined {
  if (text.trim() === '') return undefined
  try {
    parseAmount(text.trim(), decimals)
    return undefined
  } catch (cause) {
    if (!(cause instanceof AmountTextFault)) throw cause
    return /^\d+\.\d+$/.test(text.trim()) ? 'precise' : 'amount'
  }
}

/** Base units of an amount; undefined where there is none or it is none. */
const unitsOf = (text: string | null, decimals: number): bigint | undefined =>
  text === null || text.trim() === '' || amountFault(text, decimals) ? undefined : parseAmount(text.trim(), decimals)

function assetFaults(condition: Extract<ConditionDraft, { kind: 'assets' }>, known: Known): Fault[] {
  if (condition.assets.length === 0) return [{ field: 'assets', key: 'noAsset' }]
  return condition.assets.flatMap(({ chain, asset, above, at_most: most }, at) => {
    if (asset === null) return []
    const decimals = assetOf(known, chain, asset)?.decimals ?? 0
    const wrong = (['above', 'at_most'] as const).flatMap((name): Fault[] => {
      const key = amountFault((name === 'above' ? above : most) ?? '', decimals)
      return key ? [{ field: `assets.${at}.${name}`, key, values: { decimals } }] : []
    })
    const [from, until] = [unitsOf(above, decimals) ?? 0n, unitsOf(most, decimals)]
    return until !== undefined && until <= from ? [...wrong, { field: `assets.${at}.at_most`, key: 'order' }] : wrong
  })
}

const CENT_DECIMALS = 2

/** Why a text is no amount of dollars; an empty one is none. */
const dollarsFault = (field: string, text: string | null): Fault[] => {
  const key = amountFault(text ?? '', CENT_DECIMALS)
  return key ? [{ field, key, values: { decimals: CENT_DECIMALS } }] : []
}

function valueFaults({ above_usd: above, at_most_usd: most }: Extract<ConditionDraft, { kind: 'value' }>): Fault[] {
  const wrong = [...dollarsFault('value.above', above), ...dollarsFault('value.at_most', most)]
  const [from, until] = [unitsOf(above, CENT_DECIMALS) ?? 0n, unitsOf(most, CENT_DECIMALS)]
  if (wrong.length === 0 && from === 0n && until === undefined) return [{ field: 'value', key: 'noValue' }]
  return until !== undefined && until <= from ? [...wrong, { field: 'value.at_most', key: 'order' }] : wrong
}

/** Why a text is no whole number; an empty one is none. */
const isWhole = (text: string | null, isSigned: boolean): boolean =>
  text === null || text.trim() === '' || (isSigned ? /^-?\d{1,77}$/ : /^\d{1,78}$/).test(text.trim())

type ParameterDraft = Extract<ConditionDraft, { kind: 'parameters' }>['parameters'][number]

function parameterFaults({ parameters }: Extract<ConditionDraft, { kind: 'parameters' }>, covers: NamedDraft['covers']): Fault[] {
  if (parameters.length === 0) return [{ field: 'parameters', key: 'noParameter' }]
  const functions = covers.kind === 'calls' ? covers.functions : []
  const lost = parameters.find((each) => !functions.includes(each.function))
  if (lost) return [{ field: 'parameters', key: 'noFunctionOf', values: { name: lost.function } }]
  return parameters.flatMap(argumentFaults)
}

function argumentFaults(row: ParameterDraft, at: number): Fault[] {
  const { addresses, at_least: least, at_most: most, is, values, max_length: length } = row
  const place = `parameters.${at}`
  const as = placeOf(row)?.as
  // Of a list its length is enough.
  const missing = (field: string): Fault[] => (length === undefined ? [{ field: `${place}.${field}`, key: 'noArgument' }] : [])
  switch (as) {
    case undefined:
      return missing('max_length')
    case 'addresses':
      return addresses.some((address) => address !== '') ? [] : missing('addresses')
    case 'truth':
      return is === undefined ? missing('is') : []
    case 'texts':
      return values === undefined || values.length === 0 ? missing('values') : []
    case 'bytes': {
      const named = (values ?? []).filter((each) => each !== '')
      return named.length === 0 ? missing('values') : named.every((each) => HEX.test(each)) ? [] : [{ field: `${place}.values`, key: 'hexBytes' }]
    }
    case 'numbers':
    case 'signed': {
      const wrong = (['at_least', 'at_most'] as const).filter((name) => !isWhole(row[name], as === 'signed'))
      if (wrong.length > 0) return wrong.map((name) => ({ field: `${place}.${name}`, key: as === 'signed' ? 'signedNumber' : 'wholeNumber' }))
      const numberOf = (text: string | null) => (text === null || text.trim() === '' ? undefined : BigInt(text.trim()))
      const [from, until] = [numberOf(least), numberOf(most)]
      const isFree = from === undefined || (as === 'numbers' && from === 0n)
      if (isFree && until === undefined) return missing('at_least')
      return until !== undefined && until < (from ?? until) ? [{ field: `${place}.at_most`, key: 'leastMost' }] : []
    }
  }
}

const HEX = /^0x([0-9a-fA-F]{2})*$/

/** The oldest word of a screener that a rule can take. */
const SCREENING_AGE_MAX_S = 30 * 86_400

function screeningFaults({ screeners, levels, within_s: within }: Extract<ConditionDraft, { kind: 'screening' }>): Fault[] {
  return [
    ...(screeners.length === 0 ? [{ field: 'screening.screeners', key: 'noScreener' } as const] : []),
    ...(levels.length === 0 ? [{ field: 'screening.levels', key: 'noLevel' } as const] : []),
    ...(within >= 60 && within <= SCREENING_AGE_MAX_S ? [] : [{ field: 'screening.within', key: 'screeningAge' } as const]),
  ]
}

function conditionFaults(condition: ConditionDraft, covers: NamedDraft['covers'], known: Known): Fault[] {
  switch (condition.kind) {
    case 'askers':
      return condition.who.length === 0 ? [{ field: 'askers', key: 'nobody' }] : []
    case 'sources':
      return condition.wallets.length === 0 ? [{ field: 'sources', key: 'noWallet' }] : []
    case 'assets':
      return assetFaults(condition, known)
    case 'destinations': {
      const { own, listed, lists, paid_before: paid, addresses } = condition
      return own || listed || paid || lists.length > 0 || addresses.length > 0 ? [] : [{ field: 'destinations', key: 'nowhere' }]
    }
    case 'times': {
      const days: Fault[] = condition.days.length === 0 ? [{ field: 'times.days', key: 'noDay' }] : []
      return condition.from_minute < condition.until_minute ? days : [...days, { field: 'times.until', key: 'hours' }]
    }
    case 'value':
      return valueFaults(condition)
    case 'screening':
      return screeningFaults(condition)
    case 'parameters':
      return parameterFaults(condition, covers)
    default:
      return []
  }
}

function limitFaults(limit: LimitDraft, at: number, known: Known): Fault[] {
  const { amounts, max_count: count, max_tokens: tokens, max_usd: dollars, length_s: length } = limit
  const isEmpty = amounts.length === 0 && count === null && tokens === null && dollars === null
  return [
    ...(length > 0 ? [] : [{ field: `limits.${at}.length`, key: 'noLength' } as const]),
    ...(isEmpty ? [{ field: `limits.${at}`, key: 'noLimit' } as const] : []),
    ...(tokens === null || /^\d{1,29}$/.test(tokens) ? [] : [{ field: `limits.${at}.tokens`, key: 'baseUnits' } as const]),
    ...dollarsFault(`limits.${at}.usd`, dollars),
    ...amounts.flatMap(({ chain, asset, max }, each): Fault[] => {
      const decimals = assetOf(known, chain, asset)?.decimals ?? 0
      const key = max.trim() === '' ? 'amountEmpty' : amountFault(max, decimals)
      return key ? [{ field: `limits.${at}.amounts.${each}`, key, values: { decimals } }] : []
    }),
  ]
}

function actionFaults({ action, covers, conditions, limits }: NamedDraft, groups: readonly GroupDraft[], known: Known): Fault[] {
  if (action.kind === 'refuse') {
    const isBounded = conditions.some((each) => each.kind === 'value' && each.at_most_usd !== null)
    const isOfList = conditions.some((each) => each.kind === 'parameters' && each.parameters.some((row) => placeOf(row)?.isEach))
    return [
      ...(isBounded ? [{ field: 'value.at_most', key: 'valueRefuses' } as const] : []),
      ...(isOfList ? [{ field: 'parameters', key: 'listRefuses' } as const] : []),
    ]
  }
  const keyless = (who: readonly Who[], field: string): Fault[] =>
    peopleIn(who, groups).flatMap((id) => {
      const person = known.people.find((each) => each.id === id)
      return person && !person.has_key ? [{ field, key: 'noKey' as const, values: { name: person.name } }] : []
    })
  const stops = keyless(action.may_stop, 'may_stop')
  if (action.kind === 'pass') {
    const to = conditions.find((each) => each.kind === 'destinations')
    const lasting = limits.filter(({ each, length_s: length }) => (each === 'rule' || each === 'asker') && length >= 3600)
    return [
      ...(covers.kind === 'payments' ? [] : [{ field: 'action', key: 'passKind' } as const]),
      ...(to ? [] : [{ field: 'action', key: 'passWhere' } as const]),
      ...(to?.paid_before ? [{ field: 'action', key: 'passPaid' } as const] : []),
      ...(lasting.some(({ amounts, max_usd: dollars }) => amounts.length > 0 || dollars !== null) ? [] : [{ field: 'action', key: 'passLimit' } as const]),
      ...(lasting.some(({ max_count: count }) => count !== null) ? [] : [{ field: 'action', key: 'passCount' } as const]),
      ...(action.fees.length > 0 ? [] : [{ field: 'fees', key: 'passFee' } as const]),
      ...action.fees.flatMap(({ chain, max }, at): Fault[] => {
        const decimals = assetOf(known, chain, '')?.decimals ?? 18
        const key = max.trim() === '' ? 'amountEmpty' : amountFault(max, decimals)
        return key ? [{ field: `fees.${at}`, key, values: { decimals } }] : []
      }),
      ...stops,
    ]
  }
  const steps = action.steps.flatMap(({ need, who }, at): Fault[] => {
    const field = `steps.${at}`
    const people = peopleIn(who, groups)
    if (people.length === 0) return [{ field, key: 'nobody' }]
    if (need < 1) return [{ field, key: 'needNone' }]
    return [...(need > people.length ? [{ field, key: 'needMany' as const, values: { need, of: people.length } }] : []), ...keyless(who, field)]
  })
  return [...(action.steps.length === 0 ? [{ field: 'steps', key: 'noStep' } as const] : []), ...steps, ...stops]
}

function coverFaults({ covers, action }: NamedDraft, known: Known): Fault[] {
  if (covers.kind === 'payments') return []
  // What refuses has no bounds.
  const refuses = action.kind === 'refuse'
  if (covers.kind === 'trades') return tradeFaults(covers, refuses, known, amountFault)
  const decimals = assetOf(known, covers.chain, '')?.decimals ?? 18
  const amount = (field: string, text: string): Fault[] => {
    const key = text.trim() === '' ? 'amountEmpty' : amountFault(text, decimals)
    return key && !refuses ? [{ field, key, values: { decimals } }] : []
  }
  if (covers.kind === 'stake')
    return [...(covers.actions.length === 0 ? [{ field: 'covers.actions', key: 'noAction' } as const] : []), ...amount('covers.amount', covers.max_amount)]
  return [
    ...(covers.contracts.length === 0 ? [{ field: 'covers.contracts', key: 'noContract' } as const] : []),
    ...(covers.functions.length === 0 ? [{ field: 'covers.functions', key: 'noFunction' } as const] : []),
    ...amount('covers.value', covers.max_value),
    ...(refuses || /^\d{1,29}$/.test(covers.max_tokens) ? [] : [{ field: 'covers.tokens', key: 'baseUnits' } as const]),
  ]
}

/** What is wrong with a rule by itself and beside the others of its draft. What signers alone can judge, the server says before it is proposed. */
export function ruleFaults(rule: NamedDraft, draft: Pick<RulesDraft, 'rules' | 'groups'>, known: Known): Fault[] {
  const isTaken = draft.rules.some((each) => isNamed(each) && each.id !== rule.id && each.name === rule.name.trim())
  return [
    ...(rule.name.trim() === '' ? [{ field: 'name', key: 'nameEmpty' } as const] : []),
    ...(isTaken ? [{ field: 'name', key: 'nameTaken' } as const] : []),
    ...(rule.level === 'basic' && rule.conditions.some(({ kind }) => kind !== 'sources') ? [{ field: 'level', key: 'basicConditions' } as const] : []),
    ...coverFaults(rule, known),
    ...rule.conditions.flatMap((each) => conditionFaults(each, rule.covers, known)),
    ...rule.limits.flatMap((each, at) => limitFaults(each, at, known)),
    ...actionFaults(rule, draft.groups, known),
  ]
}
