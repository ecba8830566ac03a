import type { OrganisationTx } from '@holdfast/db'
import { type MailAbout, type MailNeeds, writeMail } from '@holdfast/features/mail/server'
import type { WordForAnother } from '@holdfast/features/proposal/server'
import { writeMemberEvent } from '../member-event.ts'

type Kind = 'delegated' | 'delegation_ended' | 'decided_for'

/** What both are written. Only the console says of whom and of what: an e-mail is read by others on its way. */
const WORDS: Record<Kind, MailAbout['words']> = {
  delegated: {
    'en-US': {
      subject: 'A member has named a delegate',
      text: 'A member of your organisation has named someone to decide on their behalf for some days. You are one of the two. If you did not expect this, end it on an approval page, or ask the other person. See who decides for whom, and until when:',
    },
    'zh-CN': {
      subject: '已指定代审批人',
      text: '贵组织的一名成员已指定他人在一段时间内代其审批，您是双方之一。如非预期，请在审批页面结束代审批，或与对方联系。查看谁代谁审批及截止时间：',
    },
  },
  delegation_ended: {
    'en-US': {
      subject: 'A delegation has ended',
      text: 'A delegation between two members of your organisation was ended early. You are one of the two. See who decides for whom:',
    },
    'zh-CN': {
      subject: '代审批已结束',
      text: '贵组织一名成员的代审批已提前结束，您是双方之一。查看谁代谁审批：',
    },
  },
  decided_for: {
    'en-US': {
      subject: 'A delegate has decided an order',
      text: 'A delegate has decided an order on behalf of a member who is away. You are one of the two. See what it was:',
    },
    'zh-CN': {
      subject: '已代他人审批',
      text: '代审批人已代外出成员审批一笔订单，您是双方之一。查看该订单：',
    },
  },
}

/** Writes an e-mail to both, in the transaction of what it is about. */
export function mailDelegation(
  tx: OrganisationTx,
  needs: MailNeeds,
  { kind, personIds, aboutId }: { kind: Kind; personIds: readonly string[]; aboutId: string },
): Promise<void> {
  const path = kind === 'decided_for' ? '/mpc/inbox' : '/mpc/teamMember'
  return writeMail(tx, needs, { topic: 'delegation', aboutId, personIds, path, words: WORDS[kind] })
}

/** Tells both that one decided for the other, and writes it into the record of the person for whom it was. */
export async function tellOfWord(tx: OrganisationTx, needs: MailNeeds, { delegatorId, delegateId, subjectId, decision }: WordForAnother): Promise<void> {
  await mailDelegation(tx, needs, { kind: 'decided_for', personIds: [delegatorId, delegateId], aboutId: subjectId })
  await writeMemberEvent(tx, needs, { personId: delegatorId, actor: delegateId, kind: 'decided_for', from: decision, to: subjectId })
}
