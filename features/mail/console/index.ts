export { MailStandings } from './mail-standings.tsx'
export { OwnMail } from './own-mail.tsx'
