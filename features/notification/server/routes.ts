import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { Sealer, SessionFeature } from '@holdfast/features/session/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import * as contract from '../contract.ts'
import { pauseWebhookEndpoint, removeWebhookEndpoint, saveWebhookEndpoint, writeTest } from './change-endpoints.ts'
import { listNotifications, notifications, notificationView } from './list-notifications.ts'
import { readEndpoints } from './read-endpoints.ts'
import { checkEndpoint, type LocalHosts } from './endpoint-address.ts'
import { resend, skip } from './resend.ts'
import { bodyOfAttempt } from './sign-notification.ts'
import { rotateKey } from './webhook-keys.ts'
import { writeChange } from './write-change.ts'

export type NotificationNeeds = Pick<ServerContext, 'db' | 'ports'> & {
  sealer: Sealer
  localHosts: LocalHosts
  demandSecondFactorWhereSet: SessionFeature['demandSecondFactorWhereSet']
}

/** Who is told of what and by which key, what was sent, what came back, and sending it again. */
export function notificationEndpoints(needs: NotificationNeeds): HandledEndpoint[] {
  const { db, ports } = needs
  return [
    handle(contract.listNotifications, ({ orgId }, filter) => db.asOrganisation(orgId, (tx) => listNotifications(tx, filter)), 'machines too'),
    handle(contract.getNotification, ({ orgId }, { notify_id: id }) => db.asOrganisation(orgId, (tx) => detail(tx, id))),
    handle(contract.resendNotification, ({ orgId, personId }, asked) =>
      db.asOrganisation(orgId, async (tx) => ({ count: await resend(tx, needs, personId, asked) })),
    ),
    handle(contract.resendNotificationPost, ({ orgId, personId }, asked) =>
      db.asOrganisation(orgId, async (tx) => ({ count: await resend(tx, needs, personId, asked) })),
    ),
    handle(contract.skipNotification, async ({ orgId, personId }, { notify_id: id }) => {
      await db.asOrganisation(orgId, (tx) => skip(tx, needs, personId, id))
      return null
    }),
    handle(contract.getWebhookEndpoints, ({ orgId, personId }) => db.asOrganisation(orgId, (tx) => readEndpoints(tx, personId))),
    handle(contract.saveWebhookEndpoint, async ({ orgId, personId }, { google_code: code, ...asked }) => {
      const url = await checkEndpoint(ports, asked.url, needs.localHosts)
      return db.asOrganisation(orgId, async (tx) => {
        await needs.demandSecondFactorWhereSet(tx, personId, code)
        return { endpoint_id: await saveWebhookEndpoint(tx, needs, personId, { ...asked, url }) }
      })
    }),
    handle(contract.pauseWebhookEndpoint, async ({ orgId, personId }, { endpoint_id: id, paused }) => {
      await db.asOrganisation(orgId, (tx) => pauseWebhookEndpoint(tx, needs, personId, id, paused))
      return null
    }),
    handle(contract.removeWebhookEndpoint, async ({ orgId, personId }, { endpoint_id: id, google_code: code }) => {
      await db.asOrganisation(orgId, async (tx) => {
        await needs.demandSecondFactorWhereSet(tx, personId, code)
        await removeWebhookEndpoint(tx, needs, personId, id)
      })
      return null
    }),
    handle(contract.rotateWebhookKey, ({ orgId, personId }, { google_code: code }) =>
      db.asOrganisation(orgId, async (tx) => {
        await needs.demandSecondFactorWhereSet(tx, personId, code)
        const { from, to } = await rotateKey(tx, needs)
        await writeChange(tx, ports, { endpointId: null, personId, action: 'rotate_key', detail: { from, to } })
        return { key_id: to }
      }),
    ),
    handle(contract.testWebhookEndpoint, ({ orgId, personId }, { endpoint_id: id }) =>
      db.asOrganisation(orgId, async (tx) => ({ notify_id: await writeTest(tx, needs, personId, id) })),
    ),
  ]
}

async function detail(tx: OrganisationTx, id: string) {
  const row = await notifications(tx).where('d.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
  const attempts = await tx.selectFrom('webhook_attempt').selectAll().where('org_id', '=', tx.orgId).where('notify_id', '=', id).orderBy('number').execute()
  return {
    ...notificationView(row),
    headers: Object.entries(row.headers ?? {}).map(([name, value]) => ({ name, value })),
    body: bodyOfAttempt(row.body, Math.max(1, row.attempts)),
    attempts: attempts.map((each) => ({
      number: each.number,
      at: Number(each.at),
      url: each.url,
      address: each.address,
      duration_ms: each.duration_ms,
      http_code: each.http_code,
      // A try whose end nobody wrote down: the server died, or it is under way.
      failure_reason: each.failure ?? (each.ended_at === null ? 'unknown' : null),
      answer: each.answer,
      answer_cut: each.answer_cut,
    })),
  }
}
