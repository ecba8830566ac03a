import { type BatchIntent, intentHash, isTransaction, type SpendingIntent } from '@holdfast/intent'
import type { Needs } from '@holdfast/policy'
import { quorumKeyOf } from '../state/keep-quorum.ts'
import type { Register } from '../state/register.ts'
import { Refused } from './refused.ts'

// A rule with a delay: nothing is signed under it before so long has passed since this signer saw that its steps are met, so that people can still stop it.

type View = { register: Register; nowMs: number }

/** c5: the delay of the rule has passed by this signer's own clock. Throws Refused. */
export function checkDelay(intent: SpendingIntent | BatchIntent, { rule, delayMs }: Needs, view: View): void {
  // What is about a payment needs one that was begun (`checkBegun`), which has waited.
  if (delayMs === 0n || (intent.kind !== 'batch' && !isTransaction(intent))) return
  const atMs = view.register.quorums.get(quorumKeyOf(intentHash(intent), rule.id))
  if (atMs === undefined) throw new Refused('c5', `rule ${rule.id} has orders wait, and this signer has not been told that its steps are met`)
  const signableAtMs = BigInt(atMs) + delayMs
  if (BigInt(view.nowMs) < signableAtMs)
    throw new Refused('c5', `rule ${rule.id} has orders wait: signed from ${new Date(Number(signableAtMs)).toISOString()} on`)
}
