import type { Organisation } from '../state/organisation.ts'
import { known } from '@holdfast/units'
import { type QuorumAsked, verifyQuorum } from '../checks/verify-quorum.ts'
import { quorumKeyOf } from '../state/keep-quorum.ts'
import type { Signer } from '../signer.ts'

/**
 * From when on this signer would sign an order that waits by the rule it goes by. When it first heard of it is on disk before the answer leaves. Throws
 * Refused.
 */
export async function seeQuorum({ options }: Signer, organisation: Organisation, asked: QuorumAsked): Promise<{ signableAtMs: bigint; isSignable: boolean }> {
  const { register, journal } = organisation
  const nowMs = options.ports.clock.nowMs()
  const { hash, needs } = verifyQuorum(asked, { register, nowMs })
  const key = quorumKeyOf(hash, needs.rule.id)
  if (register.quorums.has(key)) await journal.settled()
  else await journal.write([{ kind: 'quorumSeen', intentHash: hash, ruleId: needs.rule.id }])
  const signableAtMs = BigInt(known(register.quorums.get(key), 'when the quorum was seen')) + needs.delayMs
  return { signableAtMs, isSignable: BigInt(nowMs) >= signableAtMs }
}
