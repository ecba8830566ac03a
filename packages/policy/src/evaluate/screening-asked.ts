import type { Outcome } from './evaluate.ts'
import { type Condition, type ScreeningState, screeningStateOf } from '../conditions/index.ts'
import type { Screened } from '../people/read-screenings.ts'
import { type Policy, rulesOf } from '../policy.ts'
import type { Rule } from '../rules/rule-shapes.ts'

/** What a rule demands of one screener, and what its word is to that rule at a moment. */
export type ScreeningAsked = { rule: Rule; levels: readonly string[]; withinMs: bigint; state: ScreeningState }

type Demands = Extract<Condition, { kind: 'screening' }>

const demandsOf = (rule: Rule): Demands[] => (rule.kind === 'named' ? rule.conditions.filter((each): each is Demands => each.kind === 'screening') : [])

/** Whether any rule of a policy demands what a screener says; or one that names this machine does. */
export const asksForScreening = (policy: Policy, machine?: string): boolean =>
  rulesOf(policy).some((rule) => demandsOf(rule).some(({ machines }) => machine === undefined || machines.includes(machine)))

/**
 * What screeners have to say before an order can be signed by the rule `by`: what that rule demands, and every rule before it that refuses. `outcomes` are those of
 * the order as long as screeners can still be asked (`Screened.isOpen`).
 */
export function screeningAsked(
  policy: Policy,
  outcomes: readonly Outcome[],
  by: string | null,
  { said, atMs }: { said: Screened['said']; atMs: number },
): ScreeningAsked[] {
  const at = by === null ? outcomes.findIndex(({ kind }) => kind === 'needs') : outcomes.findIndex(({ rule }) => rule?.id === by)
  return outcomes.slice(0, at + 1).flatMap((outcome, i) => {
    const { rule } = outcome
    if (rule === null || (i < at && outcome.kind === 'needs')) return []
    return demandsOf(rule).flatMap(({ machines, levels, withinMs }) =>
      machines.map((machine) => ({ rule, levels, withinMs, state: screeningStateOf(machine, { withinMs }, { said, atMs }, policy) })),
    )
  })
}
