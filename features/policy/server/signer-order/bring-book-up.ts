import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { signerCalls } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { currentPolicy } from '../current-policy.ts'
import { bringSignersUp } from '../change/bring-signers-up.ts'
import { handOrder } from './hand-order.ts'
import { type SignerOrder, signerOrderOf } from './signer-order.ts'

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
    for (const missing of versions.filter((each) => each.version > version)) await handOrder(needs, orgId, party, missing.order, inForce)
  }
  return parties.length === needs.coSigners.online().length
}
