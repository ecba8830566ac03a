import type { Infer, StructShape } from '@holdfast/encoding'
import type { Act, Locale } from '@holdfast/intent'
import type { Directory } from '../people/groups.ts'
import type { Screened } from '../people/read-screenings.ts'
import type { Valued } from '../rules/valuation.ts'

/** What a rule is about: trades are calls of venues. */
export type About = Act['as'] | 'trade'

/** What conditions read of the policy that they stand in. */
export type Known = Directory & Valued

/** What only whoever decides knows; what is absent is not known there. */
export type Given = {
  /** The clock of whoever decides. */
  atMs?: number
  /** What is known of an address that is paid. */
  destination?: (to: PaidTo) => DestinationFacts
  /** What screeners said of the order. */
  screened?: Screened
}

/** Whom a payment goes to: an address as its chain spells it, with the memo that goes along. */
export type PaidTo = { chain: string; address: string; memo: string | null }

/**
 * What is known of an address: whether it is the organisation's own, on the whitelist and on which of its lists, and whether it was paid before. What is not known
 * is undefined.
 */
export type DestinationFacts = { isOwn: boolean | undefined; isListed: boolean | undefined; lists: readonly string[]; isPaidBefore: boolean | undefined }

/** Whether a condition holds; undefined where that is not known. */
export type Holds = boolean | undefined

/** What a kind of condition says of itself. One file has all of a kind, and `CONDITIONS` lists them. */
export type ConditionKind<S extends StructShape = StructShape> = {
  shape: S
  /** What rules it can stand in: those for payments, calls, stake or trades. */
  suits: readonly About[]
  /** Why it cannot stand in a policy, after the rule's name; undefined if it can. */
  fault(condition: Infer<S>, known: Known): string | undefined
  holds(condition: Infer<S>, act: Act, given: Given, known: Known): Holds
  /** A part of a sentence: `a payment …`. */
  words(condition: Infer<S>, known: Known, locale: Locale): string
}
