import type { OrganisationTx } from '../run-transaction.ts'

const NOW_MS = 1_750_000_000_000

/** What is said of an order besides itself: what it calls, what a machine signed of it, and what a co-signer was told of it. */
export async function insertOrderRows(tx: OrganisationTx, { orgId, orderId, personId }: { orgId: string; orderId: string; personId: string }): Promise<void> {
  await tx
    .insertInto('contract_call')
    .values({
      org_id: orgId,
      order_id: orderId,
      dapp_name: "a's",
      dapp_url: 'https://a.example',
      dapp_img: '',
      simulation: '{"fails":null}',
      created_at: NOW_MS,
    })
    .execute()
  await tx
    .insertInto('machine_signature')
    .values({
      org_id: orgId,
      intent_hash: new Uint8Array(32).fill(7),
      machine: 'payouts',
      party: personId,
      decision: 'ask',
      bytes: new Uint8Array(64).fill(8),
      sequence: 1n,
      created_at: NOW_MS,
    })
    .execute()
  await tx
    .insertInto('machine_link')
    .values({ org_id: orgId, machine_id: 'guard', version: '1.0.0', seen_at: NOW_MS, place: 7n, mark: new Uint8Array(32).fill(9) })
    .execute()
  await tx.insertInto('machine_told').values({ org_id: orgId, order_id: orderId, machine_id: 'guard', told_at: null }).execute()
}
