import { draftSweep, networkOf, ProofsTooLargeError, requireScript } from '@holdfast/chain-bitcoin/codec'
import { SIGNATURES_MAX } from '@holdfast/chain-core'
import { AppError, type InputOf, type Language } from '@holdfast/contract'
import { amountOf, type RequestKey } from '@holdfast/http'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { fromNode } from '@holdfast/features/network/server'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { findTransfer, openTransfer, type Order, outputOf } from '@holdfast/features/transfer/server'
import { balances } from '@holdfast/ledger'
import { at, formatAmount, known, type OrganisationId, type PersonId, type SubWalletId } from '@holdfast/units'
import type { consolidateCoins as endpoint } from '../contract.ts'
import { utxoErrors } from '../errors.ts'
import { coinNetwork, type CoinNetwork, type CoinPlace, readCoins, type StatedCoin } from './read-coins.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'>
type Caller = { orgId: OrganisationId; personId: PersonId; language: Language }

/** From so many coins on, joining them is advised: spending fewer together costs little when the time comes. */
export const CONSOLIDATE_HINT = 30
const HOUR_MS = 3_600_000

/** Coins to be joined, what is left of them at the same address, and the fee, which is the rest. */
export type Consolidation = { outpoints: string[]; amount: bigint; fee: bigint }

type Joined = { address: string; coins: readonly StatedCoin[]; available: bigint }

/**
 * The smallest free coins joined, at the slowest tier, since nobody waits for it. No more of them than `most`, nor than the ledger has `available`, of which
 * orders that have no coins yet have taken their part. Undefined if there are not two coins worth it.
 */
async function joinSmallest(network: CoinNetwork, { address, coins, available }: Joined, most: number): Promise<Consolidation | undefined> {
  const free = coins.filter(({ state }) => state === 'free' || state === 'dust').toReversed()
  if (free.length < 2) return undefined
  const [economy] = await fromNode(() => network.node.estimateFee({ from: address, to: address, asset: { chain: network.chain, contract: null }, amount: 1n }))
  const script = requireScript(networkOf(network.chain), address)
  const listed = withinLedger(free.slice(0, most), available).map(({ outpoint, amount }) => {
    return { ...outputOf(outpoint), amount, script }
  })
  const { drafts } = draftSweep({
    chain: network.chain,
    from: address,
    to: address,
    coins: listed,
    satPerKvb: known(economy.parameters.satPerKvb, `the rate of ${network.name}`),
  })
  const [draft] = drafts
  if (!draft || draft.inputs.length < 2) return undefined
  const amount = at(draft.outputs, 0).amount
  const fee = draft.inputs.reduce((sum, coin) => sum + coin.amount, -amount)
  return { outpoints: draft.inputs.map(({ txid, index }) => `${txid}:${index}`), amount, fee }
}

/**
 * What joining the smallest free coins would take now: of as many as signers sign for at once, and as the bytes that prove them leave room for, since large
 * transactions may have made them. Undefined if there are not two coins worth it.
 */
export async function planConsolidation(network: CoinNetwork, of: Joined): Promise<Consolidation | undefined> {
  const asset = { chain: network.chain, contract: null }
  for (let most = SIGNATURES_MAX; most >= 2; ) {
    const plan = await joinSmallest(network, of, most)
    if (!plan) return undefined
    const { amount, fee: feeCap, outpoints: coins } = plan
    const order = { from: of.address, to: of.address, asset, amount, feeCap, slot: 0n, tier: 0 as const, coins }
    const fits = await fromNode(() => network.node.prepare(order).then(() => true, tooLarge))
    if (fits) return plan
    most = Math.floor(coins.length / 2)
  }
  return undefined
}

function tooLarge(cause: unknown): false {
  if (cause instanceof ProofsTooLargeError) return false
  throw cause
}

function withinLedger(coins: readonly StatedCoin[], available: bigint): StatedCoin[] {
  const taken: StatedCoin[] = []
  let sum = 0n
  for (const coin of coins) {
    sum += coin.amount
    if (sum > available) break
    taken.push(coin)
  }
  return taken
}

/** What the ledger has of the network's own coin for a sub-wallet. */
export async function availableOf(tx: OrganisationTx, { network }: Pick<CoinPlace, 'network'>, subWalletId: SubWalletId): Promise<bigint> {
  const booked = await balances(tx, subWalletId)
  return booked.find(({ asset }) => asset.chain === network.chain && asset.contract === null)?.available ?? 0n
}

/** Asks for an order that joins coins. The same request again answers the order it made. Throws `nothing_to_join`, and `build_failed` where the fee is above the cap. */
export async function consolidateCoins(
  needs: Needs,
  caller: Caller & { request: RequestKey },
  input: InputOf<typeof endpoint>,
): Promise<{ order: Order; fresh: boolean }> {
  const place = coinNetwork(needs, input.chain)
  const { network, coin } = place
  const feeCap = amountOf(input.max_fee, coin)
  const request = { key: caller.request, kind: 'consolidate' as const }
  const known = await needs.db.asOrganisation(caller.orgId, (tx) => findTransfer(tx, needs, request))
  if (known) return { order: known, fresh: false }
  const { payer, coins } = await readCoins(needs, caller.orgId, { network, subWalletId: input.sub_wallet_id })
  const available = await needs.db.asOrganisation(caller.orgId, (tx) => availableOf(tx, place, input.sub_wallet_id))
  const plan = await planConsolidation(network, { address: payer.address, coins, available })
  if (!plan) throw new AppError(utxoErrors.nothing_to_join)
  if (plan.fee > feeCap) {
    const shown = (amount: bigint) => `${formatAmount(amount, coin.decimals)} ${coin.symbol}`
    throw new AppError(transferErrors.build_failed, { details: { reason: `the fee is ${shown(plan.fee)} now, and the cap is ${shown(feeCap)}` } })
  }
  return needs.db.asOrganisation(caller.orgId, (tx) =>
    openTransfer(tx, needs, {
      ...request,
      subWalletId: input.sub_wallet_id,
      network,
      subject: { kind: 'transfer', to: payer.address, paid: { asset: coin, amount: plan.amount }, memo: null },
      // What the coins hold beyond the amount is the fee, to the satoshi; what the cap lets beyond that may speed the order up later.
      feeCap: { asset: coin, amount: feeCap < available - plan.amount ? feeCap : available - plan.amount },
      coins: plan.outpoints,
      remark: input.remark,
      lifeMs: input.expire_hours * HOUR_MS,
      initiator: caller.personId,
      language: caller.language,
    }),
  )
}
