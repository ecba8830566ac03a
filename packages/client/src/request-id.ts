import { browserPorts } from '@holdfast/ports/browser'
import type { Random } from '@holdfast/ports'

/** A new id for a call that creates something: 32 hexadecimal digits. */
export function newRequestId(random: Random = browserPorts.random): string {
  return [...random.bytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The id of a create call by what it would create: the same content again is a retry and keeps its id, so that a lost
 * answer never makes two; other content gets a new one.
 */
export function requestIdKeeper(random: Random = browserPorts.random): (content: unknown) => string {
  let kept: { content: string; id: string } | undefined
  return (content) => {
    const text = JSON.stringify(content)
    if (kept?.content !== text) kept = { content: text, id: newRequestId(random) }
    return kept.id
  }
}
