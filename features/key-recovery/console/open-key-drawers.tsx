import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { KeyView } from './key-card.tsx'

const ProposeDrawer = lazyDrawerBody(() => import('./propose-key-drawer.tsx').then((module) => module.ProposeKeyDrawer))
const RecoveryDrawer = lazyDrawerBody(() => import('./recovery-drawer.tsx').then((module) => module.RecoveryDrawer))

const ExportDrawer = lazyDrawerBody(() => import('./export-drawer.tsx').then((module) => module.ExportDrawer))
const ExportDetail = lazyDrawerBody(() => import('./export-detail.tsx').then((module) => module.ExportDetail))
const RetireDrawer = lazyDrawerBody(() => import('./retire-drawer.tsx').then((module) => module.RetireDrawer))

const WIDE = 900

export function openProposeDrawer(drawers: Drawers, of: KeyView, action: 'refresh' | 'repair', title: string): void {
  void drawers.push({ title, body: <ProposeDrawer of={of} action={action} what={title} /> })
}

export function openRecoveryDrawer(drawers: Drawers, walletId: string, title: string): void {
  void drawers.push({ title, body: <RecoveryDrawer walletId={walletId} /> }, { width: WIDE })
}

export function openExportDrawer(drawers: Drawers, of: KeyView, title: string): void {
  void drawers.push({ title, body: <ExportDrawer of={of} what={title} /> })
}

export function openExportDetail(drawers: Drawers, itemId: string, title: string): void {
  void drawers.push({ title, body: <ExportDetail itemId={itemId} /> }, { width: WIDE })
}

export function openRetireDrawer(drawers: Drawers, of: KeyView, title: string): void {
  void drawers.push({ title, body: <RetireDrawer of={of} what={title} /> })
}
