import { AsyncLocalStorage } from 'node:async_hooks'
import type { OrganisationTx } from './run-transaction.ts'

/** A question that goes along with whatever is asked first for an organisation. */
type Along = { orgId: string; ask: (tx: OrganisationTx) => Promise<unknown>; answer: Promise<unknown> | undefined; isOver: boolean }

const running = new AsyncLocalStorage<Along>()

/**
 * Runs `act`, in which every transaction only reads, and asks `question` with the first thing that it asks for the organisation: both travel together, and the
 * database answers them in this order. `asked` is undefined where `act` asked nothing for the organisation, or where its transaction failed. Answers how `act`
 * ended without throwing, so that the caller looks at what was asked first.
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
  // What `act` set going, and did not wait for, is on its own from here.
  along.isOver = true
  const asked = await along.answer?.catch(() => undefined)
  return { asked: asked as Asked | undefined, ended }
}

/** Whether whatever is asked now may only read. */
export const onlyReads = (): boolean => running.getStore()?.isOver === false

/** Asks what is to go along with a transaction that begins, once. */
export function askCompanion(tx: OrganisationTx): void {
  const along = running.getStore()
  if (along === undefined || along.answer !== undefined || along.orgId !== tx.orgId) return
  along.answer = along.ask(tx)
  // Whoever waits for it hears of it; until then nobody does.
  along.answer.catch(() => {})
}
