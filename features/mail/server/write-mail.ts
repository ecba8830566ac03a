import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { inertText, isMailAddress } from '@holdfast/mail'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { MAIL_LANGUAGES, type MailLanguage, type MailTopic } from '../contract.ts'
import { mailFrame } from './words.ts'

export type MailNeeds = { ports: Pick<Ports, 'clock' | 'random'> } & { settings: Pick<ServerContext['settings'], 'consoleOrigin'> }

/** What an e-mail says in one language: no line of it is a stranger's, unless it went through `inertText`. */
export type MailWords = { subject: string; text: string }

export type MailAbout = {
  topic: MailTopic
  /** The webhook endpoint, the order. */
  aboutId: string
  /** To whom: those of them who are active members. */
  personIds: readonly string[]
  /** The page of the console that an e-mail leads to; its one link. */
  path: string
  words: Record<MailLanguage, MailWords>
}

/**
 * Writes an e-mail to each of some members, in the transaction of what it is about: rolled back with it, and sent after it, at least once, by `startMail`. For a
 * member who has no address, or wants no e-mails, it is written as not sent: others can then see who was not told.
 */
export async function writeMail(tx: OrganisationTx, { ports, settings }: MailNeeds, { topic, aboutId, personIds, path, words }: MailAbout): Promise<void> {
  if (personIds.length === 0) return
  const nowMs = ports.clock.nowMs()
  const { name } = await tx.selectFrom('organisation').select('name').where('id', '=', tx.orgId).executeTakeFirstOrThrow()
  const people = await tx
    .selectFrom('person as p')
    .leftJoin('mail_choice as c', (join) => join.onRef('c.org_id', '=', 'p.org_id').onRef('c.person_id', '=', 'p.id'))
    .select(['p.id', 'p.login', 'p.language', 'c.address', 'c.wanted', 'c.language as chosen'])
    .where('p.org_id', '=', tx.orgId)
    .where('p.id', 'in', personIds)
    .where('p.state', '=', 'active')
    .execute()
  if (people.length === 0) return
  const mails = Object.fromEntries(
    MAIL_LANGUAGES.map((language) => {
      const { from, end } = mailFrame[language]
      const { subject, text } = words[language]
      return [language, { subject, body: [from(inertText(name)), text, `${settings.consoleOrigin}${path}`, end].join('\n\n') }]
    }),
  ) as Record<MailLanguage, { subject: string; body: string }>
  await tx
    .insertInto('mail')
    .values(
      people.map((each) => {
        const address = addressOf(each)
        const reason = each.wanted === false ? 'not_wanted' : address === null ? 'no_address' : null
        const standing =
          reason === null ? { state: 'waiting' as const, next_at: nowMs, ended_at: null } : { state: 'not_sent' as const, next_at: null, ended_at: nowMs }
        const about = { org_id: tx.orgId, id: newId(nowMs, ports.random), person_id: each.id, topic, about_id: aboutId }
        const none = { attempts: 0, lease_holder: null, lease_until_at: null }
        return { ...about, ...none, ...standing, ...mails[each.chosen ?? each.language], address, reason, created_at: nowMs }
      }),
    )
    .execute()
}

/** Where a member is written to: where they chose, or to their account where that is an address. Null if neither is one. */
export function addressOf({ address, login }: { address: string | null; login: string }): string | null {
  return address ?? (isMailAddress(login) ? login : null)
}
