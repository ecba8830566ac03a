import { hasThirdForm, type Policy, type ThirdForm } from './policy.ts'
import { namedIn } from './signers.ts'

/** A policy in its third form, with the same meaning as before: what only that form has is empty. */
export function inThirdForm(policy: Policy): ThirdForm {
  if (hasThirdForm(policy)) return policy
  return { ...policy, kind: 'namedRules', signers: namedIn(policy) ?? [], groups: [], machines: [], valuation: [], parts: [], looseningDelayMs: 0n }
}
