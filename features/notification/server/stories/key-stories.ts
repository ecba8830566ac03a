import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { type KeyReminder, keyReminders } from '@holdfast/features/key-recovery/server'
import type { Story } from '../story.ts'

const IN_ORDER = 'in_order'

/**
 * What there is to do about each wallet's key: drills that are due, checks of shares that failed or are late. A key about which somebody was told before, and
 * about which nothing is to be done now, is told to be in order again. Like a deposit a key keeps no history here: what is to be done now is its story.
 */
export async function keyStories(tx: OrganisationTx, needs: Pick<ServerContext, 'ports' | 'settings'>): Promise<Story[]> {
  const reminders = Map.groupBy(await keyReminders(tx, needs), (each) => each.wallet_id)
  const told = await tx.selectFrom('webhook_record').select('record_id').distinct().where('org_id', '=', tx.orgId).where('side', '=', 'key').execute()
  const walletIds = new Set([...reminders.keys(), ...told.map((row) => row.record_id)])
  const nowMs = needs.ports.clock.nowMs()
  return [...walletIds].map((walletId) => storyOf(walletId, reminders.get(walletId) ?? [], nowMs))
}

function storyOf(walletId: string, reminders: readonly KeyReminder[], nowMs: number): Story {
  const isInOrder = reminders.length === 0
  const step = {
    sourceSeq: 0n,
    // When a check was tried last, or since when it is late, changes with every try and is no news.
    marker: isInOrder ? IN_ORDER : reminders.map(({ kind, party }) => (party === null ? kind : `${kind}/${party}`)).join(' '),
    event: isInOrder ? `key.${IN_ORDER}` : 'key.needs_attention',
    status: isInOrder ? 0 : 1,
    atMs: nowMs,
    fields: {
      id: walletId,
      request_id: null,
      wallet_id: walletId,
      status: isInOrder ? 0 : 1,
      reminders: reminders.map(({ kind, at, party }) => ({ kind, at, party })),
    },
  }
  return { side: 'key', recordId: walletId, walletId, requestId: null, steps: [step], progress: null }
}
