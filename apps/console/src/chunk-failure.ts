/** A part of the console that could not be fetched: most often because a newer version has taken its place. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'

  constructor(cause: unknown) {
    super('a part of the console could not be fetched', { cause })
  }
}

/** Rejects the fetch of a part of the console with what it is. */
export function chunkFailed(cause: unknown): never {
  throw new ChunkLoadError(cause)
}

// Chromium, Firefox and Safari, in this order; the last is the bundler's own, for a style sheet.
const MESSAGES = /failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|unable to preload css/i

/** Whether an error says that a part of the console could not be fetched. */
export function isChunkFailure(error: unknown): boolean {
  return error instanceof ChunkLoadError || (error instanceof Error && MESSAGES.test(error.message))
}

/** The page's own address with a timestamp, so that no cache answers the reload. Never another origin. */
export function refreshPath({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>, nowMs: number): string {
  const query = new URLSearchParams(search)
  query.set('t', String(nowMs))
  // A path that begins with two slashes would be read as another host.
  return `${pathname.replace(/^[/\\]+/, '/')}?${query}${hash}`
}
