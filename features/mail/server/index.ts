import type { ServerFeature } from '@holdfast/features/server-feature'
import { mailEndpoints } from './routes.ts'
import { startMail } from './run-mail.ts'

export { readMail } from './read-mail.ts'
export { type MailAbout, type MailNeeds, addressOf, writeMail } from './write-mail.ts'

export const feature: ServerFeature = {
  endpoints: (context, { mailer }) => mailEndpoints(context, mailer),
  work: (context, { mailer, report }) => [startMail(context, mailer, report)],
}
