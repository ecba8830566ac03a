import { type Infer, struct, uint } from '@holdfast/encoding'
import { initiatorName, ORDER_WORDS, validityRows } from '../order-rows.ts'
import { type Locale, type RenderContext, type Rendering, timeInWords } from '../rendering.ts'
import type { IntentKind } from './intent-kind.ts'
import { identityFields, statedFields } from './order-fields.ts'
import { PARTIES } from './parties.ts'

/** The longest that a signer may be said to be away by one order: 30 days. */
export const ABSENCE_MAX_MS = 30n * 86_400_000n

/**
 * An order that says that a signer is away until a time: until then the two others sign without its word. It ends earlier where that signer speaks again, and
 * is never renewed but by another order (`absenceFault`).
 */
const absenceIntentShape = struct('holdfast/intent/absence/v1', { ...identityFields, party: uint(8), untilMs: uint(), ...statedFields })

export type AbsenceIntent = { kind: 'absence' } & Infer<typeof absenceIntentShape>

type Absence = Omit<AbsenceIntent, 'kind'>

/** Why an order that a signer is away makes no sense in itself; undefined if it does. */
export function absenceFault({ party, untilMs, notBeforeMs, expiresAtMs }: Absence): string | undefined {
  if (!PARTIES.includes(party)) return `there is no signer ${party}`
  if (untilMs <= notBeforeMs) return 'the signer would be away at no time'
  if (untilMs > notBeforeMs + ABSENCE_MAX_MS) return 'a signer is said to be away for 30 days at most'
  return expiresAtMs <= notBeforeMs ? 'the order is open at no time at which it may be followed' : undefined
}

/** An order that a signer is away, in words. */
function render(intent: Absence, context: RenderContext, locale: Locale): Rendering {
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
    ],
    warnings: [words.awayRisk(party), words.awayAdvice(party)],
  }
}

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
  },
}

export const absence = { shape: absenceIntentShape, fault: absenceFault, render } satisfies IntentKind<typeof absenceIntentShape>
