import { list, struct } from '@holdfast/encoding'
import { isCalledWith } from './compared-call.ts'
import { comparisonShape, comparisonsWords, faultOfComparison } from './comparison.ts'
import type { ConditionKind } from './condition-kind.ts'
import { isFirstForm } from './parameters.ts'

const shape = struct('holdfast/condition/comparisons/v1', { comparisons: list(comparisonShape, 32) })

/** With what functions may be called, parameters of every type: what the condition `parameters` can say stays in that form, which signers of before read. */
export const comparisons = {
  shape,
  suits: ['call'],
  fault: ({ comparisons: compared }) => {
    if (compared.length === 0) return 'compares no parameter'
    if (new Set(compared.map(({ signature, path }) => `${signature} ${path.join('.')}`)).size !== compared.length) return 'compares a parameter twice'
    const fault = compared.map(faultOfComparison).find((each) => each !== undefined)
    return fault ?? (compared.every(isFirstForm) ? 'compares only numbers without a sign and addresses, for which there is the form of before' : undefined)
  },
  holds: ({ comparisons: compared }, act) => isCalledWith(compared, act),
  words: ({ comparisons: compared }, _, locale) => comparisonsWords(compared, locale),
} satisfies ConditionKind<typeof shape>
