import { type Condition, inThirdForm, type NamedRule, type Party, type ThirdForm, type Who } from '../index.ts'
import type { StoredLimit } from '../rules/limits.ts'
import { type Member, samplePolicy } from './sample-organisation.ts'

export const personOf = ({ id }: { id: Uint8Array }): Who => ({ kind: 'person', id })
export const groupOf = (id: string): Who => ({ kind: 'group', id })

export type NamedRuleOf = {
  name?: string
  level?: 'higher' | 'basic'
  conditions?: Condition[]
  limits?: StoredLimit[]
  steps?: { need: bigint; who: Party[] }[]
} & Partial<Pick<NamedRule, 'covers' | 'action'>>

type Approve = Extract<NamedRule['action'], { kind: 'approve' }>

/** What asks for these steps. */
export const approveBy = (steps: Approve['steps'], given: Partial<Approve> = {}): Approve => ({
  kind: 'approve',
  steps,
  mayStop: [],
  delayMs: 0n,
  expiresAfterMs: 0n,
  ...given,
})

/** A named rule for payments: refuses, if it is given no steps. */
export function namedRule(id: string, { name = id, level = 'higher', conditions = [], limits = [], steps, ...others }: NamedRuleOf = {}): NamedRule {
  const action: NamedRule['action'] = steps ? approveBy(steps) : { kind: 'refuse' }
  return { kind: 'named', id, name, level, covers: { kind: 'payments' }, conditions, limits, action, ...others }
}

/** A policy of the third form. */
export function thirdForm(members: Member[], changes: Partial<ThirdForm>): ThirdForm {
  return { ...inThirdForm(samplePolicy(members, 2)), rules: [], ...changes } as ThirdForm
}

/** A condition on destinations that lets nothing through by itself. */
export const NOWHERE = { own: false, listed: false, lists: [], paidBefore: false }

/** At most so much, or so many, in a day. */
export const dayLimit = (given: Partial<StoredLimit>): StoredLimit => ({
  each: 'rule',
  lengthMs: 86_400_000n,
  amounts: [],
  maxTokens: null,
  maxCount: null,
  maxCents: null,
  ...given,
})
