import { browserPorts } from '@holdfast/ports/browser'
import type { Random } from '@holdfast/ports'

/** A new id for a call that creates something: 32 hexadecimal digits. */
export function newRequestId(random: Random = browserPorts.random): string {
  return [...random.bytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Ids of calls that were answered, and whose form is gone. */
const spent = new Set<string>()

/**
 * The id of a create call by what it would create: the same content again is a retry and keeps its id, so that a lost
 * answer never makes two; other content gets a new one. So does the same once its call was answered and the form is gone
 * from which it was sent: what was withdrawn can be asked for again, and what was done can be done once more.
 */
export function requestIdKeeper(random: Random = browserPorts.random): (content: unknown) => string {
  let kept: { content: string; id: string } | undefined
  return (content) => {
    const text = JSON.stringify(content)
    if (kept?.content !== text || spent.delete(kept.id)) kept = { content: text, id: newRequestId(random) }
    return kept.id
  }
}

/** The calls of one form that were answered. `open` is told when it is shown, and what that answers when it goes. */
export function answeredRequests(): { note(requestId: string): void; open(): () => void } {
  const answered = new Set<string>()
  let isOpen = true
  const spend = () => {
    for (const id of answered) spent.add(id)
    answered.clear()
  }
  return {
    note: (requestId) => {
      answered.add(requestId)
      if (!isOpen) spend()
    },
    open: () => {
      isOpen = true
      return () => {
        isOpen = false
        spend()
      }
    },
  }
}
