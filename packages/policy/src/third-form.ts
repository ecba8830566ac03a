import type { Policy } from './policy.ts'
import { namedIn } from './signers.ts'

export type ThirdForm = Extract<Policy, { kind: 'namedRules' }>

/** A policy in its third form, with the same meaning as before: what only that form has is empty. */
export function inThirdForm(policy: Policy): ThirdForm {
  if (policy.kind === 'namedRules') return policy
  return { ...policy, kind: 'namedRules', signers: namedIn(policy) ?? [], groups: [], machines: [], valuation: [], parts: [], looseningDelayMs: 0n }
}
