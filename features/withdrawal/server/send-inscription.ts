import { brc20Asset } from '@holdfast/chain-core'
import { AppError, type InputOf } from '@holdfast/contract'
import { amountOf } from '@holdfast/http'
import type { OrganisationTx } from '@holdfast/db'
import { fromNode, type Network, type NetworkAsset } from '@holdfast/features/network/server'
import { demandBuildable, findTransfer, inscribedTransfers, openTransfer, type Order, readPayer } from '@holdfast/features/transfer/server'
import { readSendable, type Sendable } from '@holdfast/features/utxo/server'
import { inscribedCoin } from '@holdfast/intent'
import type { sendInscription as endpoint } from '../contract.ts'
import { checkFeeCap } from './checks/fee-cap.ts'
import { demandAcknowledged } from './checks/warnings.ts'
import { readTiers } from './estimate-gas.ts'
import { inspectAddress } from '@holdfast/features/known-address/server'
import { networkErrors } from '@holdfast/features/network/errors'
import { withdrawalErrors } from '../errors.ts'
import { addressOf, type MemberCaller, type Needs } from './read-request.ts'

type Input = InputOf<typeof endpoint>

const HOUR_MS = 3_600_000

/**
 * Requests sending inscribed BRC-20 transfers of one token, one or several in one transaction. The amount is what our own index says the inscriptions
 * move, the coin of each goes along, and other coins pay the fee. The same request again returns the order it created. Throws `inscription_unavailable` if
 * one of the transfers does not count or has moved.
 */
export async function sendInscription(needs: Needs, caller: MemberCaller, input: Input): Promise<{ order: Order; fresh: boolean }> {
  const { network, token, coin } = placeOf(needs, input)
  const to = addressOf(network, input.address_to)
  const feeCap = amountOf(input.max_fee, coin)
  const ids = input.inscription_ids.split(',')
  const request = { key: caller.request, kind: 'brc20' as const }
  const known = await needs.db.asOrganisation(caller.orgId, (tx) => findTransfer(tx, needs, request))
  if (known) return { order: known, fresh: false }
  const { from, address } = await needs.db.asOrganisation(caller.orgId, (tx) => lookUp(tx, network, input, to))
  demandAcknowledged(address, { contract: false, control: false }, input.ack)
  const sendable = await readSendable(needs, caller.orgId, { network, subWalletId: input.sub_wallet_id, ids })
  if (!sendable?.every(({ ticker }) => brc20Asset(ticker) === token.contract)) throw new AppError(withdrawalErrors.inscription_unavailable)
  const quoted = await readTiers(network, { from, to, asset: coin, ...alongWith(sendable) })
  checkFeeCap({ feeCap, network }, quoted)
  const amount = sendable.reduce((sum, each) => sum + each.amount, 0n)
  const { coins, postages } = alongWith(sendable)
  const wanted = { from, to, asset: { chain: network.chain, contract: token.contract }, amount, feeCap, tier: 1 as const, coins, postages, quoted }
  await demandBuildable(needs, { orgId: caller.orgId, network, language: caller.language }, wanted)
  return needs.db.asOrganisation(caller.orgId, (tx) =>
    openTransfer(tx, needs, {
      ...request,
      subWalletId: input.sub_wallet_id,
      network,
      subject: inscribedTransfers(
        token,
        to,
        sendable.map((each) => ({ inscription: each.inscription, amount: each.amount, postage: each.postage })),
      ),
      feeCap: { asset: coin, amount: feeCap },
      coins: sendable.map(({ outpoint }) => outpoint),
      remark: input.remark,
      lifeMs: input.expire_hours * HOUR_MS,
      initiator: caller.personId,
      language: caller.language,
    }),
  )
}

type Carrier = Pick<Sendable, 'outpoint' | 'postage'>

/** The inputs that carry inscriptions, as a node needs them: the coins, and the amount of each. */
export function alongWith(carriers: readonly Carrier[]): { amount: bigint; coins: string[]; postages: bigint[] } {
  const postages = carriers.map(({ postage }) => postage)
  return { amount: postages.reduce((sum, each) => sum + each, 0n), coins: carriers.map(({ outpoint }) => outpoint), postages }
}

/** The coins of an address that carry some inscriptions, whether or not these can be sent already. Throws `inscription_unavailable` if one is missing. */
export async function carriersOf({ node }: Network, address: string, ids: readonly string[]): Promise<Carrier[]> {
  const coins = (await fromNode(async () => node.coins?.unspent(address))) ?? []
  return ids.map((inscription) => {
    const coin = coins.find(({ outpoint }) => outpoint === inscribedCoin({ inscription }))
    if (!coin) throw new AppError(withdrawalErrors.inscription_unavailable)
    return { outpoint: coin.outpoint, postage: coin.amount }
  })
}

function placeOf({ networks }: Pick<Needs, 'networks'>, { chain, symbol }: Input): { network: Network; token: NetworkAsset; coin: NetworkAsset } {
  const network = networks.find(chain)
  const token = networks.asset(chain, symbol)
  const coin = network?.assets.find((each) => each.contract === null)
  if (!network || !token || token.contract === null || !coin || !network.node.coins) throw new AppError(networkErrors.unsupported_coin)
  return { network, token, coin }
}

/** The address it would be sent from, and the facts of the destination. */
async function lookUp(tx: OrganisationTx, network: Network, { sub_wallet_id: subWalletId }: Input, to: string) {
  const payer = await readPayer(tx, { subWalletId, network })
  if (payer.address === to) throw new AppError(withdrawalErrors.transfer_to_self)
  return { from: payer.address, address: await inspectAddress(tx, network, to) }
}
