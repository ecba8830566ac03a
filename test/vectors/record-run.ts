import { createHash } from 'node:crypto'
import { decode, digest, toHex } from '@holdfast/encoding'
import type { Message, ProtocolContext, Random, Step } from '@holdfast/mpc'
import { messagesFor } from '../../packages/mpc/src/testing/run-parties.ts'
import { messageShape, sessionShape } from '../../packages/mpc/src/round/transcript.ts'

/** A run of one protocol, as a second implementation replays it. Bytes are hexadecimal; `random` is what a party drew, draw by draw, in order. */
export type Transcript = {
  title: string
  protocol: string
  context: { protocol: string; genesis: string; keyId: string; epoch: string; session: string; parties: number[] }
  inputs: Record<string, unknown>
  parties: { party: number; inputs: Record<string, string>; random: string[]; result: unknown }[]
  messages: { round: number; from: number; to: number; body: string }[]
  /** What follows from the messages: of each part the session, its binding and its id, and what else is worth comparing. */
  values: { parts: { session: string; binding: string; id: string }[] } & Record<string, unknown>
}

export const hash32 = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())

/** A reproducible stream that writes down what was drawn. For vectors alone: never use it for a key. */
export function recordingRandom(seed: string): { random: Random; drawn: string[] } {
  const drawn: string[] = []
  const random = (length: number) => {
    const given = new Uint8Array(createHash('shake256', { outputLength: length }).update(`${seed}/${drawn.length}`).digest())
    drawn.push(toHex(given))
    return given
  }
  return { random, drawn }
}

/** What a run is of. `start` begins party `context.me`; `inputsOf` and `resultOf` say how its own inputs and its result are written down. */
export type Plan<R> = {
  title: string
  protocol: string
  context: Omit<ProtocolContext, 'me'>
  inputs?: Record<string, unknown>
  inputsOf?: (party: number) => Record<string, string>
  start(context: ProtocolContext, random: Random): Step<R>
  resultOf(result: R): unknown
}

/** Runs honest parties against each other, and gives the transcript, the messages by round and what each party got. */
export function recordRun<R>(plan: Plan<R>): { transcript: Transcript; sent: Message[]; results: Map<number, R> } {
  const { title, protocol, context, inputs = {}, inputsOf = () => ({}) } = plan
  const sources = new Map(context.parties.map((party) => [party, recordingRandom(`holdfast vectors/${title}/${party}`)]))
  let steps = new Map(context.parties.map((me) => [me, plan.start({ ...context, me }, sources.get(me)!.random)]))
  const sent: Message[] = []
  while ([...steps.values()].some((step) => step.awaiting)) {
    const round = [...steps.values()].flatMap((step) => step.outgoing)
    sent.push(...round)
    steps = new Map([...steps].map(([me, step]) => [me, step.receive(messagesFor(me, round))]))
  }
  const results = new Map([...steps].map(([me, step]) => [me, step.result!]))
  const transcript: Transcript = {
    title,
    protocol,
    context: {
      ...context,
      genesis: toHex(context.genesis),
      keyId: toHex(context.keyId),
      epoch: String(context.epoch),
      session: toHex(context.session),
    },
    inputs,
    parties: context.parties.map((party) => ({
      party,
      inputs: inputsOf(party),
      random: sources.get(party)!.drawn,
      result: plan.resultOf(results.get(party)!),
    })),
    messages: sent.map(({ round, from, to, body }) => ({ round, from, to, body: toHex(body) })),
    values: { parts: partsOf(sent) },
  }
  return { transcript, sent, results }
}

function partsOf(sent: readonly Message[]): Transcript['values']['parts'] {
  const parts = new Map<string, Transcript['values']['parts'][number]>()
  for (const { body } of sent) {
    const { round: _round, from: _from, to: _to, ...whole } = decode(messageShape, body).header
    const session = toHex(whole.session)
    parts.set(session, { session, binding: toHex(whole.binding), id: toHex(digest(sessionShape, whole)) })
  }
  return [...parts.values()]
}
