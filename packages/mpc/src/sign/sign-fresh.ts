import type { KeyShare } from '../key/key-share.ts'
import { startPairSetup } from './pair-setup.ts'
import type { Random } from '../round/randomness.ts'
import { followedBy, partOf, startInSequence } from './sequence.ts'
import { type EcdsaSignature, startSigning } from './sign.ts'
import type { Step } from '../round/step.ts'
import type { ProtocolContext } from '../round/transcript.ts'

/** `digests` are all that one order needs, signed with the child key along `path`. */
export type FreshInput = { context: ProtocolContext; share: KeyShare; path: number[]; digests: readonly Uint8Array[] }

/**
 * Two parties sign as `startSigning` does, with base OTs made for this one order and forgotten after it: nothing that a cheater could learn bit by bit
 * lives on to the next order. Slower by a pair set-up; for orders large enough to wait for it. The signatures are made one after the other, and a failed check
 * in one ends all, so a cheater learns no more of these base OTs than the one bit it would learn of base OTs for each. Three rounds of set-up, and three for
 * each signature. Errors as `startPairSetup` and `startSigning`.
 */
export function startFreshSigning({ context, share, path, digests }: FreshInput, random: Random): Step<EcdsaSignature[]> {
  return followedBy(startPairSetup(partOf(context, 'pair-setup'), random), (seeds) =>
    startInSequence(
      context,
      digests.map((digest) => (part) => startSigning({ context: part, share, seeds, path, digest }, random)),
    ),
  )
}
