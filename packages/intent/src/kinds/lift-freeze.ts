import { equalBytes, type Infer, list, struct, toHex } from '@holdfast/encoding'
import { freezeHash, freezeStatementShape } from '../freeze.ts'
import { initiatorName, ORDER_WORDS, validityRows } from '../order-rows.ts'
import { type Locale, type RenderContext, type Rendering, timeInWords } from '../rendering.ts'
import type { IntentKind } from './intent-kind.ts'
import { identityFields, statedFields } from './order-fields.ts'

/** More freezes at once nobody reads through before they lift them. */
export const FREEZES_MAX = 16

/** An order to lift freezes, each named whole, so that those who approve read who froze and why. A freeze that is not named stays. */
const liftFreezeIntentShape = struct('holdfast/intent/lift-freeze/v1', {
  ...identityFields,
  freezes: list(freezeStatementShape, FREEZES_MAX),
  ...statedFields,
})

export type LiftFreezeIntent = { kind: 'liftFreeze' } & Infer<typeof liftFreezeIntentShape>

type LiftFreeze = Omit<LiftFreezeIntent, 'kind'>

/** Why an order to lift freezes makes no sense in itself; undefined if it does. */
export function liftFreezeFault({ genesis, freezes }: LiftFreeze): string | undefined {
  if (freezes.length === 0) return 'the order names no freeze'
  const isOwn = freezes.every((freeze) => equalBytes(freeze.genesis, genesis))
  return isOwn ? undefined : 'the order names a freeze of another organisation'
}

/** An order to lift freezes, in words: who froze, when and why. */
function render(intent: LiftFreeze, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const frozen = intent.freezes.flatMap((freeze) => [
    { label: words.frozenBy, value: context.personName(freeze.person) ?? words.unknownPerson },
    { label: words.frozenAt, value: timeInWords(freeze.atMs) },
    { label: words.reason, value: freeze.reason === '' ? words.none : freeze.reason },
    { label: words.freeze, value: toHex(freezeHash(freeze)) },
  ])
  return {
    locale,
    title: words.lift,
    rows: [
      { label: words.whatHappens, value: words.lifts },
      ...frozen,
      { label: words.remark, value: intent.remark === '' ? words.none : intent.remark },
      { label: words.initiator, value: initiatorName(intent, context, locale) },
      ...validityRows(intent, locale),
    ],
    warnings: [words.liftRisk],
  }
}

const en = {
  ...ORDER_WORDS['en-US'],
  reason: 'Reason',
  whatHappens: 'What happens',
  lift: 'Lift the freeze: let the signers sign again',
  lifts: 'The signers sign payments, exports and new shares again, unless another freeze is in force that is not named here.',
  frozenBy: 'Frozen by',
  frozenAt: 'At',
  freeze: 'Fingerprint of the freeze',
  liftRisk: 'Somebody stopped everything for this reason. Approve only if you have spoken with that person, or know that the reason is gone.',
}

type Words = typeof en

const WORDS: Record<Locale, Words> = {
  'en-US': en,
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    reason: '原因',
    whatHappens: '操作内容',
    lift: '解除冻结：允许签名方恢复签名',
    lifts: '签名方恢复签署付款、导出与分片更换；若另有未在此列出的冻结，则仍保持冻结。',
    frozenBy: '冻结人',
    frozenAt: '冻结时间',
    freeze: '冻结指纹',
    liftRisk: '有人因上述原因停止了一切签名。仅在与其本人核实，或确知该原因已消除后批准。',
  },
}

export const liftFreeze = { shape: liftFreezeIntentShape, fault: liftFreezeFault, render } satisfies IntentKind<typeof liftFreezeIntentShape>
