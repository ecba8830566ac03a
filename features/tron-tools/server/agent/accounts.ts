import { ChainError, leftOf } from '@holdfast/chain-core'
import { AppError, type InputOf, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { readNamedSubWallets } from '@holdfast/features/wallet/server'
import { announce } from '@holdfast/jobs'
import { formatAmount, type OrganisationId } from '@holdfast/units'
import { sql } from 'kysely'
import type { listAgentAccounts, operateAgentAccounts } from '../../agent-contract.ts'
import type { Place } from './lend.ts'
import { agentPlace } from './settings.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'>
type Row = { address: string; sub_wallet_id: string; is_on: boolean; lent: string; total: string }

/** Own addresses on the network, with what it says of each. */
export async function accountsView(
  needs: Needs,
  orgId: OrganisationId,
  { keyword = '', page_no: pageNo, page_size: pageSize }: InputOf<typeof listAgentAccounts>,
): Promise<OutputOf<typeof listAgentAccounts>> {
  const place = agentPlace(needs)
  const { chain } = place.network
  const { rows, names } = await needs.db.asOrganisation(orgId, async (tx) => {
    const like = `%${keyword.toLowerCase().replaceAll(/[\\%_]/g, (each) => `\\${each}`)}%`
    const found = await sql<Row>`
      select own.address, own.sub_wallet_id, coalesce(account.is_on, false) as is_on, count(*) over () as total,
          coalesce((select sum(s.stake) from tron_supply s join transfer_order o on o.org_id = s.org_id and o.id = s.lend_order_id and o.state = 'completed'
            where s.org_id = own.org_id and s.chain = own.chain and s.address = own.address and s.state <> 'over'), 0) as lent
        from address own
          join sub_wallet on sub_wallet.org_id = own.org_id and sub_wallet.id = own.sub_wallet_id
          join wallet on wallet.org_id = own.org_id and wallet.id = sub_wallet.wallet_id
          left join tron_account account on account.org_id = own.org_id and account.chain = own.chain and account.address = own.address
        where own.org_id = ${tx.orgId} and own.chain = ${chain}
          and (lower(own.address) like ${like} or lower(sub_wallet.name) like ${like} or lower(wallet.name) like ${like})
        order by is_on desc, wallet.name, sub_wallet.name, own.number, own.address limit ${pageSize} offset ${(pageNo - 1) * pageSize}`.execute(tx)
    return { rows: found.rows, names: await readNamedSubWallets(tx, [...new Set(found.rows.map((each) => each.sub_wallet_id))]) }
  })
  const list = await Promise.all(
    rows.map(async ({ address, sub_wallet_id: subWalletId, is_on: auto, lent }) => {
      const named = names.get(subWalletId)
      return {
        address,
        sub_wallet_id: subWalletId,
        wallet_name: named?.wallet_name ?? '',
        sub_wallet_name: named?.sub_wallet_name ?? '',
        ...(await metersOf(place, address)),
        lent_trx: formatAmount(BigInt(lent), place.coin.decimals),
        auto,
      }
    }),
  )
  return { pageTotal: Number(rows[0]?.total ?? 0), list }
}

async function metersOf({ stake }: Place, address: string) {
  try {
    const { meters, free } = await stake.resources(address)
    const shown = (have: bigint, limit: bigint) => ({ have: String(have), limit: String(limit) })
    return {
      energy: shown(leftOf(meters.energy), meters.energy.limit),
      net: shown(leftOf(meters.bandwidth) + leftOf(free), meters.bandwidth.limit + free.limit),
    }
  } catch (cause) {
    if (cause instanceof ChainError) return { energy: null, net: null }
    throw cause
  }
}

/** Has payments of own addresses wait for energy, or not. Throws `tron_no_data` if one is not an own address on the network. */
export async function operateAccounts(tx: OrganisationTx, needs: Needs, { addresses, op }: InputOf<typeof operateAgentAccounts>): Promise<void> {
  const { chain } = agentPlace(needs).network
  const distinct = [...new Set(addresses)]
  const own = await tx
    .selectFrom('address')
    .select('address')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', 'in', distinct)
    .execute()
  if (own.length < distinct.length) throw new AppError(resourceErrors.tron_no_data)
  const set = { is_on: op === 'on', updated_at: needs.ports.clock.nowMs() }
  await tx
    .insertInto('tron_account')
    .values(distinct.map((address) => ({ org_id: tx.orgId, chain, address, ...set })))
    .onConflict((conflict) => conflict.columns(['org_id', 'chain', 'address']).doUpdateSet(set))
    .execute()
  await announce(tx, needs.ports, 'tron.changed', {})
}
