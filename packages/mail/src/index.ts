export { inertText } from './inert-text.ts'
export { type Mail } from './compose-mail.ts'
export { isMailAddress } from './mail-address.ts'
export { type Mailer, type MailFailure, type MailServer, openMailer, SEND_MS_MAX } from './open-mailer.ts'
