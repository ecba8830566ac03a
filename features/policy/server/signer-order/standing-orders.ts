import type { OrganisationTx } from '@holdfast/db'
import { equalBytes, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import type { StandingOrderIntent } from '@holdfast/intent'
import { signerCalls } from '@holdfast/protocol'
import { bringSignersUp } from '../change/bring-signers-up.ts'
import { currentPolicy } from '../current-policy.ts'
import { tellStopsAgain } from '../stops.ts'
import { handOrder } from './hand-order.ts'
import { type SignerOrder, signerOrderOf } from './signer-order.ts'

type Needs = Pick<ServerContext, 'ports' | 'db' | 'coSigners'>

/** A standing order in the newest version that signers follow, and the order that made it. Its hash is how signers name it. */
export type StandingOrderInForce = { intent: StandingOrderIntent; hash: Uint8Array; order: SignerOrder }

/** Every standing order that the signers follow, each in its newest version, the oldest first: also those whose time is over, or that somebody stopped. */
export async function followedStandingOrders(tx: OrganisationTx): Promise<StandingOrderInForce[]> {
  const rows = tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('kind', '=', 'standing_order').where('state', '=', 'followed')
  const newest = new Map<string, StandingOrderInForce>()
  for (const order of (await rows.orderBy('created_at').orderBy('id').execute()).map(signerOrderOf)) {
    const { intent, row } = order
    if (intent.kind !== 'standingOrder') continue
    const id = toHex(intent.id)
    const before = newest.get(id)
    if (!before || before.intent.version < intent.version) newest.set(id, { intent, hash: new Uint8Array(row.intent_hash), order })
  }
  return [...newest.values()]
}

/** Organisations that have standing orders. */
export async function organisationsWithStandingOrders({ db }: Pick<Needs, 'db'>): Promise<string[]> {
  const rows = await db.asSystem((tx) =>
    tx.selectFrom('signer_order').select('org_id').distinct().where('kind', '=', 'standing_order').where('state', '=', 'followed').execute(),
  )
  return rows.map(({ org_id: orgId }) => orgId)
}

/**
 * Hands every connected signer the standing orders that it does not follow yet in their newest version, and that are not over: one that was not there, was put
 * back or took the place of another. Answers whether all that are connected have all of them. A signer that refuses stays behind, and signs less.
 */
export async function bringStandingUp(needs: Needs, orgId: string): Promise<boolean> {
  const { orders, inForce } = await needs.db.asOrganisation(orgId, async (tx) => ({
    orders: await followedStandingOrders(tx),
    inForce: await currentPolicy(tx),
  }))
  const open = orders.filter(({ intent }) => intent.untilMs > BigInt(needs.ports.clock.nowMs()))
  if (open.length === 0) return true
  const parties = await bringSignersUp(needs, inForce)
  for (const party of parties) {
    const kept = await needs.coSigners.call(party, signerCalls.standingOrders, { genesis: inForce.fingerprint })
    const isKept = ({ intent }: StandingOrderInForce) => kept.orders.some((each) => equalBytes(each.id, intent.id) && each.version >= intent.version)
    const missing = open.filter((each) => !isKept(each))
    for (const each of missing) await handOrder(needs, orgId, party, each.order, inForce)
    // A stop of what a signer did not follow yet is nothing to it: it is told again.
    if (missing.length > 0) await tellStopsAgain(needs, orgId, party)
  }
  return parties.length === needs.coSigners.online().length
}
