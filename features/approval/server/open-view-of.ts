import type { Viewer } from '@holdfast/features/proposal/server'
import { openView, type ViewContext } from '@holdfast/features/transaction/server'

/** What is needed to show proposals that are about money. */
export function openViewOf({ tx, context, language, nowMs, fiat, personId }: Viewer): Promise<ViewContext> {
  return openView({ tx, networks: context.networks, language, nowMs, fiat, personId })
}
