import { equalBytes } from '@holdfast/encoding'
import { AssertionRefused, type Freeze, freezeHash, verifyAssertion } from '@holdfast/intent'
import { findPerson, type Person, type Policy } from './policy.ts'

/** Why a freeze does not count. */
export class FreezeRefused extends Error {
  override name = 'FreezeRefused'
}

/** Whether a person may stop all signing: whoever approves by any rule, or governs. */
export function mayFreeze(policy: Policy, person: Uint8Array): boolean {
  const lists = [...policy.rules.map((rule) => rule.approvers), policy.governance.approvers]
  return lists.some((approvers) => approvers.some((id) => equalBytes(id, person)))
}

/**
 * Checks that a person of this policy who may freeze has signed it, with a key that the policy names and at a place where approvals may come from. Returns the
 * person. Throws FreezeRefused.
 */
export function checkFreeze({ statement, assertion }: Freeze, policy: Policy, fingerprint: Uint8Array): Person {
  if (!equalBytes(statement.genesis, fingerprint)) throw new FreezeRefused('made for another organisation')
  const person = findPerson(policy, statement.person)
  if (!person) throw new FreezeRefused('given by somebody who is not in the policy')
  if (!mayFreeze(policy, person.id)) throw new FreezeRefused(`${person.name} neither approves by any rule nor governs the policy`)
  const credential = person.credentials.find((each) => equalBytes(each.id, assertion.credentialId))
  if (!credential) throw new FreezeRefused(`made with a key that is not one of ${person.name}'s`)
  try {
    verifyAssertion({ assertion, credential, challenge: freezeHash(statement), origins: policy.origins })
  } catch (cause) {
    if (cause instanceof AssertionRefused) throw new FreezeRefused(cause.message, { cause })
    throw cause
  }
  return person
}
