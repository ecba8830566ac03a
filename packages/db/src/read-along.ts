import { AsyncLocalStorage } from 'node:async_hooks'
import type { OrganisationTx } from './run-transaction.ts'

/** A query that goes along with the first one for an organisation. */
type Along = { orgId: string; ask: (tx: OrganisationTx) => Promise<unknown>; answer: Promise<unknown> | undefined; isOver: boolean }

const running = new AsyncLocalStorage<Along>()

/**
 * Runs `act`, in which every transaction only reads, and sends `question` with its first query for the organisation: both travel together, and the
 * database answers them in this order. `asked` is undefined if `act` made no query for the organisation, or if its transaction failed. Returns how `act`
 * ended without throwing, so that the caller looks at the answer to `question` first.
 */
export async function readAlong<Asked, T>(
  orgId: string,
  question: (tx: OrganisationTx) => Promise<Asked>,
  act: () => Promise<T>,
): Promise<{ asked: Asked | undefined; ended: PromiseSettledResult<T> }> {
  const along: Along = { orgId, ask: question, answer: undefined, isOver: false }
  const ended = await running.run(along, act).then(
    (value) => ({ status: 'fulfilled', value }) as const,
    (reason: unknown) => ({ status: 'rejected', reason }) as const,
  )
  // What `act` started and did not await is on its own from here.
  along.isOver = true
  const asked = await along.answer?.catch(() => undefined)
  return { asked: asked as Asked | undefined, ended }
}

/** Whether queries may only read now. */
export const onlyReads = (): boolean => running.getStore()?.isOver === false

/** Sends, once, the query that goes along with a transaction that begins. */
export function askCompanion(tx: OrganisationTx): void {
  const along = running.getStore()
  if (along === undefined || along.answer !== undefined || along.orgId !== tx.orgId) return
  along.answer = along.ask(tx)
  // The caller that awaits it gets the error; until then nobody does.
  along.answer.catch(() => {})
}
