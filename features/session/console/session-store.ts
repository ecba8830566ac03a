import type { Client, OutputOf } from '@holdfast/contract'
import { getState, logout, type signedIn } from '../contract.ts'
import type * as z from 'zod'

export type SessionFacts = OutputOf<typeof getState>
export type SignedIn = z.output<typeof signedIn>

export type SessionStore = {
  /** What the server last said; undefined before the first answer. */
  facts(): SessionFacts | undefined
  /** The second value that changing calls need. In memory only, never in storage or an address. */
  openToken(): string | undefined
  /** Asks the server once; later calls get the same answer unless `again`. */
  load(client: Client, options?: { again?: boolean }): Promise<SessionFacts>
  /** A sign-in succeeded: its open token counts from now on. */
  entered(result: SignedIn): void
  /** Asks the server to end the session, whose cookie is its to clear. Throws what the call throws; the page is to call `left` then, too. */
  signOut(client: Client): Promise<void>
  /** The server is being asked to end the session: its other answers already say so before the one that clears the cookie has come. */
  isSigningOut(): boolean
  /** Nobody is signed in any more. */
  left(): void
  /** The session ended by itself and not because the person signed out: whoever signs in again is to know why they have to. */
  hasExpired(): boolean
  subscribe(listener: () => void): () => void
}

/** Who is signed in, as this page knows it. */
export function createSessionStore(): SessionStore {
  let facts: SessionFacts | undefined
  let openToken: string | undefined
  let loading: Promise<SessionFacts> | undefined
  let isSigningOut = false
  let isOnPurpose = false
  let hasExpired = false
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const change = (next: SessionFacts | undefined) => {
    facts = next
    tell()
  }
  return {
    facts: () => facts,
    openToken: () => openToken,
    load: (client, { again = false } = {}) => {
      if (loading && !again) return loading
      const own: Promise<SessionFacts> = client.call(getState, {}).then((answer) => {
        // A later question may have been answered first.
        if (loading === own) {
          openToken = answer.session?.open_token
          change(answer)
        }
        return answer
      })
      loading = own
      own.catch(() => {
        if (loading === own) loading = undefined
      })
      return own
    },
    entered: (result) => {
      hasExpired = false
      openToken = result.open_token
    },
    signOut: async (client) => {
      isSigningOut = true
      isOnPurpose = true
      tell()
      try {
        await client.call(logout, {})
      } finally {
        isSigningOut = false
      }
    },
    isSigningOut: () => isSigningOut,
    hasExpired: () => hasExpired,
    left: () => {
      hasExpired = !isOnPurpose && facts?.session != null
      isOnPurpose = false
      openToken = undefined
      const next = facts && { ...facts, signed_in: false, session: null }
      loading = next && Promise.resolve(next)
      change(next)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
