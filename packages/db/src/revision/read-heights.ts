import { sql } from 'kysely'
import { restOnHeights } from '../read-along.ts'
import { HEIGHTS_QUESTION } from './revisions.ts'
import { type Tx, writtenOnce } from '../run-transaction.ts'

/** How far chains have been read. */
export type Heights = {
  /** How many blocks of a chain stand on the one at `height`, `most` at the most; none where that one was not read. */
  above(chain: string, height: bigint, most: number): number
}

const askHeights = writtenOnce(() => sql<{ chain: string; height: bigint }>`${sql.raw(HEIGHTS_QUESTION)}`)

/** Reads how far chains have been read. An answer rests on that only where it says a number that the next block changes (ADR 65). */
export async function readHeights(tx: Tx): Promise<Heights> {
  const tips = new Map((await askHeights(tx, {})).map(({ chain, height }) => [chain, height]))
  return {
    above: (chain, height, most) => {
      const above = (tips.get(chain) ?? -1n) - height
      if (above < most) restOnHeights()
      return above < 0n ? 0 : Math.min(most, Number(above))
    },
  }
}
