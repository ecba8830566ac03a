import { bool, struct } from '@holdfast/encoding'
import type { ConditionKind } from './condition-kind.ts'

const shape = struct('holdfast/condition/memo/v1', { isPresent: bool() })

const WORDS = { 'en-US': ['with a memo', 'without a memo'], 'zh-CN': ['附有备注标签', '不附备注标签'] } as const

/** Whether a memo goes along with a payment; of one to several, with each of them, or with none. */
export const memo = {
  shape,
  suits: ['payment'],
  fault: () => undefined,
  holds: ({ isPresent }, act) => act.as === 'payment' && (act.memos ?? [act.memo]).every((each) => isPresent === (each !== null && each !== '')),
  words: ({ isPresent }, _, locale) => WORDS[locale][isPresent ? 0 : 1],
} satisfies ConditionKind<typeof shape>
