import { useApi, useEndpoint } from '@holdfast/client'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { getPermissions, getUserInfo } from '../contract.ts'
import type { SessionFacts, SessionStore, SignedIn } from './session-store.ts'

export const SessionContext = createContext<SessionStore | undefined>(undefined)

/** The session as a store. */
export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext)
  if (!store) throw new Error('the page is outside the SessionContext')
  return store
}

/** What the server said of the session, kept current. */
export function useSession(): SessionFacts | undefined {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, store.facts)
}

/** Whether the person is signing out: from then on nothing may be asked in their name. */
export function useIsSigningOut(): boolean {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, store.isSigningOut)
}

/** What to do after a sign-in: takes the open token and asks the server who is there now. */
export function useEnter(): (result: SignedIn) => Promise<void> {
  const store = useSessionStore()
  const { client } = useApi()
  return async (result) => {
    store.entered(result)
    await store.load(client, { again: true })
  }
}

/** Who is signed in, with their organisation. */
export function useUserInfo() {
  return useEndpoint(getUserInfo, {})
}

/** Whether the person has a permission; undefined while the answer is on its way. Where the question fails there is none. */
export function usePermissionAnswer(permission: string): boolean | undefined {
  const { data, isPending } = useEndpoint(getPermissions, {})
  return data?.pms.includes(permission) ?? (isPending ? undefined : false)
}

/** Whether the person is known to have a permission: for what is only offered to those who have it. */
export function usePermission(permission: string): boolean {
  return usePermissionAnswer(permission) ?? false
}
