import { askAlong, type OrganisationTx } from '@holdfast/db'
import { type MailAbout, type MailNeeds, writeMail } from '@holdfast/features/mail/server'
import { timeInWords } from '@holdfast/intent'
import { speakersOf } from './delegated.ts'

type Words = Record<'en-US' | 'zh-CN', string>

/** What an e-mail calls what can be stopped: no more than its kind. */
const ORDER: Words = { 'en-US': 'An order', 'zh-CN': '一笔订单' }
const NAMES: Readonly<Record<string, Words>> = {
  batch: { 'en-US': 'A batch of payments', 'zh-CN': '一批付款' },
  policy_change: { 'en-US': 'A change that loosens the policy', 'zh-CN': '一项放宽策略的变更' },
}

function wordsOf(kind: string, untilMs: bigint): MailAbout['words'] {
  const name = NAMES[kind] ?? ORDER
  // To the second, for people.
  const until = timeInWords(untilMs - (untilMs % 1000n))
  return {
    'en-US': {
      subject: 'You can still stop an approved order',
      text: `${name['en-US']} has its approvals and is waiting before the signers act on it. You can stop it on the approval page until ${until}; if nobody does, it goes ahead. See what it is:`,
    },
    'zh-CN': {
      subject: '已获批准的事项仍可叫停',
      text: `${name['zh-CN']}已获所需审批，正处于签名方执行前的等待期。在 ${until} 之前，您可在审批页面叫停；无人叫停则届时执行。请查看：`,
    },
  }
}

/**
 * Tells everybody who has said nothing of something yet, and whoever decides in their place, once, that it has its approvals and until when a no of theirs
 * still stops it: by e-mail, and on their devices (features/push), without a word of what it is about.
 */
export async function tellStoppers(tx: OrganisationTx, needs: MailNeeds, { subjectId, untilMs }: { subjectId: string; untilMs: bigint }): Promise<void> {
  const opened = await openStop(tx, subjectId, { untilMs, nowMs: needs.ports.clock.nowMs() })
  if (!opened) return
  const { kind, personIds } = opened
  await writeMail(tx, needs, { topic: 'order_stoppable', aboutId: subjectId, personIds, path: '/mpc/inbox', words: wordsOf(kind, untilMs) })
}

/**
 * Keeps until when people can still stop what they approved. Answers its kind and who may still speak about it, the first time it is called, and undefined
 * after that.
 */
async function openStop(
  tx: OrganisationTx,
  subjectId: string,
  { untilMs, nowMs }: { untilMs: bigint; nowMs: number },
): Promise<{ kind: string; personIds: string[] } | undefined> {
  const of = tx.updateTable('proposal').where('org_id', '=', tx.orgId).where('subject_id', '=', subjectId)
  const first = await of.set({ stop_since: nowMs, stop_until: untilMs }).where('stop_since', 'is', null).returning('kind').executeTakeFirst()
  if (!first) {
    await of.set({ stop_until: untilMs }).where('stop_until', '<>', untilMs).execute()
    return undefined
  }
  return { kind: first.kind, personIds: await speakersOf(tx, subjectId, nowMs) }
}

/** Keeps that nobody can stop it any more, in the transaction in which that becomes so. */
export async function endStop(tx: OrganisationTx, subjectId: string): Promise<void> {
  askAlong(tx, tx.updateTable('proposal').set({ stop_until: null }).where('org_id', '=', tx.orgId).where('subject_id', '=', subjectId))
}
