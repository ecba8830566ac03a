import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { addressOf } from '@holdfast/features/mail/server'
import { maskAccount } from '@holdfast/features/team/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import * as contract from '../contract.ts'
import { changePlan, readPlan } from './plan.ts'

/** Whoever may edit the receivers, or members, is shown where the e-mails go; others are shown it as accounts of members are shown to them. */
const EDITORS = ['co_signer.write', 'member.write'] as const

/** Who is told by e-mail when collection needs somebody, and from when on. */
export function noticeEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db } = context
  return [
    handle(contract.listCollectingReceivers, ({ orgId, session }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { receivers } = (await readPlan(tx, wallet_id)).plan
        if (receivers.length === 0) return { list: [] }
        const people = await tx
          .selectFrom('person as p')
          .leftJoin('mail_choice as c', (join) => join.onRef('c.org_id', '=', 'p.org_id').onRef('c.person_id', '=', 'p.id'))
          .select(['p.id', 'p.name', 'p.login', 'p.state', 'c.address', 'c.wanted'])
          .where('p.org_id', '=', tx.orgId)
          .where(
            'p.id',
            'in',
            receivers.map(({ personId }) => personId as never),
          )
          .orderBy('p.name')
          .execute()
        const showsAddresses = EDITORS.some((each) => session.permissions.has(each))
        const list = people.map((each) => {
          const address = each.state !== 'active' || each.wanted === false ? null : addressOf(each)
          return {
            id: each.id,
            type: 'email' as const,
            name: each.name,
            target: address === null || showsAddresses ? address : maskAccount(address),
            events: receivers.find(({ personId }) => personId === each.id)?.events ?? [],
          }
        })
        return { list }
      }),
    ),
    handle(contract.saveCollectingReceiver, ({ orgId, personId }, { wallet_id, user_id, events }) =>
      db.asOrganisation(orgId, async (tx) => {
        const person = await tx
          .selectFrom('person')
          .select('id')
          .where('org_id', '=', tx.orgId)
          .where('id', '=', user_id as never)
          .where('state', '=', 'active')
          .executeTakeFirst()
        if (!person) throw new AppError('resource_not_found')
        const change = { walletId: wallet_id, requesterId: personId, action: 'notices' as const }
        await changePlan(tx, context, change, (plan) => ({
          ...plan,
          receivers: [...plan.receivers.filter((each) => each.personId !== user_id), { personId: user_id, events: [...new Set(events)] }],
        }))
        return { id: user_id }
      }),
    ),
    handle(contract.removeCollectingReceivers, ({ orgId, personId }, { wallet_id, ids }) =>
      db.asOrganisation(orgId, async (tx) => {
        const change = { walletId: wallet_id, requesterId: personId, action: 'notices' as const }
        await changePlan(tx, context, change, (plan) => ({ ...plan, receivers: plan.receivers.filter((each) => !ids.includes(each.personId)) }))
        return {}
      }),
    ),
    handle(contract.getCollectingNotices, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { fuelDays, failedTimes, stuckMinutes } = (await readPlan(tx, wallet_id)).plan.notice
        return { fuel_days: fuelDays, failed_times: failedTimes, stuck_minutes: stuckMinutes }
      }),
    ),
    handle(contract.saveCollectingNotices, ({ orgId, personId }, { wallet_id, fuel_days, failed_times, stuck_minutes }) =>
      db.asOrganisation(orgId, async (tx) => {
        const change = { walletId: wallet_id, requesterId: personId, action: 'notices' as const }
        const notice = { fuelDays: fuel_days, failedTimes: failed_times, stuckMinutes: stuck_minutes }
        await changePlan(tx, context, change, (plan) => ({ ...plan, notice }))
        return {}
      }),
    ),
  ]
}
