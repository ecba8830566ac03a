import { AppError, answerPage, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { assetsOf } from '@holdfast/features/network/server'
import { amountOf, handle, type HandledEndpoint } from '@holdfast/http'
import { formatAmount } from '@holdfast/units'
import { sql } from 'kysely'
import * as contract from '../contract.ts'
import { collectionErrors } from '../errors.ts'
import { changeConfig, type Config, conflictsOf, readConfig, readTokens } from './configs.ts'

type Given = InputOf<typeof contract.saveCollectorTokens>['symbols'][number]
type AuthState = (typeof contract.AUTH_STATES)[number]

/** Which tokens a collector takes, and what addresses allow it. */
export function tokenEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks } = context
  return [
    handle(contract.listCollectorTokens, ({ orgId }, { id, keyword = '' }) =>
      db.asOrganisation(orgId, async (tx) => {
        const config = await readConfig(tx, id)
        const rows = await readTokens(tx, [id])
        const conflicts = await conflictsOf(tx, config, rows)
        const offered = assetsOf(networks.require(config.chain), tx.orgId).flatMap((asset) =>
          asset.contract === null ? [] : [{ ...asset, contract: asset.contract }],
        )
        const found = offered.filter(({ symbol }) => symbol.toLowerCase().includes(keyword.toLowerCase()))
        return {
          list: found.map(({ contract: address, symbol, decimals }) => {
            const row = rows.find((each) => each.contract === address)
            return {
              ...{ symbol, contract_address: address },
              ...{ threshold: row ? formatAmount(row.threshold, decimals) : null, most: row ? formatAmount(row.most, decimals) : null },
              allowance: row?.is_exact === false ? ('bounded' as const) : ('exact' as const),
              max_fee_pct: row?.fee_share == null ? null : row.fee_share / 100,
              ...{ schedule: row?.schedule ?? '', enabled: row?.is_on ?? false },
              conflict: conflicts.has(address) ? ('auto_collect' as const) : null,
            }
          }),
        }
      }),
    ),
    handle(contract.saveCollectorTokens, ({ orgId }, { id, symbols }) =>
      db.asOrganisation(orgId, async (tx) => {
        const config = await readConfig(tx, id)
        for (const each of symbols) await writeToken(tx, context, config, each)
        await changeConfig(tx, context, config, {})
        return {}
      }),
    ),
    handle(contract.removeCollectorTokens, ({ orgId }, { id, symbols }) =>
      db.asOrganisation(orgId, async (tx) => {
        const config = await readConfig(tx, id)
        // What is still allowed is taken back.
        const own = tx.updateTable('collection_token').set({ is_on: false }).where('org_id', '=', tx.orgId).where('config_id', '=', id)
        await own.where('contract', 'in', symbols).execute()
        await changeConfig(tx, context, config, {})
        return {}
      }),
    ),
    handle(contract.listAllowing, ({ orgId }, { id, symbol, auth_status, page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        const config = await readConfig(tx, id)
        const rows = await readAuthorised(tx, config)
        const found = rows.filter((row) => (symbol === undefined || row.symbol === symbol) && (auth_status === undefined || row.state === auth_status))
        const list = found.slice((page_no - 1) * page_size, page_no * page_size).map((row) => {
          const decimals = networks.byContract(config.chain, row.contract)?.decimals ?? 0
          return {
            ...{ sub_wallet_id: row.sub_wallet_id, sub_wallet_name: row.name, address: row.address, symbol: row.symbol },
            ...{
              balance: formatAmount(BigInt(row.available), decimals),
              allowance: row.allowance === null ? null : formatAmount(BigInt(row.allowance), decimals),
            },
            ...{ auth_status: row.state, auth_txid: row.txid, read_at: row.read_at === null ? null : Number(row.read_at) },
          }
        })
        return answerPage({ page_no, page_size }, found.length, list)
      }),
    ),
  ]
}

async function writeToken(tx: OrganisationTx, { networks, ports }: ServerContext, config: Config, given: Given): Promise<void> {
  const asset = assetsOf(networks.require(config.chain), tx.orgId).find((each) => each.contract?.toLowerCase() === given.contract_address.toLowerCase())
  if (!asset?.contract) throw new AppError(networkErrors.unsupported_coin)
  const [threshold, most] = [amountOf(given.threshold, asset), amountOf(given.most, asset)]
  const share = given.max_fee_pct === null ? null : Math.round(Number(given.max_fee_pct) * 100)
  const refuse = (reason: string) => new AppError(collectionErrors.collector_token, { details: { symbol: asset.symbol, reason } })
  if (most < threshold) throw refuse('the most is less than the least')
  if (most >= BOUND) throw refuse('the most bounds nothing')
  if (share !== null && (share < 1 || share > 10_000)) throw refuse('the share of the fee is from 0.01 % to 100 %')
  const set = { symbol: asset.symbol, threshold, most, is_exact: given.allowance === 'exact', fee_share: share, schedule: given.schedule, is_on: given.enabled }
  // A token that is switched on again begins anew: whoever collects it by then was there before.
  const since = sql<bigint>`case when collection_token.is_on then collection_token.created_at else excluded.created_at end`
  await tx
    .insertInto('collection_token')
    .values({ org_id: tx.orgId, config_id: config.id, contract: asset.contract, ...set, created_at: ports.clock.nowMs() })
    .onConflict((conflict) => conflict.columns(['org_id', 'config_id', 'contract']).doUpdateSet({ ...set, created_at: since }))
    .execute()
}

/** What no supply of a token reaches: an allowance of so much would bound nothing, and no signer lets it through. */
const BOUND = 2n ** 95n

type Authorised = {
  contract: string
  symbol: string
  address: string
  sub_wallet_id: string
  name: string
  available: string
  allowance: string | null
  read_at: string | null
  txid: string | null
  state: AuthState
}

/** Every address of a collector's wallet that has something to collect or allows something, by token. */
async function readAuthorised(tx: OrganisationTx, config: Config): Promise<Authorised[]> {
  const { rows } = await sql<Authorised>`
    select token.contract, token.symbol, own.address, own.sub_wallet_id, sub_wallet.name, coalesce(held.available, 0) as available, kept.allowance,
        coalesce(kept.read_at, lets.read_at) as read_at, last.txid,
        case when last.id is not null and not last.is_final then 'pending'
          when ${config.way} = 'delegation' and lets.delegate is null then 'unread'
          when ${config.way} = 'delegation' and lets.delegate = '' then 'none'
          when ${config.way} = 'delegation' and lets.delegate = ${config.contract_address} then 'delegated'
          when ${config.way} = 'delegation' then 'elsewhere'
          when kept.allowance is null then 'unread' when kept.allowance = 0 then 'none'
          when kept.allowance >= ${String(BOUND)}::numeric then 'unlimited' when token.is_exact then 'exact' else 'bounded' end as state
      from collection_token token
      join address own on own.org_id = token.org_id and own.chain = ${config.chain}
      join sub_wallet on sub_wallet.org_id = own.org_id and sub_wallet.id = own.sub_wallet_id and sub_wallet.wallet_id = ${config.wallet_id}
      left join address_balance held on held.org_id = own.org_id and held.chain = own.chain and held.address = own.address and held.contract = token.contract
      left join collection_allowance kept on kept.org_id = token.org_id and kept.config_id = token.config_id and kept.contract = token.contract
        and kept.address = own.address
      left join collection_delegate lets on lets.org_id = token.org_id and lets.config_id = token.config_id and lets.address = own.address
      left join lateral (select o.id, o.txid, o.is_final from transfer_order o where o.org_id = token.org_id and o.chain = own.chain
        and o.standing_order_id = ${config.allow_order_id}::uuid and o.address_from = own.address
        and (o.address_to = token.contract or o.kind = 'authorize')
        order by o.created_at desc limit 1) as last on true
      where token.org_id = ${tx.orgId} and token.config_id = ${config.id}
        and own.sub_wallet_id not in (${config.target_sub_wallet_id}::uuid, ${config.payer_sub_wallet_id}::uuid)
        and (held.available > 0 or kept.allowance > 0 or lets.delegate <> '')
      order by token.symbol, held.available desc nulls last, own.address`.execute(tx)
  return rows
}
