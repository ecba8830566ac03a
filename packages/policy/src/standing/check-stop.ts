import { equalBytes } from '@holdfast/encoding'
import { type Stop, stopHash } from '@holdfast/intent'
import { checkStatement, mayFreeze } from '../check-freeze.ts'
import type { Person, Policy } from '../policy.ts'
import { quorumOfPart } from '../parts.ts'

/** Whether a person may stop standing orders: whoever approves them, approves by any rule, or governs. */
export const mayStopStandingOrders = (policy: Policy, person: Uint8Array): boolean =>
  mayFreeze(policy, person) || (quorumOfPart(policy, 'standingOrders')?.approvers ?? []).some((id) => equalBytes(id, person))

/** Checks that a person of this policy who may stop standing orders has signed it. Returns the person. Throws FreezeRefused. */
export const checkStop = ({ statement, assertion }: Stop, policy: Policy, fingerprint: Uint8Array): Person =>
  checkStatement({ statement, assertion, challenge: stopHash(statement), may: mayStopStandingOrders }, policy, fingerprint)
