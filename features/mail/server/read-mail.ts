import type { OrganisationTx } from '@holdfast/db'
import type { MailStanding, MailTopic } from '../contract.ts'

/** What became of the e-mails on one topic about one thing that were written since then: the newest to each member, by name. */
export async function readMail(tx: OrganisationTx, about: { topic: MailTopic; aboutId: string; sinceMs: number }): Promise<MailStanding[]> {
  const rows = await tx
    .selectFrom('mail as m')
    .innerJoin('person as p', (join) => join.onRef('p.org_id', '=', 'm.org_id').onRef('p.id', '=', 'm.person_id'))
    .select(['p.name', 'm.state', 'm.reason', 'm.created_at', 'm.ended_at'])
    .distinctOn('m.person_id')
    .where('m.org_id', '=', tx.orgId)
    .where('m.about_id', '=', about.aboutId)
    .where('m.topic', '=', about.topic)
    .where('m.created_at', '>=', BigInt(about.sinceMs))
    .orderBy('m.person_id')
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .execute()
  return rows
    .map(({ name, state, reason, created_at, ended_at }) => ({ name, state, reason, at: Number(ended_at ?? created_at) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
