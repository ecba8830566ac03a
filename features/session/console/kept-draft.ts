import type { Drawers } from '@holdfast/ui'
import type { TFunction } from 'i18next'

/** Opens the form again with what was filled in. What was acknowledged is not in it: that is asked again. */
export type Reopen = (drawers: Drawers, t: TFunction) => void

/** In this tab's memory alone: no other tab, no storage and no server has it. */
let kept: { form: object; personId: string; reopen: Reopen } | undefined

/** Keeps what a person has filled into a form, until it is sent or closed on purpose. `form` is whatever names the form while it is open. */
export function keepDraft(form: object, personId: string, reopen: Reopen): void {
  kept = { form, personId, reopen }
}

/** Forgets what was kept of a form; of another one nothing. */
export function dropDraft(form: object): void {
  if (kept?.form === form) kept = undefined
}

/** What this person had filled in when they were signed out; nobody else's, and once. */
export function takeDraft(personId: string): Reopen | undefined {
  const found = kept?.personId === personId ? kept.reopen : undefined
  kept = undefined
  return found
}
