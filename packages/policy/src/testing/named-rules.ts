import type { Condition, NamedRule, Policy, Who } from '../index.ts'
import type { StoredLimit } from '../rules/limits.ts'
import { type Member, samplePolicy } from './sample-organisation.ts'

export type ThirdForm = Extract<Policy, { kind: 'namedRules' }>

export const personOf = ({ id }: { id: Uint8Array }): Who => ({ kind: 'person', id })
export const groupOf = (id: string): Who => ({ kind: 'group', id })

export type NamedRuleOf = {
  name?: string
  level?: 'higher' | 'basic'
  conditions?: Condition[]
  limits?: StoredLimit[]
  steps?: { need: bigint; who: Who[] }[]
} & Partial<Pick<NamedRule, 'covers' | 'action'>>

/** A named rule for payments: refuses, if it is given no steps. */
export function namedRule(id: string, { name = id, level = 'higher', conditions = [], limits = [], steps, ...others }: NamedRuleOf = {}): NamedRule {
  const action: NamedRule['action'] = steps ? { kind: 'approve', steps, expiresAfterMs: 0n } : { kind: 'refuse' }
  return { kind: 'named', id, name, level, covers: { kind: 'payments' }, conditions, limits, action, ...others }
}

/** A policy of the third form. */
export function thirdForm(members: Member[], changes: Partial<ThirdForm>): ThirdForm {
  return { ...samplePolicy(members, 2), kind: 'namedRules', signers: [], groups: [], rules: [], ...changes }
}

/** At most so much, or so many, in a day. */
export const dayLimit = (given: Partial<StoredLimit>): StoredLimit => ({
  each: 'rule',
  lengthMs: 86_400_000n,
  amounts: [],
  maxTokens: null,
  maxCount: null,
  ...given,
})
