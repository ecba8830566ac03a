import type { AccountResources, ChainNode, Meter, Resource } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { fromNode, type Network, type NetworkAsset } from '@holdfast/features/network/server'
import { type Payer, readPayer } from '@holdfast/features/transfer/server'
import { namedSubWallets, subWalletPath } from '@holdfast/features/wallet/server'
import { sql } from 'kysely'
import { formatAmount, type OrganisationId, type SubWalletId } from '@holdfast/units'

export type StakeNetwork = Network & { node: ChainNode & Required<Pick<ChainNode, 'stake' | 'control'>> }
/** An address with its resources; `isOwn` where its own key alone signs for it. */
export type AccountState = { payer: Payer; resources: AccountResources; isOwn: boolean }
export type StakePlace = { network: StakeNetwork; coin: NetworkAsset }

/** A network that gives resources for stake, with its own coin. Throws `unsupported_coin` for any other. */
export function stakeNetwork({ networks }: Pick<ServerContext, 'networks'>, chain: string): StakePlace {
  const network = networks.find(chain)
  const coin = network?.assets.find((each) => each.contract === null)
  if (!network?.node.stake || !network.node.control || !coin) throw new AppError(networkErrors.unsupported_coin)
  return { network: network as StakeNetwork, coin }
}

/** What the address of a sub-wallet has of resources now, by the word of the network's node. Throws `node_unavailable`. */
export async function readResources(
  { db }: Pick<ServerContext, 'db'>,
  orgId: OrganisationId,
  { network, subWalletId }: { network: StakeNetwork; subWalletId: SubWalletId },
): Promise<AccountState> {
  const payer = await db.asOrganisation(orgId, (tx) => readPayer(tx, { subWalletId, network }))
  const [resources, { isOwn }] = await fromNode(() => Promise.all([network.node.stake.resources(payer.address), network.node.control(payer.address)]))
  return { payer, resources, isOwn }
}

/** The same as people see it. */
export async function resourcesView(tx: OrganisationTx, { network, coin }: StakePlace, { payer, resources, isOwn }: AccountState) {
  const names = await ownNames(
    tx,
    network.chain,
    resources.delegations.map(({ to }) => to),
  )
  const shown = (value: bigint) => formatAmount(value, coin.decimals)
  const stakeView = (resource: Resource) => {
    const { own, delegatedOut, delegatedIn, delegatable } = resources.stakes[resource]
    return {
      ...meterView(resources.meters[resource]),
      staked: shown(own),
      delegated_out: shown(delegatedOut),
      delegated_in: shown(delegatedIn),
      delegatable: shown(delegatable),
    }
  }
  return {
    symbol: coin.symbol,
    address: payer.address,
    own_control: isOwn,
    active: resources.isActive,
    free_bandwidth: meterView(resources.free),
    bandwidth: stakeView('bandwidth'),
    energy: stakeView('energy'),
    unstaking: resources.unstaking.map(({ resource, amount, freeAtMs }) => ({ resource, amount: shown(amount), free_at: Number(freeAtMs) })),
    withdrawable: shown(resources.withdrawable),
    unstakes_left: Number(resources.unstakesLeft),
    delegations: resources.delegations.map(({ to, resource, amount, lockedUntilMs }) => ({
      to,
      own: names.get(to) ?? null,
      resource,
      amount: shown(amount),
      locked_until: lockedUntilMs === null ? null : Number(lockedUntilMs),
    })),
  }
}

const meterView = ({ limit, used }: Meter) => ({ limit: String(limit), used: String(used) })

/** The organisation's own among some addresses on a chain, with the names of their sub-wallets. */
async function ownNames(tx: OrganisationTx, chain: string, addresses: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('address')
    .innerJoin(namedSubWallets(tx).as('named'), 'named.sub_wallet_id', 'address.sub_wallet_id')
    .select(['address.address', 'named.wallet_name', 'named.sub_wallet_name'])
    .where('address.org_id', '=', tx.orgId)
    .where('address.chain', '=', chain)
    .where(sql<boolean>`address.address = any(${[...addresses]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.address, subWalletPath(row)]))
}
