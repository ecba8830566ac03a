import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { readMail, writeMail } from '@holdfast/features/mail/server'
import type { MailLanguage } from '@holdfast/features/mail/contract'
import { organisationsWithStandingOrders } from '@holdfast/features/policy/server'
import { type Repeating, repeat } from '@holdfast/jobs'
import { inertText } from '@holdfast/mail'
import type { OrganisationId } from '@holdfast/units'
import { sql } from 'kysely'
import { COLLECTING_EVENTS, type CollectingEvent } from '../contract.ts'
import { readGas } from './gas.ts'
import { standingsOf } from './orders.ts'
import { fuelledChains, type Plan, readPlan } from './plan.ts'

const PAUSE_MS = 60_000
const DAY_MS = 86_400_000
/** The same is not told twice in this time. */
const AGAIN_MS = DAY_MS
/** So long before the end of an approval it is told. */
const ENDING_MS = 7 * DAY_MS

const WORDS: Record<MailLanguage, Record<CollectingEvent, (wallet: string) => { subject: string; text: string }>> = {
  'en-US': {
    low_gas: (wallet) => ({
      subject: 'Fee balance is running out',
      text: `Wallet “${wallet}”: on one network, the balance of the fee-paying sub-wallet will last only a few days, or is used up. Send coins to it; until then tokens are not collected.`,
    }),
    failed: (wallet) => ({
      subject: 'Collection transfers failed',
      text: `Wallet “${wallet}”: several collection transfers failed within a day. Check the collection records.`,
    }),
    stuck: (wallet) => ({
      subject: 'A collection transfer is stuck',
      text: `Wallet “${wallet}”: a collection transfer has been pending for a long time. It may need a higher fee.`,
    }),
    ending: (wallet) => ({
      subject: 'A collection approval is ending',
      text: `Wallet “${wallet}”: its collection approval expires within a week, has expired, or was stopped. Nothing is collected without one: request a new approval.`,
    }),
  },
  'zh-CN': {
    low_gas: (wallet) => ({
      subject: '手续费余额不足',
      text: `钱包“${wallet}”：手续费子钱包在某个网络的余额仅够数日，或已用尽。请及时充值，否则代币将等待归集。`,
    }),
    failed: (wallet) => ({ subject: '归集转账失败', text: `钱包“${wallet}”：一天内有多笔归集转账失败。请查看归集记录。` }),
    stuck: (wallet) => ({ subject: '归集转账长时间未完成', text: `钱包“${wallet}”：有归集转账长时间未完成，可能需要提高手续费。` }),
    ending: (wallet) => ({
      subject: '归集授权即将到期',
      text: `钱包“${wallet}”：归集授权将在一周内到期，或已到期、已被停止。到期后不再归集，请重新提交审批。`,
    }),
  },
}

/** What there is to tell about a plan that runs: see COLLECTING_EVENTS. */
export async function eventsOf(tx: OrganisationTx, context: Pick<ServerContext, 'ports' | 'settings'>, plan: Plan): Promise<CollectingEvent[]> {
  const nowMs = context.ports.clock.nowMs()
  const { sweep } = await standingsOf(tx, context, plan)
  if (!sweep.inForce) return []
  const [gas, troubles] = await Promise.all([readGas(tx, plan, nowMs), troublesOf(tx, plan, nowMs)])
  const daysLeft = fuelledChains(plan).map(({ chain }) => gas.get(chain)?.daysLeft ?? (plan.fuel ? undefined : 0))
  const is: Record<CollectingEvent, boolean> = {
    low_gas: daysLeft.some((days) => days !== undefined && days < plan.notice.fuelDays),
    failed: troubles.failed >= plan.notice.failedTimes,
    stuck: troubles.oldestMs !== undefined && nowMs - troubles.oldestMs >= plan.notice.stuckMinutes * 60_000,
    ending: sweep.isStopped || Number(sweep.inForce.intent.untilMs) - nowMs < ENDING_MS,
  }
  return COLLECTING_EVENTS.filter((event) => is[event])
}

/** How many transfers of a plan failed in a day, and since when the oldest is under way. */
async function troublesOf(tx: OrganisationTx, { orders }: Plan, nowMs: number): Promise<{ failed: number; oldestMs: number | undefined }> {
  const { rows } = await sql<{ failed: string; oldest: string | null }>`
    select count(*) filter (where state in ('refused', 'timed_out', 'expired', 'failed') and updated_at >= ${nowMs - DAY_MS}) as failed,
        min(created_at) filter (where not is_final) as oldest
      from transfer_order where org_id = ${tx.orgId} and standing_order_id in (${orders.sweep}::uuid, ${orders.fuel}::uuid)`.execute(tx)
  const [row] = rows
  return { failed: Number(row?.failed ?? 0), oldestMs: row?.oldest ? Number(row.oldest) : undefined }
}

/** The wallets of an organisation that have a plan, by the names that people gave them. */
function plannedWallets(tx: OrganisationTx) {
  return tx
    .selectFrom('collecting_plan as p')
    .innerJoin('wallet as w', (join) => join.onRef('w.org_id', '=', 'p.org_id').onRef('w.id', '=', 'p.wallet_id'))
    .select(['p.wallet_id'])
    .select((row) => row.fn.coalesce('w.alias', 'w.name').as('name'))
    .distinct()
    .where('p.org_id', '=', tx.orgId)
    .execute()
}

/** What the collection of each wallet needs of somebody now, by the standing order under which it runs; of one that was never approved nothing is said. */
export async function collectingNeeds(tx: OrganisationTx, context: Pick<ServerContext, 'ports' | 'settings'>) {
  const found: { standingOrderId: string; walletId: string; needs: CollectingEvent[] }[] = []
  for (const { wallet_id: walletId } of await plannedWallets(tx)) {
    const { plan } = await readPlan(tx, walletId)
    if (plan.orders.sweep !== null) found.push({ standingOrderId: plan.orders.sweep, walletId, needs: await eventsOf(tx, context, plan) })
  }
  return found
}

/** Writes to the receivers of every plan of an organisation what there is to tell and was not told within a day. Answers how many events it told. */
export async function tellReceivers(context: Pick<ServerContext, 'db' | 'ports' | 'settings'>, orgId: OrganisationId): Promise<number> {
  const { db, ports } = context
  return db.asOrganisation(orgId, async (tx) => {
    let told = 0
    for (const { wallet_id: walletId, name } of await plannedWallets(tx)) {
      const { plan } = await readPlan(tx, walletId)
      if (plan.receivers.length === 0) continue
      for (const event of await eventsOf(tx, context, plan)) {
        const topic = `collecting_${event}` as const
        const personIds = plan.receivers.filter(({ events }) => events.includes(event)).map(({ personId }) => personId)
        const sinceMs = ports.clock.nowMs() - AGAIN_MS
        if (personIds.length === 0 || (await readMail(tx, { topic, aboutId: walletId, sinceMs })).length > 0) continue
        const wallet = inertText(name)
        const words = { 'en-US': WORDS['en-US'][event](wallet), 'zh-CN': WORDS['zh-CN'][event](wallet) }
        await writeMail(tx, context, { topic, aboutId: walletId, personIds, path: '/mpc/coSigner', words })
        told++
      }
    }
    return told
  })
}

/** Tells receivers until stopped. */
export function startNotices(context: ServerContext, report: (cause: unknown) => void): Repeating {
  const round = async (isStopped: () => boolean) => {
    for (const orgId of await organisationsWithStandingOrders(context)) {
      if (isStopped()) return
      await tellReceivers(context, orgId as OrganisationId).catch(report)
    }
  }
  return repeat(context.ports.timer, PAUSE_MS, round, report)
}
