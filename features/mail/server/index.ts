export { readMail } from './read-mail.ts'
export { mailEndpoints } from './routes.ts'
export { startMail } from './run-mail.ts'
export { type MailAbout, type MailNeeds, writeMail } from './write-mail.ts'
