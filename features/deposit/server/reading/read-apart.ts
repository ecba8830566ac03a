import { ChainError } from '@holdfast/chain-core'
import { SourcesDisagreeError } from '@holdfast/features/network/server'
import type { OrderFailures } from '@holdfast/features/transfer/server'

/** What a reader remembers of failures, and whom it tells. */
export type Watch = { failures: OrderFailures; report: (cause: unknown) => void }

/**
 * Reads what one organisation asked for beside what everybody waits for. If nodes do not show it, such as one that has deleted old blocks, the
 * operator is told, it is tried again later each time, and nobody is held up. Sources that contradict each other concern everybody: throws
 * SourcesDisagreeError.
 */
export async function readApart<T>({ failures, report }: Watch, { id, name }: { id: string; name: string }, read: () => Promise<T>): Promise<T | undefined> {
  if (!failures.isDue(id)) return undefined
  try {
    const answer = await read()
    failures.succeed(id)
    return answer
  } catch (cause) {
    if (!(cause instanceof ChainError) || cause instanceof SourcesDisagreeError) throw cause
    if (failures.fail(id, cause)) report(new Error(`${name}: blocks that are to be read again cannot be: ${cause.message}`, { cause }))
    return undefined
  }
}
