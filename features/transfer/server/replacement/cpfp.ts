import { CpfpNeedlessError } from '@holdfast/chain-bitcoin/codec'
import { ChainError, FEE_TIERS, type FeeTierIndex, POSTAGE_MAX } from '@holdfast/chain-core'
import { AppError, type InputOf, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { networkErrors } from '@holdfast/features/network/errors'
import { amountOf, type RequestKey } from '@holdfast/http'
import type { Network } from '@holdfast/features/network/server'
import { at, formatAmount } from '@holdfast/units'
import type { getSpeedUp, speedUp as endpoint } from '../../contract.ts'
import { hasCpfpOrder, type PendingDeposit } from '../order/cpfp-orders.ts'
import { findTransfer, openTransfer } from '../opening/open-transfer.ts'
import type { Order } from '../order/read-order.ts'
import { type Caller, impossible, LIFE_MS, type Needs, NO_CAP, type Obstacle } from './speed-up.ts'

const coinOf = ({ txid, tx_index: index }: PendingDeposit) => `${txid}:${index}`

async function readPending(tx: OrganisationTx, id: string, lock = false): Promise<PendingDeposit | undefined> {
  const wanted = tx.selectFrom('waiting_deposit').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id)
  return (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst()
}

/** The reason why a deposit cannot be sped up, or undefined. */
async function obstacleTo(tx: OrganisationTx, row: PendingDeposit, network: Network | undefined): Promise<Obstacle | undefined> {
  if (row.state === 'in_block') return 'in_block'
  if (row.state !== 'waiting') return 'not_on_its_way'
  if (!network?.node.coins || row.contract !== '') return 'not_supported'
  // Coins so small may carry an inscription that no block has shown yet; a fee taken from the coin could take that along.
  if (row.amount <= POSTAGE_MAX) return 'too_small'
  // Whoever asks for such an order holds the deposit's row, so no other one comes in between.
  return (await hasCpfpOrder(tx, row.chain, row)) ? 'being_replaced' : undefined
}

/**
 * What speeding a pending deposit up costs (CPFP), by bytes that the network's node prepares and nobody signs; undefined if the id names none. Leaves out tiers
 * that the deposit pays by itself.
 */
export async function cpfpInfo({ db, ports, networks }: Needs, { orgId }: Pick<Caller, 'orgId'>, id: string): Promise<OutputOf<typeof getSpeedUp> | undefined> {
  const found = await db.asOrganisation(orgId, async (tx) => {
    const row = await readPending(tx, id)
    return row && { row, obstacle: await obstacleTo(tx, row, networks.find(row.chain)) }
  })
  if (!found) return undefined
  const { row, obstacle } = found
  const network = networks.find(row.chain)
  const coin = network?.assets.find((each) => each.contract === null)
  if (!network || !coin) throw new AppError(networkErrors.node_configuration)
  const shown = (amount: bigint) => formatAmount(amount, coin.decimals)
  const stuck = obstacle === undefined ? await network.node.coins?.pendingFee(row.txid) : undefined
  const fees = stuck ? await Promise.all(([0, 1, 2] as const).map((tier) => feeFor(network, row, tier))) : []
  const tiers = fees.flatMap((fee, i) => (typeof fee === 'bigint' ? [{ tier: at(FEE_TIERS, i), fee: shown(fee), needs_approval: true }] : []))
  const why = fees.includes('pays_enough') ? ('pays_enough' as const) : ('no_estimate' as const)
  const reason = obstacle ?? (stuck ? (tiers.length === 0 ? why : null) : ('not_on_its_way' as const))
  return {
    can: reason === null,
    reason,
    method: 'CPFP',
    cancel_supported: false,
    fee_symbol: coin.symbol,
    cap: shown(0n),
    old: stuck
      ? { txid: row.txid, fee: shown(stuck.fee), nonce: null, age_s: Math.max(0, Math.floor((ports.clock.nowMs() - Number(row.created_at)) / 1000)) }
      : null,
    min: tiers[0]?.fee ?? null,
    left: null,
    in_time: true,
    tiers,
    cancel_fee: null,
  }
}

/** The cost of a tier, by the same bytes that would be signed. */
async function feeFor({ node, codec, chain }: Network, row: PendingDeposit, tier: 0 | 1 | 2): Promise<bigint | 'pays_enough' | 'no_estimate'> {
  const order = {
    from: row.address,
    to: row.address,
    asset: { chain, contract: null },
    amount: row.amount,
    feeCap: NO_CAP,
    slot: 0n,
    tier,
    cpfpFor: coinOf(row),
  }
  try {
    return codec.decode(await node.prepare(order)).feeMax
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    return cause instanceof CpfpNeedlessError ? 'pays_enough' : 'no_estimate'
  }
}

/**
 * Opens an order to speed a pending deposit up, for people to approve as they approve a payment of it; undefined if the id names none. The same request
 * again returns the order it created. Throws AppError.
 */
export async function orderCpfp(
  needs: Needs,
  caller: Caller & { request: RequestKey },
  input: InputOf<typeof endpoint>,
): Promise<{ order: Order; needsApproval: true } | undefined> {
  return needs.db.asOrganisation(caller.orgId, async (tx) => {
    const row = await readPending(tx, input.trans_id, true)
    if (!row) return undefined
    const network = needs.networks.find(row.chain)
    const coin = network?.assets.find((each) => each.contract === null)
    if (!network || !coin) throw new AppError(networkErrors.node_configuration)
    const feeCap = amountOf(input.max_fee, coin)
    const request = { key: caller.request, kind: 'deposit_child' as const }
    const known = await findTransfer(tx, needs, request)
    if (known) return { order: known, needsApproval: true }
    const obstacle = input.cancel === '1' ? 'not_supported' : await obstacleTo(tx, row, network)
    if (obstacle) throw impossible(obstacle, caller.language, true)
    if (feeCap >= row.amount) throw impossible('too_small', caller.language, true)
    const { order } = await openTransfer(tx, needs, {
      ...request,
      subWalletId: row.sub_wallet_id,
      network,
      subject: { kind: 'depositChild', to: row.address, paid: { asset: coin, amount: row.amount }, deposit: coinOf(row) },
      feeCap: { asset: coin, amount: feeCap },
      tier: FEE_TIERS.indexOf(input.tier) as FeeTierIndex,
      coins: [coinOf(row)],
      remark: input.remark,
      lifeMs: LIFE_MS,
      initiator: caller.requesterId,
      language: caller.language,
    })
    return { order, needsApproval: true }
  })
}
