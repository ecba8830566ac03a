import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { ListInput } from './list/filters.ts'
import { OpenOther, type OrderToOpen } from './record/other-record.tsx'

const OrderDetail = lazyDrawerBody(() => import('./record/order-detail.tsx').then((module) => module.OrderDetail))
const ExportDrawer = lazyDrawerBody(() => import('./list/export-drawer.tsx').then((module) => module.ExportDrawer))

/** Opens the whole story of one order or deposit. Resolves when its drawer closes. */
export async function openOrderDrawer(drawers: Drawers, { id, kind, title }: OrderToOpen): Promise<void> {
  const body = (
    <OpenOther value={(other) => void openOrderDrawer(drawers, other)}>
      <OrderDetail id={id} kind={kind} />
    </OpenOther>
  )
  await drawers.push({ title, body }, { width: 900 })
}

/** Opens the form that exports the list as it is filtered. */
export function openExportDrawer(drawers: Drawers, { input, total, title }: { input: ListInput; total: number; title: string }): void {
  void drawers.push({ title, body: <ExportDrawer input={input} total={total} /> }, { maskClosable: false })
}
