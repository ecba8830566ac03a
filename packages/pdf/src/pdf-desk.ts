import type { Threads } from '@holdfast/ports'
import type { Sheet } from './write-pdf.ts'

/** As many sheets wait to be written as may wait. */
export class PdfDeskBusyError extends Error {
  override name = 'PdfDeskBusyError'
}

export type PdfDesk = {
  /** Writes a sheet as a PDF, after those that were given before. `whose` shares the desk fairly. Throws PdfDeskBusyError, or what went wrong with this sheet. */
  write(sheet: Sheet, whose: string): Promise<Uint8Array>
}

/** So many sheets wait at most, and so many of one owner: a few seconds of work. */
export const WAITING_MAX = 24
export const WAITING_MAX_OF_ONE = 8

/** A sheet takes a quarter of a second; one that takes `longestMs` never ends. The tools for fonts take memory that is given back when nobody wants a sheet. */
const LIMITS = { heapMegabytes: 256, longestMs: 20_000, idleMs: 60_000 }

/** Writes sheets one after another in a thread of its own, so that nothing else waits for them. */
export function openPdfDesk({ threads }: { threads: Threads }): PdfDesk {
  const thread = threads.open(new URL('./pdf-thread.ts', import.meta.url), LIMITS)
  const waiting: string[] = []
  return {
    write: async (sheet, whose) => {
      if (waiting.length >= WAITING_MAX || waiting.filter((each) => each === whose).length >= WAITING_MAX_OF_ONE)
        throw new PdfDeskBusyError('too many sheets wait to be written')
      waiting.push(whose)
      try {
        return (await thread.ask(sheet)) as Uint8Array
      } finally {
        waiting.splice(waiting.indexOf(whose), 1)
      }
    },
  }
}
