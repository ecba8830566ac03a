import { equalBytes } from '@holdfast/encoding'
import { eligibleIn, fillSteps, type Step } from '@holdfast/policy'

/** Whether nobody else could take a person's place in the quorum: whoever else asks never counts, so the steps must be complete without the two of them. */
export function isIrreplaceable(steps: readonly Step[], person: Uint8Array): boolean {
  const others = eligibleIn(steps).filter((id) => !equalBytes(id, person))
  const missingWith = (asker: Uint8Array) =>
    fillSteps(
      steps,
      others.filter((id) => !equalBytes(id, asker)),
    ).missing
  return [person, ...others].some((asker) => missingWith(asker) > 0)
}
