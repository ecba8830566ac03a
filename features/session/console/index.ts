export { forgetUser, keepUser, readUser } from './known-user.ts'
export { CodeField, isSixDigits, useSecondFactor } from './second-factor.tsx'
export { SessionContext, useEnter, useIsSigningOut, usePermission, usePermissionAnswer, useSession, useSessionStore, useUserInfo } from './session-context.ts'
export { createSessionStore, type SessionStore } from './session-store.ts'
export { useKeptDraft, useRestoredDraft } from './use-restored-draft.ts'
export { useSignOut } from './use-sign-out.ts'

/** Registers a key of this browser by an invitation; fetched when it is needed. */
export const loadDeviceRegistration = () => import('./device-sign-in.ts').then((module) => module.registerDevice)

/** Makes one more passkey for whoever is signed in; fetched when it is needed. */
export const addPasskey = async (...given: Parameters<typeof import('./passkey-sign-in.ts').addPasskey>) =>
  (await import('./passkey-sign-in.ts')).addPasskey(...given)

/** Pages of this feature; each is fetched when it is first opened. */
export const loadLoginPage = () => import('./login-page.tsx').then((module) => module.LoginPage)
