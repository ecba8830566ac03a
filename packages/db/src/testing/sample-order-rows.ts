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
    .insertInto('screening_word')
    .values({
      org_id: orgId,
      intent_hash: new Uint8Array(32).fill(7),
      machine: 'lists',
      screened_at: NOW_MS,
      provider: 'deny list',
      level: 'low',
      bytes: new Uint8Array(64).fill(8),
      sequence: 2n,
      created_at: NOW_MS,
    })
    .execute()
  await tx
    .insertInto('machine_link')
    .values({ org_id: orgId, machine_id: 'guard', version: '1.0.0', seen_at: NOW_MS, place: 7n, mark: new Uint8Array(32).fill(9) })
    .execute()
  await tx.insertInto('machine_use').values({ org_id: orgId, machine_id: 'payouts', used_at: NOW_MS, used_from: '203.0.113.7' }).execute()
  const settings = { document: '{}', base_version: 0, change_id: null, made_by: null, state: 'in_force' as const, decided_by: null, decided_at: null }
  await tx
    .insertInto('machine_settings')
    .values({ org_id: orgId, machine_id: 'payouts', version: 1, made_at: NOW_MS, ...settings })
    .execute()
  const call = { method: 'POST', path: '/api/mpc/sub_wallet/withdraw', request_id: null, address: '203.0.113.7', http_status: 200, code: '0', refused: null }
  await tx
    .insertInto('machine_call')
    .values({ org_id: orgId, id: orderId, machine_id: 'payouts', at: NOW_MS, duration_ms: 12, body: '', ...call })
    .execute()
  await tx.insertInto('machine_nonce').values({ org_id: orgId, machine_id: 'payouts', nonce: 'abcdefghijklmnop', over_at: NOW_MS }).execute()
  const sealed = { public_key: 'A'.repeat(64), sealed_secret: 'sealed' }
  await tx
    .insertInto('machine_rsa')
    .values({ org_id: orgId, machine_id: 'payouts', created_at: NOW_MS, ...sealed })
    .execute()
  await tx.insertInto('wire_number').values({ org_id: orgId, kind: 'order', number: 1n, subject_id: orderId }).execute()
  await tx.insertInto('machine_told').values({ org_id: orgId, order_id: orderId, machine_id: 'guard', told_at: null }).execute()
}
