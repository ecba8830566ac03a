import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { Row } from './row.ts'

const LabelDrawer = lazyDrawerBody(() => import('./label-drawer.tsx').then((module) => module.LabelDrawer))

export type Labellable = Pick<Row, 'id' | 'type' | 'category' | 'tags' | 'note' | 'suspicious' | 'imitates'>

/** Opens the form that files a transaction. */
export function openLabelDrawer(drawers: Drawers, { row, title }: { row: Labellable; title: string }): void {
  void drawers.push({ title, body: <LabelDrawer row={row} /> })
}
