import { decode } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { cosignedCheckpoint, loggedAt, readApprovals } from '@holdfast/features/evidence/server'
import { sequencesOf } from '@holdfast/features/proposal/server'
import { gatherEndorsements } from '@holdfast/features/signer-link/server'
import { type Signed, signerCalls } from '@holdfast/protocol'
import { endorsementsShape, type PolicyInForce } from '../current-policy.ts'
import { type SignerOrder, writeSignerOrderFollowed } from './signer-order.ts'

type Needs = Pick<ServerContext, 'ports' | 'db' | 'coSigners'>

/**
 * Has a signer follow an order that others followed without it. An order that is over it follows by the fresh word of those that did. Throws CoSignerError if
 * the signer refuses it.
 */
export async function handOrder(needs: Needs, orgId: string, party: number, order: SignerOrder, inForce: PolicyInForce): Promise<void> {
  const genesis = inForce.fingerprint
  const { row, places, followed } = order
  const given = await needs.db.asOrganisation(orgId, (tx) => readApprovals(tx, row.intent_hash))
  const words = given.filter((each) => each.approval.decision === 'approve')
  const checkpoint = await cosignedCheckpoint(needs, orgId, inForce)
  const logged = await loggedAt(needs, orgId, checkpoint.size, sequencesOf(places, words))
  const asked = { intent: new Uint8Array(row.intent), approvals: words.map((each) => each.bytes), checkpoint: checkpoint.note, logged }
  const fresh = (await gatherEndorsements(needs, { genesis, subject: { kind: 'order', ...asked } }, [party])).given
  // Beside the word of now stands the one from before: of a signer that does not follow it either, and said in time that it would.
  const kept = row.endorsements ? decode(endorsementsShape, new Uint8Array(row.endorsements)).words : []
  const endorsements = [...fresh, ...kept.filter((word) => !fresh.some((each) => each.party === word.party))].slice(0, 3) as Signed[]
  await needs.coSigners.call(party, signerCalls.followSignerOrder, { genesis, ...asked, endorsements })
  if (followed.includes(party)) return
  await needs.db.asOrganisation(orgId, (tx) => writeSignerOrderFollowed(tx, order, [...followed, party].sort()))
}
