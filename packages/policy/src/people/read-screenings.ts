import { equalBytes } from '@holdfast/encoding'
import { isScreeningLevel, isSignedByScreener, type ScreeningLevel, type ScreeningWord } from '@holdfast/intent'
import { findMachine, machinesOf, type Machine } from './machines.ts'

/** What a screener of the policy said of an order, and when. */
export type Screening = { machine: string; level: ScreeningLevel; atMs: number }

/**
 * What screeners said of an order, as far as it is known, and the moments at which it has to hold: those of whoever decides, by their own clock. `isOpen`: who has
 * said nothing yet can still be asked, so that a rule that demands it may decide; for whoever decides there is nothing more.
 */
export type Screened = { said: readonly Screening[]; atMs: readonly number[]; isOpen?: boolean }

/** Before any screener was asked. */
export const UNSCREENED: Screened = { said: [], atMs: [], isOpen: true }

type About = { genesis: Uint8Array; intentHash: Uint8Array }

/** Why a screening word says nothing of an order; undefined if it does. */
export type ScreeningFault = 'screening-other-organisation' | 'screening-other-order' | 'screening-unknown-level' | 'screener-unknown' | 'screener-strange-key'

/** Why a word says nothing of this order under a policy; undefined if it does. Whether it is young enough, and its machine still counts, rules say. */
export function faultOfScreening(word: ScreeningWord, { genesis, intentHash }: About, policy: Parameters<typeof machinesOf>[0]): ScreeningFault | undefined {
  if (!equalBytes(word.genesis, genesis)) return 'screening-other-organisation'
  if (!equalBytes(word.intentHash, intentHash)) return 'screening-other-order'
  if (!isScreeningLevel(word.level)) return 'screening-unknown-level'
  const machine = screenerOf(policy, word.machine)
  if (!machine) return 'screener-unknown'
  return isSignedByScreener(word, machine.publicKey) ? undefined : 'screener-strange-key'
}

/** The screener of this id; undefined where the policy names none. */
export function screenerOf(policy: Parameters<typeof machinesOf>[0], id: string): Machine | undefined {
  const machine = findMachine(policy, id)
  return machine?.kind === 'screener' ? machine : undefined
}

/** What screeners of a policy said of an order. A word that says nothing of it is as good as none. */
export const readScreenings = (words: readonly ScreeningWord[], about: About, policy: Parameters<typeof machinesOf>[0]): Screening[] =>
  words
    .filter((word) => faultOfScreening(word, about, policy) === undefined)
    .map(({ machine, level, screenedAtMs }) => ({ machine, level: level as ScreeningLevel, atMs: Number(screenedAtMs) }))
