import { eligibleIn, oneStep, type Step } from '../evaluate/steps.ts'
import { isAmong, peopleOnce, without } from '../people/is-among.ts'
import { type PartName } from './part-names.ts'
import { quorumOfPart } from '../parts.ts'
import type { Policy } from '../policy.ts'
import { areAmong } from './compare.ts'
import { askersOfChanged, rulesLoosen } from './loosened-rules.ts'
import { partsTouched } from './touched-parts.ts'

/**
 * People who must approve a change of the policy: those who govern now (`current`) or are to govern (`next`), or those of a part. `directory` names them with
 * their keys; who proposes it is in none of the steps. `mayStop`: whose no is enough.
 */
export type ChangeQuorum = { of: 'current' | 'next' | PartName; directory: Policy; steps: readonly Step[]; mayStop: readonly Uint8Array[] }

/**
 * Who must approve a change from one version of the policy to another: the quorum of every part that it touches, by the present version, and those who govern
 * where it touches what no part claims; where others are to govern, they as well, with the keys of their own version. Everybody decides for every quorum that
 * they are in.
 */
export function quorumsOfChange(current: Policy, next: Policy, initiator: Uint8Array): [ChangeQuorum, ...ChangeQuorum[]] {
  const touched = partsTouched(current, next)
  const claimed = touched.flatMap((name) => {
    const quorum = name === 'governance' ? undefined : quorumOfPart(current, name)
    return quorum && name !== 'governance' ? [{ name, ...quorum }] : []
  })
  const ofParts = claimed.map(({ name, approvers, threshold }): ChangeQuorum => {
    const people = without(approvers, [initiator])
    const steps = saysWhatRulesMean(name) ? stepsOfStrategies(current, next, { people, need: Number(threshold) }) : oneStep(people, threshold)
    return { of: name, directory: current, steps, mayStop: stoppers(current, people, initiator) }
  })
  const bindsThemselves = ofParts.some(({ of, steps }) => saysWhatRulesMean(of) && bindsAlone(current, next, steps))
  if (claimed.length === touched.length && touched.length > 0 && !bindsThemselves) return ofParts as [ChangeQuorum, ...ChangeQuorum[]]
  const governors = (of: 'current' | 'next', policy: Policy): ChangeQuorum => {
    const people = without(policy.governance.approvers, [initiator])
    return { of, directory: policy, steps: oneStep(people, policy.governance.threshold), mayStop: people }
  }
  const others = areTheSame(current.governance.approvers, next.governance.approvers) ? [] : [governors('next', next)]
  return [governors('current', current), ...others, ...ofParts]
}

/** Rules loosen by what they say, and by what assets are taken to be worth. */
const saysWhatRulesMean = (part: ChangeQuorum['of']): boolean => part === 'strategies' || part === 'valuation'

/** Whose no stops a change of a part: that of its own people, and of those who govern. */
const stoppers = ({ governance }: Policy, people: readonly Uint8Array[], initiator: Uint8Array): Uint8Array[] =>
  peopleOnce([...people, ...without(governance.approvers, [initiator])])

/**
 * A rule is never loosened by the people whom it binds alone: of those who approve, one at least may ask under none of the rules that a loosening change
 * touches, neither before nor after. Where there is no such person among them, those who govern approve as well.
 */
function stepsOfStrategies(current: Policy, next: Policy, { people, need }: { people: Uint8Array[]; need: number }): Step[] {
  const free = rulesLoosen(current, next) ? without(people, askersOfChanged(current, next)) : people
  if (free.length === 0 || areAmong(people, free)) return [{ need, eligible: people }]
  return [{ need: 1, eligible: free }, ...(need > 1 ? [{ need: need - 1, eligible: people }] : [])]
}

function bindsAlone(current: Policy, next: Policy, steps: readonly Step[]): boolean {
  if (!rulesLoosen(current, next)) return false
  const bound = askersOfChanged(current, next)
  return eligibleIn(steps).every((id) => isAmong(bound, id))
}

const areTheSame = (a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean => a.length === b.length && areAmong(a, b)
