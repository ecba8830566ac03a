import { createHash } from 'node:crypto'
import {
  CheatError,
  type EcdsaSignature,
  type KeyShare,
  type Message,
  type PairSeeds,
  PROTOCOL,
  type ProtocolContext,
  ProtocolFault,
  type Random,
  startKeyGeneration,
  startPairSetup,
  startResharing,
  startSigning,
  type Step,
} from '../index.ts'

/** For tests and benchmarks: a reproducible stream in place of a generator. Never use it for a key. */
export function seededRandom(seed: string): Random {
  let counter = 0
  return (length) => new Uint8Array(createHash('shake256', { outputLength: length }).update(`${seed}/${counter++}`).digest())
}

export const hash32 = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())

/** A context of one fixed test key. `session` names the session. */
export function contextOf(me: number, parties: number[], session: string, overrides: Partial<ProtocolContext> = {}): ProtocolContext {
  return { protocol: PROTOCOL, genesis: hash32('genesis'), keyId: hash32('key'), epoch: 0n, session: hash32(session), me, parties, ...overrides }
}

/** The messages among `messages` that `party` has to receive. */
export const messagesFor = (party: number, messages: readonly Message[]): Message[] =>
  messages.filter(({ from, to }) => from !== party && (to === 0 || to === party))

/** Runs honest parties against each other to the end: the loop that a signer drives, for all parties at once. */
export function runParties<R>(steps: Map<number, Step<R>>): Map<number, R> {
  let current = steps
  while ([...current.values()].some((step) => step.awaiting)) {
    const sent = [...current.values()].flatMap((step) => step.outgoing)
    current = new Map([...current].map(([party, step]) => [party, step.receive(messagesFor(party, sent))]))
  }
  return new Map([...current].map(([party, step]) => [party, step.result!]))
}

export const ALL = [1, 2, 3]

export function generateKey(seed: string, protocol = PROTOCOL): Map<number, KeyShare> {
  return runParties(new Map(ALL.map((me) => [me, startKeyGeneration(contextOf(me, ALL, `generate/${seed}`, { protocol }), seededRandom(`${seed}/${me}`))])))
}

/** New shares of a key in the next epoch, dealt by `dealers` to `receivers`. */
export function reshare(shares: Map<number, KeyShare>, dealers: number[], receivers: number[], seed: string): Map<number, KeyShare> {
  const key = shares.get(dealers[0]!)!
  const { protocol, epoch } = key
  const parties = [...new Set([...dealers, ...receivers])]
  const steps = parties.map((me): [number, Step<KeyShare | null>] => {
    const context = contextOf(me, parties, `reshare/${seed}`, { protocol, epoch: epoch + 1n })
    return [me, startResharing({ context, key, dealers, receivers, share: dealers.includes(me) ? shares.get(me)! : null }, seededRandom(`${seed}/${me}`))]
  })
  const results = runParties(new Map(steps))
  return new Map(receivers.map((party) => [party, results.get(party)!]))
}

export function setUpPair(parties: number[], seed: string, epoch = 0n): Map<number, PairSeeds> {
  return runParties(new Map(parties.map((me) => [me, startPairSetup(contextOf(me, parties, `pair/${seed}`, { epoch }), seededRandom(`${seed}/${me}`))])))
}

export type Pair = { parties: number[]; shares: Map<number, KeyShare>; seeds: Map<number, PairSeeds> }

export function startSigner(pair: Pair, me: number, request: { path: number[]; digest: Uint8Array; session: string }): Step<EcdsaSignature> {
  const { path, digest, session } = request
  return startSigning(
    {
      context: contextOf(me, pair.parties, session, { epoch: pair.shares.get(me)!.epoch }),
      share: pair.shares.get(me)!,
      seeds: pair.seeds.get(me)!,
      path,
      digest,
    },
    seededRandom(`${session}/${me}`),
  )
}

export function signTogether(pair: Pair, request: { path: number[]; digest: Uint8Array; session: string }): Map<number, EcdsaSignature> {
  return runParties(new Map(pair.parties.map((me) => [me, startSigner(pair, me, request)])))
}

/** What `act` throws, which must be one of the protocol's two errors. */
export function refusalOf(act: () => unknown): ProtocolFault | CheatError {
  let done: unknown
  try {
    done = act()
  } catch (error) {
    if (error instanceof ProtocolFault || error instanceof CheatError) return error
    throw error
  }
  throw new Error(`expected a refusal, but it gave ${done === undefined ? 'nothing' : 'a result'}`)
}
