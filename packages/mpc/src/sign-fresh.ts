import { startPairSetup } from './pair-setup.ts'
import type { Random } from './randomness.ts'
import { followedBy, partOf } from './sequence.ts'
import { type EcdsaSignature, type SigningInput, startSigning } from './sign.ts'
import type { Step } from './step.ts'

/**
 * Two parties sign as `startSigning` does, with base OTs made for this one signature and forgotten after it: nothing that a cheater could learn bit by bit
 * lives on to the next session. Slower by a pair set-up; for orders large enough to wait for it. Six rounds, the first three those of the set-up. Errors
 * as `startPairSetup` and `startSigning`.
 */
export function startFreshSigning(input: Omit<SigningInput, 'seeds'>, random: Random): Step<EcdsaSignature> {
  const { context } = input
  return followedBy(startPairSetup(partOf(context, 'pair-setup'), random), (seeds) =>
    startSigning({ ...input, context: partOf(context, 'sign'), seeds }, random),
  )
}
