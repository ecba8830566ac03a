import type { DescribedItem } from '@holdfast/features/proposal/contract'
import { governedItem, type ProposalKind, type Viewer } from '@holdfast/features/proposal/server'
import { known } from '@holdfast/units'
import { policyWords } from '../policy-words.ts'
import { pokeSignerOrders } from './run-signer-orders.ts'
import { type SignerOrder, signerOrders } from './signer-order.ts'
import { signerOrderView } from './signer-order-view.ts'

/** Orders to the signers themselves. */
export const signerOrderKind: ProposalKind<SignerOrder> = {
  kinds: ['signer_order', 'address_book', 'standing_order'],
  todo: describeSignerOrders,
  decidedBy: signerOrders.decidedBy({
    // As long as no signer has said that it would follow.
    canStop: ({ row }) => row.state === 'approved' && row.endorsements === null,
    poke: pokeSignerOrders,
  }),
}

async function describeSignerOrders(viewer: Viewer, ids: readonly string[]): Promise<DescribedItem[]> {
  const items: DescribedItem[] = []
  for (const id of ids) {
    const view = await signerOrderView(viewer, known(await signerOrders.read(viewer.tx, id), `signer order ${id}`))
    const title = policyWords[viewer.language].signerOrder.asks(view.initiator.name, view.title)
    const node = { need: view.need, done: view.approved.length, waiting_for: view.waiting.map(({ name }) => name) }
    const kind = view.kind === 'address_book' || view.kind === 'standing_order' ? view.kind : ('signer_order' as const)
    items.push({ kind, ...governedItem({ view, title, node }, viewer.nowMs) })
  }
  return items
}
