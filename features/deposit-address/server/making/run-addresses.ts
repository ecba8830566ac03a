import { endOf, startOf } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { encode } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { attestRange, batchShape, readWalletKeys, signsOn, type WalletKeyRow } from '@holdfast/features/key/server'
import { currentPolicy, type PolicyInForce } from '@holdfast/features/policy/server'
import { sweepForSigners } from '@holdfast/features/signer-link/server'
import { announce, type Repeating } from '@holdfast/jobs'
import type { Signed } from '@holdfast/protocol'
import { sql } from 'kysely'
import type { AddressRequest } from './request-addresses.ts'

type Needs = Pick<ServerContext, 'ports' | 'db' | 'coSigners' | 'networks'>

/**
 * Addresses of a batch, during which server and signers do nothing else: while they derived the thousand that a statement may speak of, everybody else would
 * wait for a second, and for ten where the processor is busy.
 */
export const BATCH = 200

const sweeps = sweepForSigners()

/** Has what was asked for looked at now, where this process makes addresses at all. */
export const pokeAddresses: typeof sweeps.poke = sweeps.poke

/** Makes the addresses that were asked for until stopped. */
export function startAddresses(needs: Needs, report: (cause: unknown) => void = () => {}): Repeating {
  return sweeps.start(needs, { report }, async ({ isStopped, attend }) => {
    const open = await needs.db.readSystem((tx) =>
      tx.selectFrom('address_request').select(['org_id', 'id']).where(sql<boolean>`made < count`).orderBy('created_at').limit(100).execute(),
    )
    // One after the other: what is small and came later waits for no more than a batch of each.
    for (const { org_id: orgId, id } of open) await attend(id, () => makeAddresses(needs, orgId, id, isStopped))
  })
}

/** Makes what a request still lacks, batch by batch, each in one transaction. True if nothing is left to do. */
export async function makeAddresses(needs: Needs, orgId: string, id: string, isStopped: () => boolean = () => false): Promise<boolean> {
  for (;;) {
    const next = await needs.db.asOrganisation(orgId, (tx) => readNext(tx, needs, id))
    if (next === 'done') return true
    if (next === 'wait' || isStopped()) return false
    const { request, key, inForce, subWallet } = next
    const network = needs.networks.require(request.chain)
    const [first, count] = [request.first + request.made, Math.min(BATCH, request.count - request.made)]
    const made = await attestRange(needs, key, inForce, { network, subWallet, first, count })
    await needs.db.asOrganisation(orgId, (tx) => writeBatch(tx, needs, { request, walletId: key.walletId, subWallet, first, made }))
  }
}

type Next = { request: AddressRequest; key: WalletKeyRow; inForce: PolicyInForce; subWallet: number }

async function readNext(tx: OrganisationTx, { networks }: Needs, id: string): Promise<Next | 'done' | 'wait'> {
  const request = await tx.selectFrom('address_request').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirst()
  if (!request || request.made >= request.count) return 'done'
  const { number, wallet_id: walletId } = await tx
    .selectFrom('sub_wallet')
    .select(['number', 'wallet_id'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', request.sub_wallet_id)
    .executeTakeFirstOrThrow()
  const key = (await readWalletKeys(tx, walletId)).find((each) => signsOn(each, request.chain))
  if (!key || key.keyState !== 'ready' || key.retiredAtMs !== null || !networks.find(request.chain)) return 'wait'
  return { request, key, inForce: await currentPolicy(tx), subWallet: number }
}

type Made = { request: AddressRequest; walletId: string; subWallet: number; first: number; made: { addresses: string[]; statements: Signed[] } }

/** Writes a batch, its addresses and how far the request is. Nothing if another server has written it. */
async function writeBatch(tx: OrganisationTx, { ports }: Needs, { request, walletId, subWallet, first, made }: Made): Promise<void> {
  const nowMs = ports.clock.nowMs()
  const { addresses, statements } = made
  const moved = await tx
    .updateTable('address_request')
    .set({ made: first - request.first + addresses.length, updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', request.id)
    .where('made', '=', first - request.first)
    .returning('id')
    .executeTakeFirst()
  if (!moved) return
  const place = { org_id: tx.orgId, sub_wallet_id: request.sub_wallet_id, chain: request.chain, created_at: nowMs }
  await tx
    .insertInto('address_batch')
    .values({ ...place, first, count: addresses.length, statements: encode(batchShape, { statements }) })
    .execute()
  const labels = addresses.map((_, i) => labelOf(request, first + i))
  await sql`
    insert into address (org_id, chain, address, address_end, address_start, sub_wallet_id, path, number, addr_type, label, attestations, created_at)
    select ${tx.orgId}::uuid, ${request.chain}, made.address, made.ending, made.beginning, ${request.sub_wallet_id}::uuid,
      array[${subWallet}::int, ${first}::int + made.place::int - 1], ${first}::int + made.place::int - 1, ${request.addr_type}::smallint, made.label, '[]',
      ${nowMs}::int8
    from unnest(${addresses}::text[], ${addresses.map(endOf)}::text[], ${addresses.map(startOf)}::text[], ${labels}::text[])
      with ordinality as made (address, ending, beginning, label, place)`.execute(tx)
  await announce(tx, ports, 'wallet.changed', { wallet_id: walletId })
}

/** Of several addresses each has its number behind the name that they share. */
function labelOf({ label, count }: AddressRequest, number: number): string | null {
  return label === null || count === 1 ? label : `${label} ${number}`
}
