import { bytes, digest, struct, text } from '@holdfast/encoding'
import type { MultiplySecret } from './multiply-secret.ts'
import { startPairSetup } from './pair-setup.ts'
import type { Random } from './randomness.ts'
import { type EcdsaSignature, type SigningInput, startSigning } from './sign.ts'
import type { Message, ProtocolContext } from './transcript.ts'
import type { Step } from './step.ts'

const SETUP_ROUNDS = 3
const partShape = struct('holdfast/mpc/sign-fresh/part/v1', { session: bytes(32), part: text(16) })

/**
 * Two parties sign as `startSigning` does, with base OTs made for this one signature and forgotten after it: nothing that a cheater could learn bit by bit
 * lives on to the next session. Slower by a pair set-up; for orders large enough to wait for it. Six rounds, the first three those of the set-up. Errors
 * as `startPairSetup` and `startSigning`.
 */
export function startFreshSigning(input: Omit<SigningInput, 'seeds'>, random: Random, multiply?: MultiplySecret): Step<EcdsaSignature> {
  const part = (name: string): ProtocolContext => ({ ...input.context, session: digest(partShape, { session: input.context.session, part: name }) })
  return then(startPairSetup(part('pair-setup'), random, multiply), (seeds) =>
    renumber(startSigning({ ...input, context: part('sign'), seeds }, random, multiply), SETUP_ROUNDS),
  )
}

/** Goes on with what `next` makes of the result, in the step in which the result is there. */
function then<A, B>(step: Step<A>, next: (result: A) => Step<B>): Step<B> {
  if (!step.awaiting) return next(step.result!)
  return { outgoing: step.outgoing, awaiting: step.awaiting, receive: (incoming) => then(step.receive(incoming), next) }
}

/** The same protocol with `before` rounds in front of its own. */
function renumber<R>(step: Step<R>, before: number): Step<R> {
  const shift = (messages: Message[], by: number) => messages.map((message) => ({ ...message, round: message.round + by }))
  return {
    outgoing: shift(step.outgoing, before),
    awaiting: step.awaiting && { ...step.awaiting, round: step.awaiting.round + before },
    result: step.result,
    receive: (incoming) => renumber(step.receive(shift(incoming, -before)), before),
  }
}
