import type { OrganisationTx } from '@holdfast/db'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { followedStandingOrders, proposeStandingOrder, type StandingOrderInForce, standingStops } from '@holdfast/features/policy/server'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { bytesToUuid } from '@holdfast/units'
import { getScheduleDraft, listScheduledPayments, proposeSchedule } from '../../contract.ts'
import { dayText } from '../../dates.ts'
import { readUnraised } from '../raise-fees.ts'
import { stopOf } from '../run-standing-orders.ts'
import { RAISE } from './look-at-schedule.ts'
import { type Payment, paymentsOf, type Schedule } from './payments.ts'
import { paymentsView } from './payments-view.ts'
import { readSchedule } from './read-schedule.ts'
import { scheduleDraftOf } from './schedule-draft-of.ts'

/** Payments on dates: asking for them, and how it stands with each. */
export function scheduleEndpoints(context: ServerContext, { demandSecondFactorWhereSet }: SecondFactor): HandledEndpoint[] {
  const { db, networks, ports } = context
  const nowMs = () => ports.clock.nowMs()
  return [
    handle(proposeSchedule, ({ orgId, personId, language, request: key }, { schedule, remark, google_code }) =>
      db.asOrganisation(orgId, async (tx) => {
        const demandSecondFactor = () => demandSecondFactorWhereSet(tx, personId, google_code)
        const terms = await readSchedule(tx, context, schedule)
        const { order, fresh } = await proposeStandingOrder(tx, context, { personId, language, key, remark, demandSecondFactor, terms })
        const payee = terms.does.to.kind
        return { id: order.row.id, approval_url: approvalUrl(context, order.row.intent_hash), idempotent: !fresh, payee }
      }),
    ),
    handle(listScheduledPayments, ({ orgId }, { id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const found = await readFollowed(tx, id, nowMs())
        if (!found) return { list: [] }
        const unraised = await readUnraised(tx, context, id, RAISE)
        return { list: paymentsView(found.payments, found.standing.intent, { networks, unraised }) }
      }),
    ),
    handle(getScheduleDraft, ({ orgId }, { id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const found = await readFollowed(tx, id, nowMs())
        if (!found) return { draft: null, unpaid: [] }
        const unpaid = found.payments.filter(({ state }) => state === 'late').map(({ due }) => dayText(due.day))
        return { draft: await scheduleDraftOf(tx, found.standing.intent, found.schedule, nowMs()), unpaid }
      }),
    ),
  ]
}

type Followed = { standing: StandingOrderInForce; schedule: Schedule; payments: Payment[] }

/** The schedule that signers follow under an id, in its newest version, with every date of it; undefined if there is none. */
async function readFollowed(tx: OrganisationTx, id: string, nowMs: number): Promise<Followed | undefined> {
  const standing = (await followedStandingOrders(tx)).find(({ intent }) => bytesToUuid(intent.id) === id)
  if (standing?.intent.does.kind !== 'schedule') return undefined
  const schedule = standing.intent.does
  const isStopped = stopOf(await standingStops(tx), standing) !== undefined
  return { standing, schedule, payments: await paymentsOf(tx, standing.intent, schedule, { nowMs, isStopped }) }
}
