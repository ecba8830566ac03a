import { isAmong, peopleOnce, without } from '../people/is-among.ts'

/**
 * So many distinct people of these. One person counts in one step only. `isAskers`: the step of whoever asks, under a rule that lets orders through by their own
 * signature; in any other step they never count.
 */
export type Step = { need: number; eligible: readonly Uint8Array[]; isAskers?: true }

/** Governance, and a rule of the first forms: so many of these. */
export const oneStep = (eligible: readonly Uint8Array[], threshold: bigint | number): Step[] => [{ need: Number(threshold), eligible }]

/** Everybody who counts in any step, each once. */
export const eligibleIn = (steps: readonly Step[]): Uint8Array[] => peopleOnce(steps.flatMap(({ eligible }) => [...eligible]))

/** Whose no is enough, of these people, for an order that these asked for: who asks only where they count in a step. */
export const mayStopFor = (mayStop: readonly Uint8Array[], steps: readonly Step[], askers: readonly Uint8Array[]): Uint8Array[] =>
  mayStop.filter((id) => !isAmong(askers, id) || isAmong(eligibleIn(steps), id))

/** How many people all steps need together. */
export const neededIn = (steps: readonly Step[]): number => steps.reduce((sum, { need }) => sum + need, 0)

/** The steps as they stand for an order that these people asked for: they count in the step of those who ask, and in no other. */
export const stepsFor = (steps: readonly Step[], askers: readonly Uint8Array[]): Step[] =>
  steps.map((step) => ({ ...step, eligible: step.isAskers ? step.eligible.filter((id) => isAmong(askers, id)) : without(step.eligible, askers) }))

/** Who stands in which step, and how many are missing in all of them together. */
export type Filled = { filled: Uint8Array[][]; missing: number }

/**
 * Spreads people over steps so that as few as possible are missing: a largest matching of people to the places of the steps, found by augmenting paths (Kuhn).
 * Whoever comes first takes the first step that has room, and moves on only to make room for somebody who fits nowhere else.
 */
export const fillSteps = (steps: readonly Step[], people: readonly Uint8Array[]): Filled =>
  fillBySeats(
    steps,
    peopleOnce(people).map((id) => [id]),
  )

/**
 * `fillSteps` of people who may each take one of several seats: their own, or that of somebody for whom they speak. Each list is the seats of one human, and no
 * seat is in two of them; so each human, and each seat, counts once at most, and what is matched are humans, who fit wherever one of their seats does. `filled`
 * has seats.
 */
export function fillBySeats(steps: readonly Step[], humans: readonly (readonly Uint8Array[])[]): Filled {
  const filled: { seat: Uint8Array; seats: readonly Uint8Array[] }[][] = steps.map(() => [])
  const place = (seats: readonly Uint8Array[], tried: Set<number>): boolean => {
    for (const [at, step] of steps.entries()) {
      const seat = tried.has(at) ? undefined : seats.find((each) => isAmong(step.eligible, each))
      if (!seat) continue
      tried.add(at)
      const inside = filled[at] ?? []
      if (inside.length < step.need) {
        inside.push({ seat, seats })
        return true
      }
      const moved = inside.findIndex((other) => place(other.seats, tried))
      if (moved >= 0) {
        inside[moved] = { seat, seats }
        return true
      }
    }
    return false
  }
  for (const seats of humans) place(seats, new Set())
  const missing = neededIn(steps) - filled.reduce((sum, each) => sum + each.length, 0)
  return { filled: filled.map((inside) => inside.map(({ seat }) => seat)), missing }
}
