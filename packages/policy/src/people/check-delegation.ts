import { equalBytes } from '@holdfast/encoding'
import {
  ASSERTION_REFUSALS,
  AssertionRefused,
  CodedRefusal,
  type Delegation,
  delegationHash,
  DELEGATION_MAX_MS,
  onlyEnds,
  type RefusalOf,
  verifyAssertion,
} from '@holdfast/intent'
import { deputiesMeant } from './deputies.ts'
import { isAmong } from './is-among.ts'
import { findPerson, type Person, type Policy } from '../policy.ts'

/** Why a statement that somebody decides for another does not count, by code. */
export const DELEGATION_REFUSALS = {
  ...ASSERTION_REFUSALS,
  'delegation-other-organisation': 'the statement was made for another organisation',
  'delegation-by-stranger': 'the statement was made by somebody who is not in the policy',
  'delegation-to-stranger': 'the statement names somebody who is not in the policy',
  'delegation-to-oneself': '{name} names themselves',
  'delegation-no-deputy': '{name} is not among those who may stand in by the policy',
  'delegation-strange-key': "the statement was made with a key that is not one of {name}'s",
  'delegation-time': 'the statement ends before it begins, or lasts for more than 30 days',
  'delegation-only-ends': 'the statement only ends those before it: nobody decides by it',
} as const

/** A statement does not count. */
export class DelegationRefused extends CodedRefusal<typeof DELEGATION_REFUSALS> {
  override name = 'DelegationRefused'

  constructor(refusal: RefusalOf<typeof DELEGATION_REFUSALS>, options?: ErrorOptions) {
    super(DELEGATION_REFUSALS, refusal, options)
  }
}

/**
 * Checks that a person of this policy signed a statement for this organisation, with a key that the policy names and at a place where approvals may come from:
 * enough for what it ends. Returns the person. Throws DelegationRefused.
 */
export function checkEnding({ statement, assertion }: Delegation, policy: Policy, fingerprint: Uint8Array): Person {
  if (!equalBytes(statement.genesis, fingerprint)) throw new DelegationRefused({ code: 'delegation-other-organisation' })
  const person = findPerson(policy, statement.delegator)
  if (!person) throw new DelegationRefused({ code: 'delegation-by-stranger' })
  const credential = person.credentials.find((each) => equalBytes(each.id, assertion.credentialId))
  if (!credential) throw new DelegationRefused({ code: 'delegation-strange-key', given: { name: person.name } })
  try {
    verifyAssertion({ assertion, credential, challenge: delegationHash(statement), origins: policy.origins })
  } catch (cause) {
    if (cause instanceof AssertionRefused) throw new DelegationRefused(cause.refusal, { cause })
    throw cause
  }
  return person
}

/**
 * Checks that somebody may decide by a statement at all: `checkEnding`, and that it names another person of this policy who may stand in, for 30 days at most.
 * Whether it is in force at a moment is for `isInForce`. Returns both. Throws DelegationRefused.
 */
export function checkDelegation(delegation: Delegation, policy: Policy, fingerprint: Uint8Array): { delegator: Person; delegate: Person } {
  const { statement } = delegation
  const delegator = checkEnding(delegation, policy, fingerprint)
  if (onlyEnds(statement)) throw new DelegationRefused({ code: 'delegation-only-ends' })
  const delegate = findPerson(policy, statement.delegate)
  if (!delegate) throw new DelegationRefused({ code: 'delegation-to-stranger' })
  if (equalBytes(statement.delegate, statement.delegator)) throw new DelegationRefused({ code: 'delegation-to-oneself', given: { name: delegator.name } })
  if (!isAmong(deputiesMeant(policy), delegate.id)) throw new DelegationRefused({ code: 'delegation-no-deputy', given: { name: delegate.name } })
  const length = statement.untilMs - statement.fromMs
  if (length <= 0n || length > BigInt(DELEGATION_MAX_MS)) throw new DelegationRefused({ code: 'delegation-time' })
  return { delegator, delegate }
}

/**
 * Checks a statement for what it says: that it may end those before it, and unless it only does that, that somebody may decide by it. Throws
 * DelegationRefused.
 */
export function checkStatement(delegation: Delegation, policy: Policy, fingerprint: Uint8Array): void {
  const check = onlyEnds(delegation.statement) ? checkEnding : checkDelegation
  check(delegation, policy, fingerprint)
}

/** Whether somebody decides by a statement at a moment: from `fromMs` on, and before `untilMs`. */
export const isInForce = ({ statement }: Pick<Delegation, 'statement'>, atMs: bigint): boolean => statement.fromMs <= atMs && atMs < statement.untilMs
