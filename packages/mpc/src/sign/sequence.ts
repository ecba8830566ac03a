import { bytes, digest, struct, text } from '@holdfast/encoding'
import { finish, type Step } from '../round/step.ts'
import type { Message, ProtocolContext } from '../round/transcript.ts'

export const partShape = struct('holdfast/mpc/part/v1', { session: bytes(32), part: text(16) })

/** The context of one part of a session: a session of its own, whose id follows from the whole one's and the part's name. */
export function partOf(context: ProtocolContext, part: string): ProtocolContext {
  return { ...context, session: digest(partShape, { session: context.session, part }) }
}

/**
 * Several protocols one after another in one session, as one protocol with all their rounds and all their results. A part begins when the one before it is
 * over, so that secrets which parts share are never in two runs at once, and a failure in one ends all.
 */
export function startInSequence<R>(context: ProtocolContext, parts: readonly ((context: ProtocolContext) => Step<R>)[]): Step<R[]> {
  const from = (index: number, results: R[]): Step<R[]> => {
    const part = parts[index]
    return part ? followedBy(part(partOf(context, String(index))), (result) => from(index + 1, [...results, result])) : finish(results)
  }
  return from(0, [])
}

/** Goes on with what `next` makes of the result, in the step in which the result is there; its rounds count on from `rounds`. */
export function followedBy<A, B>(step: Step<A>, next: (result: A) => Step<B>, rounds = 0): Step<B> {
  if (!step.awaiting) return renumber(next(step.result!), rounds)
  const { outgoing, awaiting } = step
  return { outgoing, awaiting, receive: (incoming) => followedBy(step.receive(incoming), next, awaiting.round) }
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
