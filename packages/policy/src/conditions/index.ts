import { type Infer, type StructShape, union } from '@holdfast/encoding'
import type { Act, Locale } from '@holdfast/intent'
import { askers } from './askers.ts'
import { assets } from './assets.ts'
import { comparisons } from './comparisons.ts'
import type { About, ConditionKind, Given, Holds, Known } from './condition-kind.ts'
import { destinations } from './destinations.ts'
import { memo } from './memo.ts'
import type { Comparison } from './comparison.ts'
import { asComparison, parameters } from './parameters.ts'
import { screening } from './screening.ts'
import { sources } from './sources.ts'
import { times } from './times.ts'
import { value } from './value.ts'

/** Every kind of condition that a named rule can have. */
const CONDITIONS = { askers, sources, assets, destinations, memo, times, value, parameters, screening, comparisons }

export const conditionShape = union({
  askers: askers.shape,
  sources: sources.shape,
  assets: assets.shape,
  destinations: destinations.shape,
  memo: memo.shape,
  times: times.shape,
  value: value.shape,
  parameters: parameters.shape,
  screening: screening.shape,
  comparisons: comparisons.shape,
} satisfies Record<keyof typeof CONDITIONS, StructShape>)

export type Condition = Infer<typeof conditionShape>

// What a kind does with its own conditions it does with any that carries its name.
const kindOf = ({ kind }: Condition): ConditionKind => CONDITIONS[kind] as ConditionKind

/** Why a condition cannot stand in a rule about such things; undefined if it can. */
export function faultOfCondition(condition: Condition, about: About, known: Known): string | undefined {
  const kind = kindOf(condition)
  return kind.suits.includes(about) ? kind.fault(condition, known) : `has a condition (${condition.kind}) that says nothing of what it is about`
}

/** Whether a condition holds for what an order does; undefined where that is not known. */
export const holds = (condition: Condition, act: Act, given: Given, known: Known): Holds => kindOf(condition).holds(condition, act, given, known)

/** A condition as a part of a sentence. */
export const describeCondition = (condition: Condition, known: Known, locale: Locale): string => kindOf(condition).words(condition, known, locale)

/** What a condition compares of the parameters of calls, in whichever form. */
export function comparisonsIn(condition: Condition): Comparison[] {
  if (condition.kind === 'parameters') return condition.parameters.map(asComparison)
  return condition.kind === 'comparisons' ? condition.comparisons : []
}

export { amountOf, type AssetName, isNamed, pinnedBy } from './assets.ts'
export { SCREENING_AGE_MAX_MS, SCREENING_AHEAD_MAX_MS, type ScreeningState, stateOf as screeningStateOf } from './screening.ts'
export { localTimeOf } from './times.ts'
export type { About, DestinationFacts, Given, Known, PaidTo } from './condition-kind.ts'
export { boundsOf, type Comparison, fits, rangeOf, type Test, VALUE_BYTES_MAX } from './comparison.ts'
export { isCalledWith } from './compared-call.ts'
export { isInList, type Path, placeAt } from './compared-place.ts'
export { isFirstForm } from './parameters.ts'
