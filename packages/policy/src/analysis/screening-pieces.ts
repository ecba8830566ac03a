import { SCREENING_LEVELS, type ScreeningLevel } from '@holdfast/intent'
import type { Rule } from '../rules/rule-shapes.ts'
import type { Piece } from './dimension.ts'
import { conditionsIn } from './payment-dimensions.ts'

/** What screeners said; null is nothing that counts. */
const SAYINGS: readonly (ScreeningLevel | null)[] = [null, ...SCREENING_LEVELS]
/** What more screeners than these say is not looked at in every combination. */
const MACHINES_MAX = 2

/**
 * Everything that screeners whom rules name can have said of an order just now, or nothing; no piece where no rule asks. `isWhole` is false where there are too many
 * screeners for every combination of what they say: then they all say the same.
 */
export function screeningPieces(rules: readonly Rule[], nowMs: number): { pieces: Piece[]; isWhole: boolean } {
  const machines = [...new Set(conditionsIn(rules, 'screening').flatMap((each) => each.machines))]
  if (machines.length === 0) return { pieces: [], isWhole: true }
  const isWhole = machines.length <= MACHINES_MAX
  const all = isWhole
    ? machines.reduce<{ machine: string; level: ScreeningLevel | null }[][]>(
        (before, machine) => before.flatMap((said) => SAYINGS.map((level) => [...said, { machine, level }])),
        [[]],
      )
    : SAYINGS.map((level) => machines.map((machine) => ({ machine, level })))
  const pieces = all.map((says): Piece => {
    const said = says.flatMap(({ machine, level }) => (level === null ? [] : [{ machine, level, atMs: nowMs }]))
    return { told: { kind: 'screening', says }, act: {}, given: { screened: { said, atMs: [nowMs] } } }
  })
  return { pieces, isWhole }
}
