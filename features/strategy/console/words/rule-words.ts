import type { TFunction } from 'i18next'
import type { ActionDraft, ConditionDraft, GroupDraft, LimitDraft, Who } from '@holdfast/features/rule-draft/contract'
import { type Known, type NamedDraft, networkName, placeOf } from '@holdfast/features/rule-draft/console'
import { GAP, grouped, list, spanWords, symbolOf } from './sentence.ts'
import { callWords, stakeWords } from './cover-words.ts'
import { tradeWords } from './trade-words.ts'

/** What names in a draft mean, for sentences. */
export type Names = { t: TFunction; groups: readonly GroupDraft[]; known: Known }

/** People and groups by their names. */
export const nameWho = ({ t, groups, known }: Names, who: readonly Who[]): string[] =>
  who.map(({ kind, id }) =>
    kind === 'group'
      ? t('rules.say.group', { name: groups.find((each) => each.id === id)?.name ?? id })
      : (known.people.find((each) => each.id === id)?.name ?? id),
  )

/** An asset by its symbol, and by its network where the symbol alone could be another's. */
function assetWords(names: Names, chain: string, asset: string): string {
  const symbol = symbolOf(names, chain, asset)
  const isShared = names.known.assets.filter((each) => each.symbol === symbol).length > 1
  return isShared ? names.t('rules.say.onNetwork', { symbol, network: networkName(names.known, chain) }) : symbol
}

function boundedAsset(names: Names, { chain, asset, above, at_most: most }: Extract<ConditionDraft, { kind: 'assets' }>['assets'][number]): string {
  const { t, known } = names
  if (asset === null) return t('rules.say.anyAsset', { network: networkName(known, chain) })
  const symbol = assetWords(names, chain, asset)
  const isAbove = /[1-9]/.test(above)
  if (isAbove && most !== null && most !== '') return t('rules.say.between', { above: grouped(above), most: grouped(most), symbol })
  if (isAbove) return t('rules.say.above', { above: grouped(above), symbol })
  return most === null || most === '' ? t('rules.say.anyAmount', { symbol }) : t('rules.say.upTo', { most: grouped(most), symbol })
}

/** Days of the week, with those that follow each other as a span; the week begins on Monday. */
export function dayWords(t: TFunction, days: readonly number[]): string {
  if (days.length === 7) return t('rules.say.everyDay')
  const inOrder = [1, 2, 3, 4, 5, 6, 0].filter((day) => days.includes(day))
  const place = (day: number) => (day + 6) % 7
  const runs: number[][] = []
  for (const day of inOrder) {
    const run = runs.at(-1)
    if (run && place(run.at(-1) ?? 0) + 1 === place(day)) run.push(day)
    else runs.push([day])
  }
  const name = (day: number | undefined) => t(`rules.day.${day ?? 0}`)
  return runs
    .map((run) =>
      run.length > 2 ? t('rules.say.daySpan', { from: name(run[0]), until: name(run.at(-1)) }) : run.map((day) => name(day)).join(t('rules.say.comma')),
    )
    .join(t('rules.say.comma'))
}

/** A minute of the day as clocks show it. */
export const clockText = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

function placeWords(names: Names, { own, listed, lists, paid_before: paid, addresses }: Extract<ConditionDraft, { kind: 'destinations' }>): string[] {
  const { t } = names
  return [
    ...(own ? [t('rules.say.own')] : []),
    ...(listed ? [t('rules.say.listed')] : []),
    ...lists.map((name) => t('rules.say.list', { name })),
    ...(paid ? [t('rules.say.paidBefore')] : []),
    ...addresses.map(({ name, address }) => (name === '' ? `${address.slice(0, 6)}…${address.slice(-6)}` : name)),
  ]
}

function valueWords({ t }: Names, { above_usd: above, at_most_usd: most }: Extract<ConditionDraft, { kind: 'value' }>): string {
  const isAbove = /[1-9]/.test(above)
  const isBounded = most !== null && most !== ''
  if (isAbove && isBounded) return t('rules.say.worthBetween', { above: grouped(above), most: grouped(most) })
  if (isAbove) return t('rules.say.worthAbove', { above: grouped(above) })
  return t('rules.say.worthUpTo', { most: isBounded ? grouped(most) : GAP })
}

type Parameter = Extract<ConditionDraft, { kind: 'parameters' }>['parameters'][number]

function parameterWords(names: Names, row: Parameter): string {
  const { t } = names
  const { function: signature, number, parts = [], max_length: length } = row
  const place = parts.reduce((of, no) => t('rules.say.parameterPart', { of, no }), t('rules.say.parameterNo', { no: number }))
  const of = { place, name: signature.replace(/\(.*/s, '') }
  const what = argumentWords(names, row) ?? (length === undefined ? t('rules.say.parameterIs', { what: GAP }) : undefined)
  const value = what === undefined ? [] : [t(placeOf(row)?.isEach ? 'rules.say.parameterEach' : 'rules.say.parameter', { ...of, what })]
  return list(names, [...value, ...(length === undefined ? [] : [t('rules.say.parameterLength', { ...of, count: length })])], 'and')
}

/** What a parameter may be; undefined where nothing is said yet. */
function argumentWords(names: Names, row: Parameter): string | undefined {
  const { t } = names
  const { addresses, at_least: least, at_most: most, is, values = [] } = row
  const as = placeOf(row)?.as
  const being = (among: readonly string[]) => (among.length === 0 ? undefined : t('rules.say.parameterIs', { what: list(names, among) }))
  if (as === 'truth') return is === undefined ? undefined : being([String(is)])
  if (as === 'texts') return being(values.map((each) => t('rules.say.quoted', { text: each })))
  if (as === 'bytes') return being(values.filter((each) => each !== '').map((each) => (each.length > 20 ? `${each.slice(0, 10)}…${each.slice(-8)}` : each)))
  const named = addresses.filter((each) => each !== '')
  if (as === 'addresses' || named.length > 0) return being(named.map((each) => `${each.slice(0, 6)}…${each.slice(-6)}`))
  const isMost = most !== null && most !== ''
  // From nought on is any number without a sign.
  const isLeast = least !== null && least !== '' && (as === 'signed' || /[1-9]/.test(least))
  if (isLeast && isMost) return t('rules.say.parameterBetween', { least: grouped(least), most: grouped(most) })
  if (isLeast) return t('rules.say.parameterAtLeast', { least: grouped(least) })
  return isMost ? t('rules.say.parameterAtMost', { most: grouped(most) }) : undefined
}

/** A condition as a part of a sentence. */
export function conditionWords(names: Names, condition: ConditionDraft): string {
  const { t } = names
  switch (condition.kind) {
    case 'askers':
      return t('rules.say.askedBy', { who: list(names, nameWho(names, condition.who)) })
    case 'sources':
      return t('rules.say.from', { wallets: list(names, [...new Set(condition.wallets.map(({ name }) => name))]) })
    case 'assets':
      return t('rules.say.of', {
        assets: list(
          names,
          condition.assets.map((each) => boundedAsset(names, each)),
        ),
      })
    case 'destinations':
      return t('rules.say.to', { places: list(names, placeWords(names, condition)) })
    case 'memo':
      return t(condition.is_present ? 'rules.say.withMemo' : 'rules.say.withoutMemo')
    case 'times':
      return t('rules.say.at', {
        days: dayWords(t, condition.days),
        from: clockText(condition.from_minute),
        until: clockText(condition.until_minute),
        zone: condition.zone.replaceAll('_', ' '),
      })
    case 'value':
      return valueWords(names, condition)
    case 'screening':
      return t('rules.say.screened', {
        levels: list(
          names,
          condition.levels.map((each) => t(`rules.risk.${each}`)),
        ),
        screeners: list(
          names,
          condition.screeners.map((id) => names.known.screeners.find((each) => each.id === id)?.name ?? id),
          'and',
        ),
        span: spanWords(names, condition.within_s),
      })
    case 'parameters':
      return list(
        names,
        condition.parameters.map((each) => parameterWords(names, each)),
        'and',
      )
  }
}

const ORDER: readonly ConditionDraft['kind'][] = ['askers', 'sources', 'assets', 'value', 'destinations', 'memo', 'parameters', 'screening', 'times']

/** A rule as it is read: what it is about, how much it lets through, and what then happens; the steps of an approval stand for themselves. */
export function ruleWords(names: Names, rule: NamedDraft): { when: string; limits: string[]; outcome: string | undefined; more: string[] } {
  const { t } = names
  const conditions = rule.conditions.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
  const about = aboutWords(names, rule)
  const parts = conditions.map((each) => conditionWords(names, each))
  return {
    when: [parts.length > 0 && rule.covers.kind === 'payments' ? t('rules.say.payment') : about, ...parts].reduce((one, other) =>
      t('rules.say.join', { one, other }),
    ),
    limits: rule.limits.map((each) => limitWords(names, each)),
    outcome: outcomeWords(names, rule.action),
    more: moreWords(names, rule.action),
  }
}

function aboutWords(names: Names, { covers, action }: NamedDraft): string {
  const refuses = action.kind === 'refuse'
  switch (covers.kind) {
    case 'payments':
      return names.t('rules.say.anyPayment')
    case 'trades':
      return tradeWords(names, covers, refuses)
    case 'stake':
      return stakeWords(names, covers, refuses)
    case 'calls':
      return callWords(names, covers, refuses)
  }
}

/** A limit as a sentence. */
export function limitWords(names: Names, { each, length_s: length, amounts, max_count: count, max_tokens: tokens, max_usd: dollars }: LimitDraft): string {
  const { t } = names
  const what = [
    ...amounts.map(({ chain, asset, max }) => t('rules.say.amount', { amount: grouped(max), symbol: assetWords(names, chain, asset) })),
    ...(tokens === null ? [] : [t('rules.say.tokens', { amount: grouped(tokens) })]),
    ...(count === null ? [] : [t('rules.say.orders', { count })]),
    ...(dollars === null ? [] : [t('rules.say.worth', { amount: grouped(dollars) })]),
  ]
  return t(`rules.say.limit.${each}`, { what: list(names, what, 'and'), span: spanWords(names, length) })
}

function outcomeWords(names: Names, action: ActionDraft): string | undefined {
  const { t } = names
  if (action.kind === 'approve') return undefined
  if (action.kind === 'refuse') return t('rules.say.refused')
  const fees = action.fees.map(({ chain, max }) => t('rules.say.amount', { amount: grouped(max), symbol: assetWords(names, chain, '') }))
  return t('rules.say.passes', { fees: list(names, fees, 'or') })
}

function moreWords(names: Names, action: ActionDraft): string[] {
  const { t } = names
  if (action.kind === 'refuse') return []
  return [
    ...(action.kind === 'approve' && action.co_signer !== undefined
      ? [t('rules.say.coSigner', { name: names.known.coSigners.find(({ id }) => id === action.co_signer)?.name ?? action.co_signer })]
      : []),
    ...(action.kind === 'approve' && action.delay_s > 0 ? [t('rules.say.delay', { span: spanWords(names, action.delay_s) })] : []),
    ...(action.may_stop.length > 0 ? [t('rules.say.mayStop', { who: list(names, nameWho(names, action.may_stop)) })] : []),
    ...(action.expire_s > 0 ? [t('rules.say.expires', { span: spanWords(names, action.expire_s) })] : []),
  ]
}
