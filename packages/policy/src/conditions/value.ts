import { optional, struct, uint } from '@holdfast/encoding'
import { formatAmount } from '@holdfast/units'
import { BEYOND_CENTS, centsOf, countedName } from '../rules/valuation.ts'
import type { ConditionKind } from './condition-kind.ts'

/** What an order moves is worth more than `aboveCents`, if that is not 0, and at most `atMostCents`, absent without an upper bound: by the table of the policy. */
const shape = struct('holdfast/condition/value/v1', { aboveCents: uint(64), atMostCents: optional(uint(64)) })

const WORDS = {
  'en-US': {
    comma: ', ',
    above: (dollars: string) => `worth more than ${dollars} USD by the table of values`,
    atMost: (dollars: string) => `worth at most ${dollars} USD by the table of values`,
  },
  'zh-CN': {
    comma: '，',
    above: (dollars: string) => `按估值表价值高于 ${dollars} 美元`,
    atMost: (dollars: string) => `按估值表价值不超过 ${dollars} 美元`,
  },
}

/** What it is worth. What nobody has said the worth of is worth more than any bound. What a call moves its data does not say. */
export const value = {
  shape,
  suits: ['payment', 'stake'],
  fault: ({ aboveCents, atMostCents }) => {
    if (aboveCents === 0n && atMostCents === null) return 'is for any value'
    return atMostCents !== null && atMostCents <= aboveCents ? 'is for no value' : undefined
  },
  holds: ({ aboveCents, atMostCents }, act, { atMs }, known) => {
    if (act.as === 'call') return false
    const isIn = (cents: bigint) => (aboveCents === 0n || cents > aboveCents) && (atMostCents === null || cents <= atMostCents)
    const name = countedName(act.chain, act.as === 'payment' ? act.contract : null)
    if (atMs !== undefined) return isIn(centsOf(known, name, act.amount, { atMs }))
    // Without a clock nobody knows whether the table still says it.
    const held = isIn(centsOf(known, name, act.amount))
    return held === isIn(act.amount === 0n ? 0n : BEYOND_CENTS) ? held : undefined
  },
  words: ({ aboveCents, atMostCents }, _, locale) => {
    const words = WORDS[locale]
    const dollars = (cents: bigint) => formatAmount(cents, 2)
    return [...(aboveCents > 0n ? [words.above(dollars(aboveCents))] : []), ...(atMostCents === null ? [] : [words.atMost(dollars(atMostCents))])].join(
      words.comma,
    )
  },
} satisfies ConditionKind<typeof shape>
