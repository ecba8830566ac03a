import type { Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/mail. */
  interface Schema {
    mail: Mail
    mail_choice: MailChoice
  }
}

type Mail = {
  org_id: Once<string>
  id: Once<string>
  person_id: Once<string>
  topic: Once<string>
  about_id: Once<string>
  address: Once<string | null>
  subject: Once<string>
  body: Once<string>
  state: 'waiting' | 'sent' | 'not_sent'
  reason: string | null
  attempts: number
  next_at: TimeOrNull
  lease_holder: string | null
  lease_until_at: TimeOrNull
  created_at: TimeOnce
  ended_at: TimeOrNull
}

type MailChoice = {
  org_id: Once<string>
  person_id: Once<string>
  wanted: boolean
  address: string | null
  language: 'en-US' | 'zh-CN'
  updated_at: Time
}
