import { isChunkFailure } from '../chunk-failure.ts'

/** What only a fault in a program throws; what a call, the browser or a person refused is thrown as something else. */
const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError]

/**
 * What an `error` event says of the page's own scripts. An event without an error is not of ours: extensions, scripts of other
 * origins, and the browser's own notice that a resize was slow.
 */
export function uncaughtError(event: Pick<ErrorEvent, 'error'>): Error | undefined {
  return event.error instanceof Error ? event.error : undefined
}

/**
 * What a promise that nobody waited for says. A refused call or a dialogue that was closed is told where it happened; what is
 * left is a part that could not be fetched, or a fault.
 */
export function uncaughtRejection({ reason }: Pick<PromiseRejectionEvent, 'reason'>): Error | undefined {
  if (!(reason instanceof Error)) return undefined
  return isChunkFailure(reason) || FAULTS.some((each) => reason instanceof each) ? reason : undefined
}
