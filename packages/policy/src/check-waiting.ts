import { equalBytes } from '@holdfast/encoding'
import {
  ASSERTION_REFUSALS,
  type Assertion,
  AssertionRefused,
  CodedRefusal,
  type Push,
  pushChallenge,
  type RefusalOf,
  verifyAssertion,
  type Waiting,
  waitingChallenge,
} from '@holdfast/intent'
import type { Person, Policy } from './policy.ts'

/** Why a question what waits, or a wish to be told of it, is not answered, by code. */
export const WAITING_REFUSALS = {
  ...ASSERTION_REFUSALS,
  'waiting-strange-key': 'no policy names this key: it approves nothing yet, or nothing any more',
  'waiting-out-of-time': 'not asked just now: check the clock of the device',
} as const

/** A question what waits is not answered. */
export class WaitingRefused extends CodedRefusal<typeof WAITING_REFUSALS> {
  override name = 'WaitingRefused'

  constructor(refusal: RefusalOf<typeof WAITING_REFUSALS>, options?: ErrorOptions) {
    super(WAITING_REFUSALS, refusal, options)
  }
}

/** A question counts for so long before and after the moment it names, so that clocks need not agree and a copy is soon worth nothing. */
const WAITING_WINDOW_MS = 300_000n

/** The person of a policy whose key this is; undefined if it names no such key. */
export function ownerOfKey({ people }: Policy, { assertion: { credentialId } }: Pick<Waiting, 'assertion'>): Person | undefined {
  return people.find(({ credentials }) => credentials.some(({ id }) => equalBytes(id, credentialId)))
}

/**
 * Checks that a person of this policy asks now what waits for them, with a key that the policy names and at a place where approvals may come from. Returns the
 * person. Throws WaitingRefused.
 */
export function checkWaiting({ statement, assertion }: Waiting, policy: Policy, nowMs: number): Person {
  return checkAsker({ assertion, atMs: statement.atMs, challenge: waitingChallenge(statement) }, policy, nowMs)
}

/** Checks that a person of this policy wants now to be told on a device that something waits, or no longer. Returns the person. Throws WaitingRefused. */
export function checkPush({ statement, assertion }: Push, policy: Policy, nowMs: number): Person {
  return checkAsker({ assertion, atMs: statement.atMs, challenge: pushChallenge(statement) }, policy, nowMs)
}

type Asked = { assertion: Assertion; atMs: bigint; challenge: Uint8Array }

function checkAsker({ assertion, atMs, challenge }: Asked, policy: Policy, nowMs: number): Person {
  const person = ownerOfKey(policy, { assertion })
  const credential = person?.credentials.find(({ id }) => equalBytes(id, assertion.credentialId))
  if (!person || !credential) throw new WaitingRefused({ code: 'waiting-strange-key' })
  const age = BigInt(nowMs) - atMs
  if (age > WAITING_WINDOW_MS || age < -WAITING_WINDOW_MS) throw new WaitingRefused({ code: 'waiting-out-of-time' })
  try {
    verifyAssertion({ assertion, credential, challenge, origins: policy.origins })
  } catch (cause) {
    if (cause instanceof AssertionRefused) throw new WaitingRefused(cause.refusal, { cause })
    throw cause
  }
  return person
}
