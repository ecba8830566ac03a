import type { Database } from '../open-database.ts'

type Made = { nowMs: number; bytes: (part: string) => Uint8Array; id: (part: string) => string }

/** For tests: one row in every table of 0260-signers-together.sql. */
export async function insertSignerRows(
  db: Database,
  { orgId, personId }: { orgId: string; personId: string },
  { nowMs, bytes: hash, id }: Made,
): Promise<void> {
  const order = id('signer order')
  await db.asOrganisation(orgId, async (tx) => {
    await tx
      .insertInto('signer_order')
      .values({
        org_id: orgId,
        id: order,
        kind: 'absence',
        intent: hash('absence'),
        intent_hash: hash('absence hash'),
        policy_version: 1n,
        initiator: personId,
        state: 'approving',
        is_final: false,
        reason: null,
        places: '{}',
        endorsements: null,
        followed: '[]',
        expires_at: nowMs + 1,
        created_at: nowMs,
        updated_at: nowMs,
        version: 1,
      })
      .execute()
    await tx
      .insertInto('signer_order_event')
      .values({ org_id: orgId, order_id: order, seq: 1, state: 'approving', actor: personId, reason: null, at: nowMs })
      .execute()
    await tx
      .insertInto('signing_freeze')
      .values({
        org_id: orgId,
        hash: hash('freeze'),
        record: hash('freeze record'),
        person_id: personId,
        told: '[]',
        lifted_by: null,
        created_at: nowMs,
        updated_at: nowMs,
      })
      .execute()
    await tx
      .insertInto('standing_stop')
      .values({ org_id: orgId, hash: hash('stop'), record: hash('stop record'), person_id: personId, told: '[]', created_at: nowMs, updated_at: nowMs })
      .execute()
    await tx.insertInto('standing_look').values({ org_id: orgId, standing_order_id: order, looked_at: nowMs }).execute()
    await tx
      .insertInto('scheduled_reason')
      .values({ org_id: orgId, standing_order_id: order, day: 20_000, reason: 'no_funds', detail: '1', at: nowMs })
      .execute()
    await tx.insertInto('standing_narrowing').values({ org_id: orgId, standing_order_id: order, document: '{}', updated_at: nowMs }).execute()
  })
}

/** For tests: one row in every table of 0070-key-changes.sql and 0090-key-orders.sql. */
export async function insertKeyRows(
  db: Database,
  { orgId, personId, walletId }: { orgId: string; personId: string; walletId: string },
  { nowMs, bytes: hash, id }: Made,
): Promise<void> {
  await db.asOrganisation(orgId, async (tx) => {
    await tx
      .insertInto('key_change')
      .values({
        org_id: orgId,
        id: id('key change'),
        wallet_id: walletId,
        key_id: hash('key'),
        from_epoch: 0n,
        intent: hash('key change intent'),
        intent_hash: hash('key change intent hash'),
        policy_version: 1n,
        initiator: personId,
        state: 'approving',
        is_final: false,
        reason: null,
        places: '{}',
        progress: '{}',
        statements: null,
        expires_at: nowMs + 1,
        created_at: nowMs,
        updated_at: nowMs,
        version: 1,
      })
      .execute()
    await tx
      .insertInto('key_change_event')
      .values({ org_id: orgId, change_id: id('key change'), seq: 1, state: 'approving', actor: personId, reason: null, at: nowMs })
      .execute()
    await tx
      .insertInto('share_check')
      .values({
        org_id: orgId,
        key_id: hash('key'),
        epoch: 0n,
        checked_at: nowMs,
        tried_at: nowMs,
        fault: null,
        fault_party: null,
        asked_by: personId,
        next_at: nowMs,
      })
      .execute()
    await tx
      .insertInto('key_export')
      .values({ org_id: orgId, change_id: id('key change'), kit: hash('export'), created_at: nowMs })
      .execute()
    await tx
      .insertInto('key_export_word')
      .values({ org_id: orgId, change_id: id('key change'), person_id: personId, accepted: true, at: nowMs })
      .execute()
    await tx
      .insertInto('collecting_plan')
      .values({
        ...{ org_id: orgId, wallet_id: walletId, version: 1, document: '{}', action: 'set', remark: 'Café "归集"' },
        ...{ changed_by: personId, changed_at: nowMs },
      })
      .execute()
    await tx
      .insertInto('collecting_import')
      .values({
        ...{ org_id: orgId, id: id('import'), wallet_id: walletId, lines: '[]', state: 'checked', asked_by: personId },
        ...{ created_at: nowMs, updated_at: nowMs },
      })
      .execute()
  })
}
