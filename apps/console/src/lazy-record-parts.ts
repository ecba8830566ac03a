import type { RecordParts } from '@holdfast/features/transaction/console'
import { lazyPart } from '@holdfast/ui'

/** What features add to records; fetched with the first record, so that the sign-in page knows of none of them. */
export const recordParts: RecordParts = {
  RecordParts: lazyPart(() => import('./record-parts.tsx').then((module) => module.RecordParts)),
  RecordMenu: lazyPart(() => import('./record-parts.tsx').then((module) => module.RecordMenu)),
}
