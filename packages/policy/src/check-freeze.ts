import { equalBytes } from '@holdfast/encoding'
import { type Assertion, ASSERTION_REFUSALS, AssertionRefused, CodedRefusal, type Freeze, freezeHash, type RefusalOf, verifyAssertion } from '@holdfast/intent'
import { findPerson, type Person, type Policy } from './policy.ts'
import { approversOf } from './rules/read-rule.ts'

/** Why a freeze does not count, by code. */
export const FREEZE_REFUSALS = {
  ...ASSERTION_REFUSALS,
  'freeze-other-organisation': 'made for another organisation',
  'freeze-by-stranger': 'given by somebody who is not in the policy',
  'freeze-without-right': '{name} neither approves by any rule nor governs the policy',
  'freeze-strange-key': "made with a key that is not one of {name}'s",
} as const

/** A freeze does not count. */
export class FreezeRefused extends CodedRefusal<typeof FREEZE_REFUSALS> {
  override name = 'FreezeRefused'

  constructor(refusal: RefusalOf<typeof FREEZE_REFUSALS>, options?: ErrorOptions) {
    super(FREEZE_REFUSALS, refusal, options)
  }
}

/** Whether a person may stop all signing: whoever approves by any rule, or governs. */
export function mayFreeze(policy: Policy, person: Uint8Array): boolean {
  const lists = [...policy.rules.map((rule) => approversOf(rule, policy)), policy.governance.approvers]
  return lists.some((approvers) => approvers.some((id) => equalBytes(id, person)))
}

/**
 * Checks that a person of this policy who may freeze has signed it, with a key that the policy names and at a place where approvals may come from. Returns the
 * person. Throws FreezeRefused.
 */
export const checkFreeze = ({ statement, assertion }: Freeze, policy: Policy, fingerprint: Uint8Array): Person =>
  checkStatement({ statement, assertion, challenge: freezeHash(statement), may: mayFreeze }, policy, fingerprint)

type Stated = {
  statement: { genesis: Uint8Array; person: Uint8Array }
  assertion: Assertion
  challenge: Uint8Array
  may(policy: Policy, person: Uint8Array): boolean
}

/** Checks what one person says alone, who stops something by it: a freeze, or a stop of standing orders. Returns the person. Throws FreezeRefused. */
export function checkStatement({ statement, assertion, challenge, may }: Stated, policy: Policy, fingerprint: Uint8Array): Person {
  if (!equalBytes(statement.genesis, fingerprint)) throw new FreezeRefused({ code: 'freeze-other-organisation' })
  const person = findPerson(policy, statement.person)
  if (!person) throw new FreezeRefused({ code: 'freeze-by-stranger' })
  if (!may(policy, person.id)) throw new FreezeRefused({ code: 'freeze-without-right', given: { name: person.name } })
  const credential = person.credentials.find((each) => equalBytes(each.id, assertion.credentialId))
  if (!credential) throw new FreezeRefused({ code: 'freeze-strange-key', given: { name: person.name } })
  try {
    verifyAssertion({ assertion, credential, challenge, origins: policy.origins })
  } catch (cause) {
    if (cause instanceof AssertionRefused) throw new FreezeRefused(cause.refusal, { cause })
    throw cause
  }
  return person
}
