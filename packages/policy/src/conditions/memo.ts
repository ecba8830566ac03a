import { bool, struct } from '@holdfast/encoding'
import type { ConditionKind } from './condition-kind.ts'

const shape = struct('holdfast/condition/memo/v1', { isPresent: bool() })

const WORDS = { 'en-US': ['with a memo', 'without a memo'], 'zh-CN': ['附有备注标签', '不附备注标签'] } as const

/** Whether a memo goes along with a payment. */
export const memo = {
  shape,
  suits: ['payment'],
  fault: () => undefined,
  holds: ({ isPresent }, act) => act.as === 'payment' && isPresent === (act.memo !== null && act.memo !== ''),
  words: ({ isPresent }, _, locale) => WORDS[locale][isPresent ? 0 : 1],
} satisfies ConditionKind<typeof shape>
