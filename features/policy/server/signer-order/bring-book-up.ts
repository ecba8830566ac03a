import type { OrganisationTx } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import { cosignedCheckpoint, loggedAt, readApprovals } from '@holdfast/features/evidence/server'
import { sequencesOf } from '@holdfast/features/proposal/server'
import { gatherEndorsements } from '@holdfast/features/signer-link/server'
import type { ServerContext } from '@holdfast/features/context'
import { type Signed, signerCalls } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { currentPolicy, endorsementsShape } from '../current-policy.ts'
import { bringSignersUp } from '../change/bring-signers-up.ts'
import { type SignerOrder, signerOrderOf, writeSignerOrderFollowed } from './signer-order.ts'

type Needs = Pick<ServerContext, 'ports' | 'db' | 'coSigners'>
/** An order that made a version of the whitelist. */
export type BookVersion = { version: bigint; hash: Uint8Array; order: SignerOrder }

/** Every order that the signers followed to make the whitelist, from the first. */
export async function followedBookOrders(tx: OrganisationTx): Promise<BookVersion[]> {
  const rows = tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('kind', '=', 'address_book').where('state', '=', 'followed')
  const orders = (await rows.execute()).map(signerOrderOf)
  const versions = orders.flatMap((order) => {
    const { intent, row } = order
    return intent.kind === 'addressBook' ? [{ version: intent.version, hash: new Uint8Array(row.intent_hash), order }] : []
  })
  return versions.sort((a, b) => Number(a.version - b.version))
}

/** Organisations that have a whitelist. */
export async function organisationsWithBook({ db }: Pick<Needs, 'db'>): Promise<string[]> {
  const rows = await db.asSystem((tx) =>
    tx.selectFrom('signer_order').select('org_id').distinct().where('kind', '=', 'address_book').where('state', '=', 'followed').execute(),
  )
  return rows.map(({ org_id: orgId }) => orgId)
}

/**
 * Hands every connected signer the orders about the whitelist that it has not followed yet, from the first that it lacks: one that was not there, was put
 * back or took the place of another. An order that is over it follows by the fresh word of those that followed it. Answers whether all that are connected
 * have all of them. A signer that refuses stays behind, and lists less.
 */
export async function bringBookUp(needs: Needs, orgId: string): Promise<boolean> {
  const { versions, inForce } = await needs.db.asOrganisation(orgId, async (tx) => ({
    versions: await followedBookOrders(tx),
    inForce: await currentPolicy(tx),
  }))
  if (versions.length === 0) return true
  const parties = await bringSignersUp(needs, inForce)
  const genesis = inForce.fingerprint
  const known = await Promise.all(
    parties.map(async (party) => ({ party, version: (await needs.coSigners.call(party, signerCalls.bookStatus, { genesis })).version })),
  )
  const behind = known.filter(({ version }) => version < at(versions, versions.length - 1).version)
  for (const { party, version } of behind) {
    for (const missing of versions.filter((each) => each.version > version)) await hand(needs, orgId, { party, missing, genesis, inForce })
  }
  return parties.length === needs.coSigners.online().length
}

type Handed = { party: number; missing: BookVersion; genesis: Uint8Array; inForce: Awaited<ReturnType<typeof currentPolicy>> }

async function hand(needs: Needs, orgId: string, { party, missing, genesis, inForce }: Handed): Promise<void> {
  const { row, places, followed } = missing.order
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
  await needs.db.asOrganisation(orgId, (tx) => writeSignerOrderFollowed(tx, missing.order, [...followed, party].sort()))
}
