import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconTask } from '@holdfast/ui'

export const loadInboxBell = () => import('./inbox-bell.tsx').then((module) => module.InboxBell)

export const feature: ConsoleFeature = {
  pages: { inbox: () => import('./inbox-page.tsx').then((module) => module.InboxPage) },
  places: [{ path: 'inbox', label: { key: 'inbox.title' }, Icon: IconTask }],
}
