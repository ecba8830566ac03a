import type { Language } from '@holdfast/contract'
import type { TodoItem } from '@holdfast/features/proposal/contract'
import { governedItem, type ProposalKind, type Viewer } from '@holdfast/features/proposal/server'
import { at, known } from '@holdfast/units'
import { isKeyOrder, type KeyChange, keyChanges } from './key-change.ts'
import { keyChangeView } from './key-change-view.ts'
import { keyWords } from './key-words.ts'
import { pokeKeyChanges } from './run-key-changes.ts'

/** Orders about keys: new shares, exports, retirements. */
export const keyChangeKind: ProposalKind<KeyChange> = {
  kinds: ['key_change', 'export_key'],
  todo: describeKeyChanges,
  decidedBy: keyChanges.decidedBy({
    // What the signers have not followed yet.
    canStop: (change) => change.row.state === 'approved' && isKeyOrder(change) && at(change.progress.steps, 0).state === 'waiting',
    poke: pokeKeyChanges,
  }),
}

async function describeKeyChanges(viewer: Viewer, ids: readonly string[]): Promise<TodoItem[]> {
  const items: TodoItem[] = []
  for (const id of ids) {
    const view = await keyChangeView(viewer, known(await keyChanges.read(viewer.tx, id), `key change ${id}`))
    const { need, approved, waiting } = view.quorum
    const node = { need, done: approved.length, waiting_for: waiting.map(({ name }) => name) }
    const item = governedItem({ view, title: titleOf(view, viewer.language), node }, viewer.nowMs)
    items.push({ kind: view.action === 'export' ? 'export_key' : 'key_change', wallet_id: view.wallet_id, ...item })
  }
  return items
}

function titleOf({ action, scheduled, initiator, wallet_name: wallet, party }: Awaited<ReturnType<typeof keyChangeView>>, language: Language): string {
  const words = keyWords[language]
  if (scheduled) return words.scheduled(wallet)
  const changesShares = action === 'refresh' || action === 'repair'
  return changesShares ? words.title(initiator.name, action, wallet, String(party ?? '')) : words.orderTitle(initiator.name, action, wallet)
}
