import type { Language } from '@holdfast/contract'
import type { TodoItem } from '@holdfast/features/approval/contract'
import { governanceQuorum, governedItem, type ProposalKind, type Viewer } from '@holdfast/features/proposal/server'
import { announceKeyChange, isKeyOrder, type KeyChange, moveKeyChange, readKeyChange, writeKeyChangePlaces } from './key-change.ts'
import { keyChangeView } from './key-change-view.ts'
import { keyWords } from './key-words.ts'
import { pokeKeyChanges } from './run-key-changes.ts'

/** Orders about keys: new shares, exports, retirements. */
export const keyChangeKind: ProposalKind<KeyChange> = {
  kinds: ['key_change'],
  todo: describeKeyChanges,
  decidedBy: {
    read: readKeyChange,
    quorums: ({ intent }, policy) => [governanceQuorum(intent, policy)],
    // What the signers have not followed yet.
    canStop: (change) => change.row.state === 'approved' && isKeyOrder(change) && change.progress.steps[0]!.state === 'waiting',
    keepPlace: (tx, change, { personId, sequence }) =>
      writeKeyChangePlaces(tx, change, { ...change.places, words: { ...change.places.words, [personId]: sequence } }),
    decided: async (tx, needs, change, { verdict, personId }) => (await moveKeyChange(tx, needs, change, { state: verdict, actor: personId })).row.state,
    announce: (tx, needs, { row }) => announceKeyChange(tx, needs, row),
    poke: pokeKeyChanges,
  },
}

async function describeKeyChanges(viewer: Viewer, ids: readonly string[]): Promise<TodoItem[]> {
  const items: TodoItem[] = []
  for (const id of ids) {
    const view = await keyChangeView(viewer, (await readKeyChange(viewer.tx, id))!)
    const { need, approved, waiting } = view.quorum
    const node = { need, done: approved.length, waiting_for: waiting.map(({ name }) => name) }
    const item = governedItem({ view, title: titleOf(view, viewer.language), node }, viewer.nowMs)
    items.push({ kind: 'key_change', wallet_id: view.wallet_id, ...item })
  }
  return items
}

function titleOf({ action, scheduled, initiator, wallet_name: wallet, party }: Awaited<ReturnType<typeof keyChangeView>>, language: Language): string {
  const words = keyWords[language]
  if (scheduled) return words.scheduled(wallet)
  const changesShares = action === 'refresh' || action === 'repair'
  return changesShares ? words.title(initiator.name, action, wallet, String(party ?? '')) : words.orderTitle(initiator.name, action, wallet)
}
