import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { Row } from './row.ts'

const MarkDrawer = lazyDrawerBody(() => import('./mark-drawer.tsx').then((module) => module.MarkDrawer))

export type Markable = Pick<Row, 'id' | 'type' | 'category' | 'tags' | 'note' | 'suspicious' | 'imitates'>

/** Opens the form that files a transaction. */
export function openMarkDrawer(drawers: Drawers, { row, title }: { row: Markable; title: string }): void {
  void drawers.push({ title, body: <MarkDrawer row={row} /> })
}
