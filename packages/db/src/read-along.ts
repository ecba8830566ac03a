import { AsyncLocalStorage } from 'node:async_hooks'
import { isAboutHeights } from './revision/revisions.ts'
import type { OrganisationTx } from './run-transaction.ts'

/** What an answer rests on that was read (ADR 65). */
export type RestsOn = {
  /** Nothing was asked but what a revision of the organisation covers, and nothing before the revision that travelled along. */
  isCovered: boolean
  /** Also on how far chains have been read. */
  readHeights: boolean
  /** Until when what it took from the memory of this process may be taken from there, milliseconds since 1970. */
  untilMs: number
}

/** A query that goes along with the first one for an organisation. */
type Along = {
  orgId: string
  ask: ((tx: OrganisationTx) => Promise<unknown>) | undefined
  answer: Promise<unknown> | undefined
  isAnswered: boolean
  isOver: boolean
  restsOn: RestsOn
}

const running = new AsyncLocalStorage<Along>()

/**
 * Runs `act`, in which every transaction only reads, and sends `question`, if there is one, with its first query for the organisation: both travel together, and
 * the database answers them in this order. `asked` is undefined if `act` made no query for the organisation, or if its transaction failed. Returns how `act`
 * ended without throwing, so that the caller looks at the answer to `question` first, and what its answer rests on.
 */
export async function readAlong<Asked, T>(
  orgId: string,
  question: ((tx: OrganisationTx) => Promise<Asked>) | undefined,
  act: () => Promise<T>,
): Promise<{ asked: Asked | undefined; ended: PromiseSettledResult<T>; restsOn: RestsOn }> {
  const restsOn = { isCovered: true, readHeights: false, untilMs: Number.POSITIVE_INFINITY }
  const along: Along = { orgId, ask: question, answer: undefined, isAnswered: false, isOver: false, restsOn }
  const ended = await running.run(along, act).then(
    (value) => ({ status: 'fulfilled', value }) as const,
    (reason: unknown) => ({ status: 'rejected', reason }) as const,
  )
  // What `act` started and did not await is on its own from here.
  along.isOver = true
  const asked = await along.answer?.catch(() => undefined)
  return { asked: asked as Asked | undefined, ended, restsOn }
}

const present = (): Along | undefined => {
  const along = running.getStore()
  return along?.isOver === false ? along : undefined
}

/** Whether queries may only read now. */
export const onlyReads = (): boolean => present() !== undefined

/** Says that what is answered from here on rests on the memory of this process, which may be answered from until a moment. */
export function restOnMemory(untilMs: number): void {
  const along = present()
  if (along) along.restsOn.untilMs = Math.min(along.restsOn.untilMs, untilMs)
}

/** Notes that a transaction of the installation begins, whose rows no revision covers. */
export function noteSystemRead(): void {
  const along = present()
  if (along) along.restsOn.isCovered = false
}

/** Says that what is answered rests on how far chains have been read. */
export function restOnHeights(): void {
  const along = present()
  if (along) along.restsOn.readHeights = true
}

/** Notes a question. */
export function noteQuestion(text: string): void {
  const along = present()
  if (along && isAboutHeights(text)) along.restsOn.readHeights = true
}

/** Sends, once, the query that goes along with a transaction that begins. */
export function askCompanion(tx: OrganisationTx): void {
  const along = running.getStore()
  if (along === undefined) return
  // One that begins beside the first, before the question is answered, may read before it.
  if (along.orgId !== tx.orgId || (along.answer !== undefined && !along.isAnswered)) along.restsOn.isCovered = false
  if (along.ask === undefined || along.answer !== undefined || along.orgId !== tx.orgId) return
  along.answer = along.ask(tx)
  // The caller that awaits it gets the error; until then nobody does.
  along.answer.then(
    () => {
      along.isAnswered = true
    },
    () => {},
  )
}
