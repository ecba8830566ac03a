import { createPublicKey } from 'node:crypto'
import type { OrganisationTx } from '@holdfast/db'
import type { MailStanding } from '@holdfast/features/mail/contract'
import { readMail } from '@holdfast/features/mail/server'
import { hasAuthenticator } from '@holdfast/features/session/server'
import { SIDES } from '../contract.ts'

const CHANGES_SHOWN = 50

/** The endpoints with what waits for each, the keys that sign, and the last changes. */
export async function readEndpoints(tx: OrganisationTx, personId: string) {
  const endpoints = await tx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .execute()
  const waiting = await tx
    .selectFrom('webhook_delivery')
    .select((row) => ['endpoint_id', row.fn.countAll<bigint>().as('count')])
    .where('org_id', '=', tx.orgId)
    .where('state', '=', 'retrying')
    .groupBy('endpoint_id')
    .execute()
  const mails = new Map<string, MailStanding[]>()
  for (const { id, pause_reason, paused_at } of endpoints) {
    if (pause_reason === 'failures') mails.set(id, await readMail(tx, { topic: 'receiver_paused', aboutId: id, sinceMs: Number(paused_at) }))
  }
  const keys = await tx.selectFrom('webhook_key').selectAll().where('org_id', '=', tx.orgId).orderBy('number', 'desc').execute()
  return {
    receivers: endpoints.map((row) => ({
      endpoint_id: row.id,
      url: row.url,
      app_id: row.machine_id,
      sides: SIDES.filter((side) => Object.hasOwn(row.sides, side)),
      confirmations_step: row.confirmations_step,
      pause_after: row.pause_after,
      state:
        row.pause_reason === 'failures'
          ? ('auto_paused' as const)
          : row.pause_reason === 'person'
            ? ('paused' as const)
            : row.failures > 0
              ? ('failing' as const)
              : ('active' as const),
      failures: row.failures,
      failing_since: row.failing_since_at === null ? null : Number(row.failing_since_at),
      paused_at: row.paused_at === null ? null : Number(row.paused_at),
      letters: mails.get(row.id) ?? [],
      waiting: Number(waiting.find((each) => each.endpoint_id === row.id)?.count ?? 0n),
      created_at: Number(row.created_at),
    })),
    keys: keys.map((row) => ({
      key_id: row.key_id,
      public_key: pemOf(row.public_key),
      created_at: Number(row.created_at),
      retired_at: row.retired_at === null ? null : Number(row.retired_at),
    })),
    changes: await readChanges(tx),
    needs_code: await hasAuthenticator(tx, personId),
  }
}

async function readChanges(tx: OrganisationTx) {
  const rows = await tx
    .selectFrom('webhook_change as c')
    .leftJoin('person as p', (join) => join.onRef('p.org_id', '=', 'c.org_id').onRef('p.id', '=', 'c.person_id'))
    .select(['c.at', 'c.action', 'c.detail', 'p.name'])
    .where('c.org_id', '=', tx.orgId)
    .orderBy('c.at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(CHANGES_SHOWN)
    .execute()
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
  return rows.map(({ at, action, detail, name }) => {
    const url = textOf(detail.url)
    const oldUrl = textOf((detail.old as { url?: unknown } | undefined)?.url)
    return { at: Number(at), person: name, action, url, old_url: oldUrl === url ? null : oldUrl }
  })
}

/** A public key as tools take it (RFC 8410: SubjectPublicKeyInfo in PEM). */
function pemOf(publicKey: Uint8Array): string {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }
  return createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' }).toString()
}
