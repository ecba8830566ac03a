import { BRC20_DECIMALS, brc20Asset } from '@holdfast/chain-core'
import type { InputOf } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { inscriptionReading, makesInscriptions } from '@holdfast/features/transfer/server'
import { requireSubWallet } from '@holdfast/features/wallet/server'
import { formatAmount, type OrganisationId } from '@holdfast/units'
import { sql } from 'kysely'
import type { listTokens as endpoint } from '../contract.ts'

type Needs = Pick<ServerContext, 'db' | 'networks'>

/** What the addresses of a sub-wallet have of each token of BRC-20 by our own index, and what blocks that has read. */
export async function listTokens({ db, networks }: Needs, orgId: OrganisationId, { sub_wallet_id }: InputOf<typeof endpoint>) {
  const places = await db.asOrganisation(orgId, async (tx) => {
    await requireSubWallet(tx, sub_wallet_id)
    return tx
      .selectFrom('address')
      .select(['chain', 'address'])
      .where('org_id', '=', tx.orgId)
      .where('sub_wallet_id', '=', sub_wallet_id)
      .where('number', '=', 0)
      .execute()
  })
  const ofCoins = places.filter(({ chain }) => networks.find(chain)?.node.coins)
  return db.asSystem(async (tx) => {
    const readings = []
    const list = []
    for (const { chain, address } of ofCoins) {
      const network = networks.require(chain)
      const reading = await inscriptionReading(tx, chain)
      const cursor = await tx.selectFrom('chain_cursor').select('height').where('chain', '=', chain).executeTakeFirst()
      if (!reading || !cursor) continue
      readings.push({ chain, network: network.name, from_height: String(reading.fromHeight), to_height: String(cursor.height), whole: reading.isWhole })
      const { rows } = await sql<{ ticker: string; available: bigint; transferable: bigint }>`
        select distinct on (ticker) ticker, available, transferable from brc20_entry
        where chain = ${chain} and holder = ${address} order by ticker, height desc, place desc`.execute(tx)
      for (const { ticker, available, transferable } of rows) {
        if (available + transferable === 0n) continue
        const shown = (amount: bigint) => formatAmount(amount, BRC20_DECIMALS)
        const symbol = network.assets.find(({ contract }) => contract === brc20Asset(ticker))?.symbol ?? null
        const sending = { counted: symbol !== null, send_symbol: symbol, inscribes: makesInscriptions(network, address) }
        list.push({ chain, network: network.name, address, tick: ticker, available: shown(available), transferable: shown(transferable), ...sending })
      }
    }
    return { readings, list }
  })
}
