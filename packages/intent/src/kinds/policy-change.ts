import { bytes, type Infer, struct } from '@holdfast/encoding'
import { initiatorName, ORDER_WORDS, validityRows } from '../order-rows.ts'
import type { Locale, RenderContext, Rendering } from '../rendering.ts'
import type { IntentKind } from './intent-kind.ts'
import { identityFields, validityFields } from './order-fields.ts'

/** An order to replace the policy by its next version; it contains that version whole. */
export const policyChangeIntentShape = struct('holdfast/intent/policy-change/v1', {
  ...identityFields,
  newPolicy: bytes(undefined, 1 << 20),
  ...validityFields,
  nonce: bytes(32),
})

export type PolicyChangeIntent = { kind: 'policyChange' } & Infer<typeof policyChangeIntentShape>

/** An order to replace the policy, in words: what the next version says. */
function render(intent: Omit<PolicyChangeIntent, 'kind'>, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  return {
    locale,
    title: words.changePolicy(String(intent.policyVersion + 1n)),
    rows: [
      ...context.policyLines(intent.newPolicy, locale, context).map((value, i) => ({ label: i === 0 ? words.newPolicy : '', value })),
      { label: words.initiator, value: initiatorName(intent, context, locale) },
      ...validityRows(intent, locale),
    ],
    warnings: [words.changesRights],
  }
}

const WORDS = {
  'en-US': {
    ...ORDER_WORDS['en-US'],
    changePolicy: (version: string) => `Replace the policy by version ${version}`,
    newPolicy: 'The new policy',
    changesRights: 'This changes who may move money. Read the new policy before you sign.',
  },
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    changePolicy: (version: string) => `将策略更换为版本 ${version}`,
    newPolicy: '新策略',
    changesRights: '此操作会改变谁可以动用资金。签名前请阅读新策略。',
  },
} as const

// What is wrong with a policy, whoever reads it says by the version in force.
export const policyChange = { shape: policyChangeIntentShape, fault: () => undefined, render } satisfies IntentKind<typeof policyChangeIntentShape>
