import type { Infer, StructShape } from '@holdfast/encoding'
import { ProtocolFault } from './errors.ts'
import { type Message, readMessage, type Session } from './transcript.ts'

/**
 * Where a protocol stands. Send `outgoing`; if `awaiting` is not null, gather exactly one message of `awaiting.round` from each party of
 * `awaiting.from` (addressed to us or broadcast) and call `receive` with them; if it is null the protocol is over and `result` is there.
 * A step is used once: the second call of `receive` throws ProtocolFault, so that no nonce is ever used twice. Any throw ends the session.
 * The state lives in the step alone, is not serialisable and must not be kept.
 */
export type Step<R> = {
  readonly outgoing: Message[]
  readonly awaiting: { round: number; from: number[] } | null
  readonly result?: R
  receive(incoming: Message[]): Step<R>
}

/** A decoded message with the very bytes that carried it. */
export type Received<T> = { value: T; body: Uint8Array }

/** What a round consists of: its number, whether its messages go to all or to one, and their shape. */
export type Round<S extends StructShape> = { number: number; kind: 'broadcast' | 'direct'; shape: S }

/** A step that sends `outgoing` and then waits for one message of `round` from every peer, or from those of them that have to send one. */
export function awaitRound<S extends StructShape, R>(
  session: Session,
  outgoing: Message[],
  round: Round<S>,
  next: (received: Map<number, Received<Infer<S>>>) => Step<R>,
  senders: readonly number[] = session.peers,
): Step<R> {
  let handler: typeof next | null = next
  return {
    outgoing,
    awaiting: { round: round.number, from: [...senders] },
    receive(incoming) {
      const handle = handler
      handler = null
      if (!handle) throw new ProtocolFault(null, 'this step was already used: start a new session')
      return handle(readRound(session, round, senders, incoming))
    },
  }
}

/** The last step: sends nothing more and carries the result. */
export function finish<R>(result: R): Step<R> {
  return {
    outgoing: [],
    awaiting: null,
    result,
    receive() {
      throw new ProtocolFault(null, 'the protocol is over: start a new session')
    },
  }
}

function readRound<S extends StructShape>(session: Session, round: Round<S>, senders: readonly number[], incoming: Message[]): Map<number, Received<Infer<S>>> {
  if (!Array.isArray(incoming)) throw new ProtocolFault(null, 'expected a list of messages')
  const bodies = new Map<number, Uint8Array>()
  for (const message of incoming) {
    const { from } = message
    if (!session.peers.includes(from)) throw new ProtocolFault(null, 'a message from a party outside the session')
    if (!senders.includes(from)) throw new ProtocolFault(from, 'a message in a round in which it has none to send')
    if (bodies.has(from)) throw new ProtocolFault(from, 'two messages in one round')
    if (message.round !== round.number) throw new ProtocolFault(from, `a message of round ${message.round} where round ${round.number} was expected`)
    if (message.to !== receiver(session, round)) throw new ProtocolFault(from, 'a message to another receiver')
    if (!(message.body instanceof Uint8Array)) throw new ProtocolFault(from, 'a message without a body')
    // A copy, so that nothing outside can change the bytes after they were checked.
    bodies.set(from, new Uint8Array(message.body))
  }
  const received = new Map<number, Received<Infer<S>>>()
  for (const from of senders) {
    const body = bodies.get(from)
    if (!body) throw new ProtocolFault(from, `no message of round ${round.number}`)
    received.set(from, { value: readMessage(session, { round: round.number, from, to: receiver(session, round), shape: round.shape }, body), body })
  }
  return received
}

const receiver = (session: Session, round: Round<StructShape>): number => (round.kind === 'broadcast' ? 0 : session.me)
