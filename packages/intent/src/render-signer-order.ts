import { toHex } from '@holdfast/encoding'
import { freezeHash } from './freeze.ts'
import { identityRows, initiatorName, ORDER_WORDS, validityRows } from './order-rows.ts'
import { type Locale, type RenderContext, type Rendering, timeInWords } from './rendering.ts'
import type { AbsenceIntent, LiftFreezeIntent } from './signer-orders.ts'

const en = {
  ...ORDER_WORDS['en-US'],
  reason: 'Reason',
  whatHappens: 'What happens',
  away: (party: string) => `Signer ${party} is away: go on without its word`,
  until: 'Until, at the latest',
  goesOn: (party: string) =>
    `Until then the two other signers sign without the word of signer ${party}. It ends earlier, as soon as one of them hears signer ${party} again.`,
  awayRisk: (party: string) =>
    `Meanwhile the others do not know what only signer ${party} knows: a rejection or a freeze given only at its approval page, a version of the policy that only it was given. If one of the two others was put back to an older copy of its data, what it signed together with signer ${party} can be signed a second time.`,
  awayAdvice: (party: string) =>
    `Approve only if you know from a person who runs it that signer ${party} cannot answer. A server that somebody has taken over can make it seem so.`,
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
    away: (party) => `签名方 ${party} 离线：不等待其答复，继续签名`,
    until: '最迟截止时间',
    goesOn: (party) => `在此之前，另外两个签名方无需签名方 ${party} 的答复即可签名。一旦其中任一方再次收到签名方 ${party} 的答复，本授权即提前结束。`,
    awayRisk: (party) =>
      `在此期间，只有签名方 ${party} 知道的情况，其他签名方并不知道：仅在其审批页面提交的拒绝或冻结，仅发给它的策略版本。若另外两方之一的数据被恢复为旧副本，它与签名方 ${party} 一同签过的订单可能被再次签名。`,
    awayAdvice: (party) => `仅在向其运维人员确认签名方 ${party} 确实无法答复后批准。被他人控制的服务器也可能造成其离线的假象。`,
    lift: '解除冻结：允许签名方恢复签名',
    lifts: '签名方恢复签署付款、导出与分片更换；若另有未在此列出的冻结，则仍保持冻结。',
    frozenBy: '冻结人',
    frozenAt: '冻结时间',
    freeze: '冻结指纹',
    liftRisk: '有人因上述原因停止了一切签名。仅在与其本人核实，或确知该原因已消除后批准。',
  },
}

/** An order that a signer is away, in words. */
export function renderAbsence(intent: AbsenceIntent, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const party = String(intent.party)
  return {
    locale,
    title: words.away(party),
    rows: [
      { label: words.whatHappens, value: words.goesOn(party) },
      { label: words.until, value: timeInWords(intent.untilMs) },
      { label: words.reason, value: intent.remark === '' ? words.none : intent.remark },
      { label: words.initiator, value: initiatorName(intent, context, locale) },
      ...validityRows(intent, locale),
      ...identityRows(intent, locale),
    ],
    warnings: [words.awayRisk(party), words.awayAdvice(party)],
  }
}

/** An order to lift freezes, in words: who froze, when and why. */
export function renderLiftFreeze(intent: LiftFreezeIntent, context: RenderContext, locale: Locale): Rendering {
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
      ...identityRows(intent, locale),
    ],
    warnings: [words.liftRisk],
  }
}
