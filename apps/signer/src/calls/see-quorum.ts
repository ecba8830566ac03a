import type { Organisation } from '../state/organisation.ts'
import { known } from '@holdfast/units'
import { type QuorumAsked, verifyQuorum } from '../checks/delay.ts'
import { quorumKeyOf } from '../state/register.ts'
import type { Signer } from '../signer.ts'

/** From when on this signer would sign an order that waits by the rule it goes by. When it first heard of it is on disk before the answer leaves. Throws Refused. */
export async function seeQuorum({ options }: Signer, organisation: Organisation, asked: QuorumAsked): Promise<{ seenAtMs: bigint; signableAtMs: bigint }> {
  const { register, journal } = organisation
  const { hash, needs } = verifyQuorum(asked, { register, nowMs: options.ports.clock.nowMs() })
  const key = quorumKeyOf(hash, needs.rule.id)
  if (register.quorums.has(key)) await journal.settled()
  else await journal.write([{ kind: 'quorumSeen', intentHash: hash, ruleId: needs.rule.id }])
  const seenAtMs = BigInt(known(register.quorums.get(key), 'when the quorum was seen'))
  return { seenAtMs, signableAtMs: seenAtMs + needs.delayMs }
}
