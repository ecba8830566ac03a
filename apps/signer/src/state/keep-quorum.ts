import { toHex } from '@holdfast/encoding'
import type { JournalEvent } from './journal-events.ts'
import type { Register } from './register.ts'

/** The name under which it is kept that the steps of a rule are met for an order. Joined as `signatureKeyOf` is. */
export const quorumKeyOf = (intentHash: Uint8Array, ruleId: string): string => [toHex(intentHash), ruleId].join('|')

/** Keeps when this signer first saw that the steps of a rule are met for an order: a clock that was put back makes it no earlier. */
export function keepQuorum({ quorums, latestMs }: Register, { intentHash, ruleId }: Extract<JournalEvent, { kind: 'quorumSeen' }>): void {
  const name = quorumKeyOf(intentHash, ruleId)
  if (!quorums.has(name)) quorums.set(name, latestMs)
}
