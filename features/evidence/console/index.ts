import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconScan } from '@holdfast/ui'

export { useSignerReason } from './signer-reason.ts'
export { type EvidenceItem, EvidencePart } from './evidence-part.tsx'

export const feature: ConsoleFeature = {
  pages: { audit: () => import('./audit-page.tsx').then((module) => module.AuditPage) },
  navigation: [
    { path: 'audit', label: { key: 'evidence.audit.title' }, Icon: IconScan, shortcut: 'g a', order: 82, permission: 'log.read', under: 'settings' },
  ],
}
