import { AppError } from '@holdfast/contract'
import { handle, type HandledEndpoint } from '@holdfast/http'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import * as contract from '../contract.ts'
import { networkErrors } from '../errors.ts'
import { hostOf } from '../explorers.ts'
import { acknowledgeAlarm } from './acknowledge-alarm.ts'
import { askForReading, lastReadings } from './block-readings.ts'
import { closedCoins } from './closed-coins.ts'
import { chainsByBalance, listAlarms, readChainHalts } from './halts.ts'
import { networksOfWallet } from './networks-of-wallet.ts'
import { assetsOf, nameOfAsset } from './networks.ts'
import { signsOfToken } from './token-signs.ts'
import { troubleIn } from './trouble-in.ts'
import type { Network } from './types.ts'
import { markUneven, unevenMark, unmarkUneven } from './uneven-tokens.ts'

type Signer = { party: bigint; name: string }

const numbered = async (): Promise<Signer[]> => [1n, 2n, 3n].map((party) => ({ party, name: `signer-${party}` }))

/** Networks, coins and their health. `signersOf`: those that an organisation's policy names. */
export function networkEndpoints(
  { networks, coSigners, db, ports }: Pick<ServerContext, 'networks' | 'coSigners' | 'db' | 'ports'>,
  signersOf: (tx: OrganisationTx) => Promise<readonly Signer[]> = numbered,
): HandledEndpoint[] {
  return [
    handle(contract.listOpenCoins, async ({ orgId }, { wallet_id }) => {
      const { closed, offered } = await db.asOrganisation(orgId, async (tx) =>
        wallet_id === undefined
          ? { closed: new Set<string>(), offered: networks.list() }
          : { closed: await closedCoins(tx, wallet_id), offered: await networksOfWallet(tx, networks, wallet_id) },
      )
      return {
        open_main_chain: offered.map(networkOf),
        support_main_chain: networks.list().map((network) => ({ ...networkOf(network), if_open_chain: offered.includes(network) })),
        coin_list: offered
          .flatMap((network) => coinsOf(network, orgId))
          .map((coin) => ({ ...coin, if_open: !closed.has(`${coin.chain}|${coin.contract_address ?? ''}`) })),
      }
    }),
    handle(contract.getNetworkStatus, async ({ orgId, language }) => {
      const toldOf = (halt: { reason: string; since: number } | undefined) => (halt ? { ...halt, reason: troubleIn(language, halt.reason) } : null)
      const online = coSigners.online()
      const { halts, alarms, readings, signers } = await db.asOrganisation(orgId, async (tx) => ({
        halts: await readChainHalts(tx),
        alarms: await listAlarms(tx),
        readings: await lastReadings(tx),
        signers: await signersOf(tx),
      }))
      const unseen = await chainsByBalance(db)
      return {
        networks: await Promise.all(
          networks.list().map(async (network) => ({
            ...(await statusOf(network)),
            halt: toldOf(halts.get(network.chain)),
            reading: readings.get(network.chain) ?? null,
            internal_transfers: network.family !== 'evm' ? null : unseen.has(network.chain) ? ('by_balance' as const) : ('seen' as const),
          })),
        ),
        alarms: alarms.map(({ chain, contract, cause, place, reason, since_at, spendId }) => {
          const network = networks.find(chain)
          const asset = networks.byContract(chain, contract)
          const symbol = asset ? nameOfAsset(asset) : contract
          return {
            cause,
            chain,
            network: network?.name ?? chain,
            contract,
            symbol,
            address: place === '' ? null : place,
            reason: troubleIn(language, reason),
            since: Number(since_at),
            pull_id: spendId,
          }
        }),
        signers: signers.map(({ party, name }) => ({ party: Number(party), name, online: online.includes(Number(party)) })),
      }
    }),
    ...findingEndpoints({ networks, db, ports }),
  ]
}

/** What people say of findings, and have looked into again. */
function findingEndpoints({ networks, db, ports }: Pick<ServerContext, 'networks' | 'db' | 'ports'>): HandledEndpoint[] {
  return [
    handle(contract.acknowledgeAlarm, async ({ orgId, personId }, { address: place, ...named }) => ({
      at: await db.asOrganisation(orgId, (tx) => acknowledgeAlarm(tx, ports, { ...named, place, personId })),
    })),
    handle(contract.readBlocksAgain, async ({ orgId, personId }, { chain, from_height, to_height }) => {
      if (!networks.find(chain)) throw new AppError(networkErrors.unsupported_coin)
      const asked = { chain, fromHeight: BigInt(from_height), toHeight: to_height === undefined ? undefined : BigInt(to_height), personId }
      return { id: await askForReading({ db, ports }, orgId, asked) }
    }),
    handle(contract.getTokenMark, async ({ orgId }, { chain, contract: token }) => {
      const network = tokenNetwork(networks, orgId, chain, token)
      return { mark: await db.asOrganisation(orgId, (tx) => unevenMark(tx, chain, token)), signs: await signsOfToken(network, token) }
    }),
    handle(contract.markToken, async ({ orgId, personId }, { chain, contract: token, uneven, reason }) => {
      tokenNetwork(networks, orgId, chain, token)
      const said = { chain, contract: token, reason: reason.trim() || '-', personId }
      await db.asOrganisation(orgId, (tx) => (uneven ? markUneven(tx, ports, said) : unmarkUneven(tx, ports, said)))
      return null
    }),
  ]
}

function networkOf({ chain, name, family, codec, node, assets, finalityBlocks, explorers = [] }: Network) {
  const base = assets.find((asset) => asset.contract === null)
  return {
    chain,
    network: name,
    symbol: base?.symbol ?? '',
    decimals: base?.decimals ?? 0,
    coin_type: family,
    support_memo: codec.memoMax !== undefined,
    support_acceleration: node.prepareCancel !== undefined,
    deposit_confirmation: finalityBlocks,
    withdraw_confirmation: finalityBlocks,
    explorers: explorers.map((each) => ({ host: hostOf(each.tx_link), ...each })),
  }
}

/** The network of a token that the organisation has. Throws `unsupported_coin`. */
function tokenNetwork(networks: ServerContext['networks'], orgId: string, chain: string, token: string): Network {
  const network = networks.find(chain)
  if (!network || !assetsOf(network, orgId).some((each) => each.contract === token)) throw new AppError(networkErrors.unsupported_coin)
  return network
}

function coinsOf(network: Network, orgId: string) {
  const base = network.assets.find((asset) => asset.contract === null)
  return assetsOf(network, orgId).map((asset) => ({
    symbol: asset.symbol,
    chain: asset.chain,
    base_symbol: base?.symbol ?? '',
    network: network.name,
    contract_address: asset.contract,
    decimals: asset.decimals,
  }))
}

async function statusOf(network: Network) {
  const head = await network.node.head().catch(() => undefined)
  return {
    chain: network.chain,
    network: network.name,
    height: head === undefined ? null : String(head.height),
    healthy: head !== undefined,
    sources: 1 + (network.witnesses?.length ?? 0),
    local: network.local,
    faucet_url: network.faucetUrl,
  }
}
