import type { Viewer } from '@holdfast/features/proposal/server'
import { openView, type ViewContext } from '@holdfast/features/transaction/server'

/** What a view of proposals about money needs. */
export function openViewOf({ tx, context, language, nowMs, fiat, personId }: Viewer): Promise<ViewContext> {
  return openView({ tx, networks: context.networks, language, nowMs, fiat, personId })
}
