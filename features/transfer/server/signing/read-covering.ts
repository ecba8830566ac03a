import { decode, equalBytes } from '@holdfast/encoding'
import { type CosignedCheckpoint, loggedAt, readApprovals } from '@holdfast/features/evidence/server'
import { readWalletKey } from '@holdfast/features/key/server'
import { readSignerOrderByIntent } from '@holdfast/features/policy/server'
import { callsCollector, intentShape } from '@holdfast/intent'
import { known, type OrganisationId } from '@holdfast/units'
import { ownPlaces } from '../opening/known-destinations.ts'
import type { Order } from '../order/read-order.ts'
import type { Covering } from './build-evidence.ts'
import type { SignNeeds } from './types.ts'

/** The standing order by which signers signed a transfer, with its approvals, their places in the log, and what proves that the paid address is an own one. */
export async function readCovering(
  needs: SignNeeds,
  orgId: OrganisationId,
  { order, hash, checkpoint }: { order: Order; hash: Uint8Array; checkpoint: CosignedCheckpoint },
): Promise<Covering> {
  const { chain, address_to: to } = order.row
  const { standing, approvals, place, keyStatements } = await needs.db.asOrganisation(orgId, async (tx) => {
    const [standing, words, [place]] = await Promise.all([readSignerOrderByIntent(tx, hash), readApprovals(tx, hash), ownPlaces(tx, chain, [to])])
    // A contract's address says nothing of whose it is: what proves that is the key of the address to which it moves.
    const keyId = standing && (targetOf(standing.row.intent, chain)?.keyId ?? place?.keyId)
    const isOther = keyId !== undefined && !equalBytes(keyId, order.payment.keyId)
    const wallet = isOther
      ? await tx.selectFrom('key_of_wallet').select('wallet_id').where('org_id', '=', tx.orgId).where('key_id', '=', keyId).executeTakeFirst()
      : undefined
    const key = wallet && keyId && (await readWalletKey(tx, wallet.wallet_id, keyId))
    const approvals = words.filter((each) => each.approval.decision === 'approve')
    return { standing: known(standing, 'the standing order'), approvals, place, keyStatements: key?.statements ?? [] }
  })
  const { row, places } = standing
  const sequences = [places.intent, ...approvals.map(({ personId }) => known(places.words[personId], `the place in the log of the approval of ${personId}`))]
  return {
    intent: new Uint8Array(row.intent),
    approvals: approvals.map(({ bytes }) => bytes),
    logged: await loggedAt(needs, orgId, checkpoint.size, sequences),
    place: place ? { keyId: place.keyId, path: place.path } : null,
    keyStatements,
  }
}

/** Where the contract that a standing order is about moves to on a network; undefined if it is about none. */
function targetOf(encoded: Uint8Array, chain: string) {
  const intent = decode(intentShape, new Uint8Array(encoded))
  if (intent.kind !== 'standingOrder') return undefined
  const { does } = intent
  return callsCollector(does) ? does.to.find((target) => target.chain === chain) : undefined
}
