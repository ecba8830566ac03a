/** One session in which two signers were asked to sign an order, and its outcome; `null` if nobody knows it. */
export type Attempt = {
  parties: readonly number[]
  outcome: 'signed' | 'refused' | 'unclear' | 'cheat' | null
  /** The signer that refused, and the check. */
  party: number | null
  failed_check: string | null
  /** When the signers were told to begin. Before that none of them has sent a message. */
  handed_over_at: bigint | null
}

export type Choice = { kind: 'parties'; parties: [number, number] } | { kind: 'wait' } | { kind: 'blocked' }

const PAIRS: readonly [number, number][] = [
  [1, 2],
  [1, 3],
  [2, 3],
]

/**
 * Refusals about the signers' own state, and not against the order: no share or a join that does not fit
 * (c1), a slot still bound to another order (c10), a checkpoint not signed yet (c11), a signer behind or put back (c12), a
 * burned pair (c15). Another pair may do, or the same one later. Every other check is about the order, and one is enough.
 */
const OF_THE_SIGNERS = ['c1', 'c10', 'c11', 'c12', 'c15']

/** Refusals made after the joins, when the other signer may have bound the slot for good. */
const AFTER_JOINING = ['c1', 'c12']

export function isAgainstOrder(failedCheck: string): boolean {
  return !OF_THE_SIGNERS.includes(failedCheck)
}

/**
 * The two signers to ask next: the pair that failed least. A signer that may have bound the slot to an order that died
 * refuses every other order in it, so it is not asked; if two of the three have, the slot is `blocked` and only a person
 * can help.
 */
export function chooseParties(input: { usable: readonly number[]; attempts: readonly Attempt[]; bound: ReadonlySet<number> }): Choice {
  if (input.bound.size > 1) return { kind: 'blocked' }
  const usable = PAIRS.filter((pair) => pair.every((party) => input.usable.includes(party) && !input.bound.has(party)))
  const failures = (pair: readonly [number, number]) => input.attempts.filter((each) => pair.every((party) => each.parties.includes(party))).length
  const [best] = usable.toSorted((left, right) => failures(left) - failures(right))
  return best ? { kind: 'parties', parties: best } : { kind: 'wait' }
}

/** Whether a signature may exist that we were never given: signers were told to begin, and nobody knows how it ended. */
export function isUnclear({ outcome, handed_over_at: handedOverAt }: Attempt): boolean {
  return outcome === 'cheat' || (handedOverAt !== null && (outcome === null || outcome === 'unclear'))
}

/** The signers that may have bound an order's slot to it for good although it was never signed. */
export function boundParties(attempts: readonly Attempt[]): Set<number> {
  const binding = attempts.filter(
    (each) =>
      isUnclear(each) ||
      each.outcome === 'signed' ||
      (each.handed_over_at !== null && each.outcome === 'refused' && AFTER_JOINING.includes(each.failed_check ?? '')),
  )
  return new Set(binding.flatMap((each) => each.parties.filter((party) => !(each.outcome === 'refused' && each.party === party))))
}
