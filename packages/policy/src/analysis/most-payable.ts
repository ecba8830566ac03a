import { isNamed } from '../conditions/index.ts'
import type { Policy } from '../policy.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { countedName, unitsWorth } from '../rules/valuation.ts'
import { outcomesOfAct } from '../evaluate/evaluate-order.ts'
import { type Asking, type Needs, type Outcome, type PaymentDraft, paymentRules } from '../evaluate/evaluate.ts'

type Draft = Omit<PaymentDraft, 'amount'>

/** Amounts of one payment, in base units, of which the rules say the same: more than `above`, and `atMost`. */
export type Stretch = { above: bigint; atMost: bigint; outcomes: readonly Outcome[] }

/**
 * What the rules say of a payment, amount by amount up to `most`. Between two bounds of conditions nothing changes, so that every amount is looked at by as many
 * evaluations as there are bounds.
 */
export function stretchesOf(policy: Policy, draft: Draft, most: bigint, asking: Asking = {}): Stretch[] {
  const bounds = paymentRules(policy)
    .flatMap((rule) => boundsOf(policy, rule, draft))
    .filter((bound) => bound > 0n && bound < most)
  const ends = most > 0n ? [...new Set([...bounds, most])].sort((a, b) => (a < b ? -1 : 1)) : []
  return ends.map((atMost, i) => {
    const act = { as: 'payment' as const, recipients: [], memo: null, source: null, ...draft, amount: atMost }
    return { above: ends[i - 1] ?? 0n, atMost, outcomes: outcomesOfAct(policy, act, asking) }
  })
}

/** The amounts of an asset at which a rule says something else than above them. */
function boundsOf(policy: Policy, rule: Rule, { chain, contract }: Draft): bigint[] {
  if (rule.kind === 'transfer') return rule.maxAmount === null ? [] : [rule.maxAmount]
  if (rule.kind !== 'named') return []
  const name = countedName(chain, contract)
  return rule.conditions.flatMap((each) => {
    if (each.kind === 'assets') {
      const own = each.assets.filter(({ asset }) => asset !== null && isNamed(asset, contract))
      return own.flatMap(({ above, atMost }) => (atMost === null ? [above] : [above, atMost]))
    }
    if (each.kind !== 'value') return []
    return [each.aboveCents, each.atMostCents ?? 0n].flatMap((cents) => unitsWorth(policy, name, cents) ?? [])
  })
}

/** The most that a rule leaves of a payment by its limits, in base units: less than 1 where they are used up, and null where nothing bounds it. */
export type RoomOf = (needs: Needs) => bigint | null

const hasRoom = (outcomes: readonly Outcome[], roomOf: RoomOf, amount: bigint): boolean =>
  outcomes.some((outcome) => outcome.kind === 'needs' && (roomOf(outcome) ?? amount) >= amount)

/** Whether an amount is let through by some rule that has room for it: a rule whose limits are used up passes it on to the next, and the last one to nobody. */
export const isPayable = (stretches: readonly Stretch[], amount: bigint, roomOf: RoomOf): boolean =>
  stretches.some(({ above, atMost, outcomes }) => amount > above && amount <= atMost && hasRoom(outcomes, roomOf, amount))

/** The most that is let through at once; 0 if nothing is. */
export function mostPayable(stretches: readonly Stretch[], roomOf: RoomOf): bigint {
  for (const { above, atMost, outcomes } of stretches.toReversed()) {
    const rooms = outcomes.flatMap((outcome) => (outcome.kind === 'needs' ? [roomOf(outcome) ?? atMost] : []))
    const most = rooms.reduce((best, room) => (room > best ? room : best), 0n)
    if (most > above) return most < atMost ? most : atMost
  }
  return 0n
}
