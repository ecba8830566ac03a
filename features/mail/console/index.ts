export { LetterStandings } from './letter-standings.tsx'
export { OwnMail } from './own-mail.tsx'
