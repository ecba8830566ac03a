import type { Language, OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { approvalUrl, standingUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy, followedStandingOrders, signerOrderOf, standingStops } from '@holdfast/features/policy/server'
import { renderIntent } from '@holdfast/intent'
import { approvalContext, findPerson } from '@holdfast/policy'
import { bytesToUuid, formatAmount, uuidToBytes } from '@holdfast/units'
import { sql } from 'kysely'
import type { listStandingOrders } from '../contract.ts'
import { stopOf } from './run-standing-orders.ts'

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const
const DAY_MS = 86_400_000

type View = OutputOf<typeof listStandingOrders>

/** Every standing order as people see it, the newest first, and what waits for approval. */
export async function standingOrdersView(
  tx: OrganisationTx,
  context: Pick<ServerContext, 'settings' | 'ports' | 'networks'>,
  language: Language,
): Promise<View> {
  const { networks } = context
  const nowMs = context.ports.clock.nowMs()
  const [{ policy, fingerprint }, followed, stops, open, looks, moved, left] = await Promise.all([
    currentPolicy(tx),
    followedStandingOrders(tx),
    standingStops(tx),
    tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('kind', '=', 'standing_order').where('is_final', '=', false).execute(),
    tx.selectFrom('standing_look').select(['standing_order_id', 'looked_at']).where('org_id', '=', tx.orgId).execute(),
    readMoved(tx, nowMs - DAY_MS),
    tx
      .selectFrom('standing_reason')
      .select('standing_order_id')
      .select((row) => row.fn.countAll<bigint>().as('count'))
      .where('org_id', '=', tx.orgId)
      .where('reason', 'is not', null)
      .groupBy('standing_order_id')
      .execute(),
  ])
  const words = approvalContext(policy)
  const waiting = open.map(signerOrderOf).flatMap(({ intent, row }) => (intent.kind === 'standingOrder' ? [{ intent, row }] : []))
  const nameOf = (personId: string) => findPerson(policy, uuidToBytes(personId))?.name ?? personId.slice(0, 8)
  const list = followed.toReversed().map(({ intent }): View['list'][number] => {
    const id = bytesToUuid(intent.id)
    const stop = stopOf(stops, { intent })
    const next = waiting.find((each) => bytesToUuid(each.intent.id) === id)
    const own = moved.filter((each) => each.standing_order_id === id)
    const look = looks.find((each) => each.standing_order_id === id)
    return {
      id,
      version: Number(intent.version),
      name: intent.name,
      kind: intent.does.kind,
      state: stop ? 'stopped' : intent.untilMs <= BigInt(nowMs) ? 'over' : intent.notBeforeMs > BigInt(nowMs) ? 'waiting' : 'active',
      stopped: stop ? { by: { person_id: stop.personId, name: nameOf(stop.personId) }, at: stop.atMs, reason: stop.reason } : null,
      from: Number(intent.notBeforeMs),
      until: Number(intent.untilMs),
      looked_at: look ? Number(look.looked_at) : null,
      rows: renderIntent(intent, words, LOCALE[language])
        .rows.filter((row) => !('isTechnical' in row))
        .map(({ label, value }) => ({ label, value })),
      moved: own
        .filter(({ count }) => count > 0n)
        .map(({ chain, contract, symbol, amount, count, count_day: day }) => ({
          chain,
          network: networks.find(chain)?.name ?? chain,
          symbol,
          amount: formatAmount(amount, networks.byContract(chain, contract)?.decimals ?? 0),
          count: Number(count),
          count_day: Number(day),
        })),
      moving: own.reduce((sum, { moving }) => sum + Number(moving), 0),
      waiting: Number(left.find((each) => each.standing_order_id === id)?.count ?? 0n),
      open_version: next ? { signer_order_id: next.row.id, approval_url: approvalUrl(context, next.row.intent_hash) } : null,
    }
  })
  const proposed = waiting
    .filter(({ intent }) => !followed.some((each) => bytesToUuid(each.intent.id) === bytesToUuid(intent.id)))
    .map(({ intent, row }) => ({
      signer_order_id: row.id,
      title: renderIntent(intent, words, LOCALE[language]).title,
      approval_url: approvalUrl(context, row.intent_hash),
    }))
  return { list, proposed, stop_url: standingUrl(context, fingerprint) }
}

type Moved = { standing_order_id: string; chain: string; contract: string; symbol: string; amount: bigint; count: bigint; count_day: bigint; moving: bigint }

/** What standing orders moved of each asset: what the chain has settled, in base units and transfers, those since a time, and what is under way. */
async function readMoved(tx: OrganisationTx, sinceMs: number): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    select standing_order_id, chain, contract, symbol, coalesce(sum(amount) filter (where state = 'completed'), 0) as amount,
        count(*) filter (where state = 'completed') as count, count(*) filter (where state = 'completed' and created_at >= ${sinceMs}) as count_day,
        count(*) filter (where not is_final) as moving
      from transfer_order where org_id = ${tx.orgId} and standing_order_id is not null and replaces is null
      group by standing_order_id, chain, contract, symbol`.execute(tx)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount), count: BigInt(row.count), count_day: BigInt(row.count_day), moving: BigInt(row.moving) }))
}
