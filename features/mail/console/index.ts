import type { ConsoleFeature } from '@holdfast/features/console-feature'

export { MailStandings } from './mail-standings.tsx'

export const feature: ConsoleFeature = {
  settings: [{ key: 'alerts', label: { key: 'mail.own.title' }, order: 40, load: () => import('./own-mail.tsx').then((module) => module.OwnMail) }],
}
