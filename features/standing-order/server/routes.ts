import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { followedStandingOrders, proposeStandingOrder as propose } from '@holdfast/features/policy/server'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { bytesToUuid, formatAmount } from '@holdfast/units'
import { getStandingDraft, listStandingOrders, listStandingReasons, proposeStandingOrder } from '../contract.ts'
import { draftOf } from './draft-of.ts'
import { standingOrdersView } from './list-standing-orders.ts'
import { COIN_DETAILS } from './reasons.ts'
import { readTerms } from './read-terms.ts'
import { scheduleEndpoints } from './scheduled/routes.ts'

/** Standing orders: what stands, what it moved, why something was not moved, and asking for the next version. */
export function standingOrderEndpoints(context: ServerContext, { demandSecondFactorWhereSet }: SecondFactor): HandledEndpoint[] {
  const { db, networks } = context
  return [
    handle(listStandingOrders, ({ orgId, language }) => db.asOrganisation(orgId, (tx) => standingOrdersView(tx, context, language))),
    handle(listStandingReasons, ({ orgId }, { id, page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        const of = tx
          .selectFrom('standing_reason')
          .where('standing_reason.org_id', '=', tx.orgId)
          .where('standing_order_id', '=', id)
          .where('reason', 'is not', null)
        const { count } = await of.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
        const rows = await of
          .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'standing_reason.org_id').onRef('sub_wallet.id', '=', 'sub_wallet_id'))
          .select(['chain', 'address', 'contract', 'sub_wallet_id', 'amount', 'reason', 'detail', 'at', 'sub_wallet.name'])
          .orderBy('amount', 'desc')
          .orderBy('address')
          .limit(page_size)
          .offset((page_no - 1) * page_size)
          .execute()
        const list = rows.map((row) => {
          const asset = networks.byContract(row.chain, row.contract)
          const coin = networks.byContract(row.chain, '')
          const detailIn = COIN_DETAILS.has(row.reason ?? '') ? coin : asset
          return {
            chain: row.chain,
            network: networks.find(row.chain)?.name ?? row.chain,
            address: row.address,
            sub_wallet_id: row.sub_wallet_id,
            sub_wallet_name: row.name,
            symbol: asset?.symbol ?? row.contract,
            amount: formatAmount(row.amount, asset?.decimals ?? 0),
            reason: row.reason ?? '',
            next_try_at: row.reason === 'scheduled' ? Number(row.detail) : null,
            detail:
              row.reason === 'scheduled'
                ? null
                : row.detail === null || !detailIn
                  ? row.detail
                  : `${formatAmount(BigInt(row.detail), detailIn.decimals)} ${detailIn.symbol}`,
            at: Number(row.at),
          }
        })
        return { pageTotal: Number(count), list }
      }),
    ),
    handle(getStandingDraft, ({ orgId }, { id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const found = (await followedStandingOrders(tx)).find(({ intent }) => bytesToUuid(intent.id) === id)
        return { draft: found ? await draftOf(tx, found.intent) : null }
      }),
    ),
    handle(proposeStandingOrder, ({ orgId, personId, language, request: key }, { draft, remark, google_code }) =>
      db.asOrganisation(orgId, async (tx) => {
        const demandSecondFactor = () => demandSecondFactorWhereSet(tx, personId, google_code)
        const terms = await readTerms(tx, context, draft)
        const { order, fresh } = await propose(tx, context, { personId, language, key, remark, demandSecondFactor, terms })
        return { id: order.row.id, approval_url: approvalUrl(context, order.row.intent_hash), idempotent: !fresh }
      }),
    ),
    ...scheduleEndpoints(context, { demandSecondFactorWhereSet }),
  ]
}
