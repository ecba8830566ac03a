import type { SignRequest } from '@holdfast/protocol'
import { nodePorts } from '@holdfast/ports/node'
import { CLOCK_TOLERANCE_MS } from '../state/approver-counters.ts'
import { cosignAll } from './cluster.ts'
import { approvalsOf, draftOf, type PublicKey, requestOf } from './order-of.ts'
import { TOKEN } from './organisation-of.ts'
import type { SignerProcesses } from './signer-processes.ts'
import { ann, ben, cleo } from './world-of.ts'

type Asked = { parties: readonly bigint[]; salt: number; epoch?: bigint }

/**
 * An order of a token that no window counts, for signers that are processes: of now, and approved as late as a signer takes it, after whatever was
 * repaired before.
 */
export async function tokenOrder(at: SignerProcesses, key: PublicKey, { parties, salt, epoch = 0n }: Asked): Promise<{ kind: 'sign' } & SignRequest> {
  const { fingerprint, policy } = at.founded.organisation
  at.time.nowMs = nodePorts.clock.nowMs()
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset: TOKEN, salt, nonce: BigInt(salt), nowMs: at.time.nowMs })
  const approvals = approvalsOf(draft, policy, [ben, cleo], { changes: { signedAtMs: BigInt(at.time.nowMs + CLOCK_TOLERANCE_MS) } })
  const { request } = requestOf({ key, draft, approvals, log: at.log, parties: [...parties], salt })
  await cosignAll(at, at.log)
  return { ...request, epoch }
}
