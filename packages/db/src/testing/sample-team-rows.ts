import type { Database } from '../open-database.ts'

type Made = { nowMs: number; bytes: (part: string) => Uint8Array; id: (part: string) => string }

/** For tests: one row in every table of 0050-team.sql, 0140-people.sql and 0280-proposals.sql that belongs to an organisation. */
export async function insertTeamRows(db: Database, { orgId, personId }: { orgId: string; personId: string }, { nowMs, bytes: hash, id }: Made): Promise<void> {
  await db.asOrganisation(orgId, async (tx) => {
    await tx
      .insertInto('policy_change')
      .values({
        org_id: orgId,
        id: id('policy change'),
        intent: hash('change intent'),
        intent_hash: hash('change intent hash'),
        base_version: 1n,
        initiator: personId,
        state: 'approving',
        is_final: false,
        reason: null,
        expires_at: nowMs + 1,
        created_at: nowMs,
        updated_at: nowMs,
        version: 1,
      })
      .execute()
    await tx
      .insertInto('policy_change_event')
      .values({ org_id: orgId, change_id: id('policy change'), seq: 1, state: 'approving', actor: personId, reason: null, at: nowMs })
      .execute()
    const subject = { org_id: orgId, subject_id: id('policy change') }
    const about = { kind: 'policy_change', intent_hash: hash('change intent hash'), initiator: personId, wallet_id: null }
    await tx
      .insertInto('proposal')
      .values({ ...subject, ...about, rank: 0, words: 'v2\nZoë', is_open: true, expires_at: nowMs + 1, created_at: nowMs })
      .execute()
    await tx
      .insertInto('proposal_person')
      .values({ ...subject, person_id: personId, spoken_at: null })
      .execute()
    await tx.insertInto('order_reminder').values({ org_id: orgId, order_id: subject.subject_id, person_id: personId, times: 1, reminded_at: nowMs }).execute()
    await tx
      .insertInto('qr_code')
      .values({ ...subject, id: id('qr code'), person_id: personId, intent_hash: about.intent_hash, created_at: nowMs, expires_at: nowMs + 1, opened_at: null })
      .execute()
    await tx
      .insertInto('approval_key')
      .values({ org_id: orgId, id: id('approval key'), person_id: personId, credential: hash('approval credential'), created_at: nowMs })
      .execute()
    await tx
      .insertInto('member_event')
      .values({ org_id: orgId, id: id('member event'), person_id: personId, kind: 'joined', actor: personId, detail: '{}', at: nowMs })
      .execute()
    await tx
      .insertInto('login_event')
      .values({
        org_id: orgId,
        id: id('login event'),
        person_id: personId,
        method: 'passkey',
        result: 'ok',
        reason: null,
        ip: '::1',
        user_agent: 'a\tb\\n"c"',
        device: 'Firefox',
        os: 'Linux',
        is_new_device: true,
        session_id: hash('session'),
        at: nowMs,
      })
      .execute()
    await tx
      .insertInto('absence')
      .values({ org_id: orgId, person_id: personId, from_at: nowMs, to_at: nowMs + 1, deputy: null, note: '', ended_at: null, updated_at: nowMs })
      .execute()
    await tx
      .insertInto('delegation')
      .values({
        org_id: orgId,
        hash: new Uint8Array(32).fill(7),
        record: new Uint8Array(8),
        person_id: personId,
        delegate_id: null,
        from_at: 0,
        until_at: 0,
        sequence: 1n,
        told: '[]',
        created_at: nowMs,
        updated_at: nowMs,
      })
      .execute()
    await tx
      .insertInto('trusted_device')
      .values({ org_id: orgId, person_id: personId, device: 'Firefox', os: 'Linux', trusted: true, changed_at: nowMs })
      .execute()
  })
}
