import type { FeeBid } from './draft.ts'
import type { WithdrawTarget } from './open-withdraw-drawer.tsx'

/** What was filled into the form of a payment and not sent. What was acknowledged is not in it: that is asked again. */
export type KeptDraft = {
  target: Pick<WithdrawTarget, 'subWallet' | 'coin' | 'token'>
  fields: NonNullable<WithdrawTarget['again']>
  choices: { bid: FeeBid; isGross: boolean; expireHours: number }
}

/** In this tab's memory alone: no other tab, no storage and no server has it. */
let kept: { personId: string; draft: KeptDraft } | undefined

/** Keeps what a person has filled in, until it is sent or closed on purpose. */
export function keepDraft(personId: string, draft: KeptDraft): void {
  kept = { personId, draft }
}

export function dropDraft(): void {
  kept = undefined
}

/** What this person had filled in when they were signed out; nobody else's, and once. */
export function takeDraft(personId: string): KeptDraft | undefined {
  const found = kept?.personId === personId ? kept.draft : undefined
  kept = undefined
  return found
}
