import type { CallError, Reaction } from '@holdfast/contract'

/** What the console can do when a call is refused. */
export type ReactionEffects = {
  /** Shows a sentence; one with the same key replaces the one before. */
  toast(sentence: string, key: string): void
  /** Forgets everything about the session and goes to the sign-in page. */
  leaveSession(): void
  showNotPermitted(): void
  forgetWallet(): void
  forgetSubWallet(): void
  closeDrawer(options: { refresh: boolean }): void
  /** The path in the address bar. */
  path(): string
}

const WALLET_CENTRE = '/center/wallet'
export const ERROR_TOAST_KEY = 'httpError'

/**
 * Does what the catalogue says of a refused call: a table, one line for each reaction. What the caller shows where it was asked for is not told a second time;
 * whatever else the refusal means is done all the same.
 */
export function reactTo(reaction: Reaction, error: Pick<CallError, 'message'>, isShown: boolean, effects: ReactionEffects): void {
  const table: Record<Reaction, () => void> = {
    toast: () => {
      if (!isShown) effects.toast(error.message, ERROR_TOAST_KEY)
    },
    silent: () => undefined,
    logout: () => effects.leaveSession(),
    'not-permitted': () => effects.showNotPermitted(),
    'clear-selection': () => {
      effects.forgetWallet()
      effects.forgetSubWallet()
      effects.closeDrawer({ refresh: false })
    },
    'clear-or-refresh': () => {
      if (effects.path().includes(WALLET_CENTRE)) effects.forgetWallet()
      else effects.closeDrawer({ refresh: true })
    },
  }
  table[reaction]()
}
