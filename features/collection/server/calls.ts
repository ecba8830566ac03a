import { ChainError } from '@holdfast/chain-core'
import { collectCall } from '@holdfast/chain-evm/collect'
import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import type { StandingOrderInForce } from '@holdfast/features/policy/server'
import { type Chosen, feeNow, type FeeTerms, feeWithin, type Reason, type Said } from '@holdfast/features/standing-order/server'
import { type CollectorCall, type NotMoved, openCollectorCall, type SignedCarried } from '@holdfast/features/transfer/server'
import type { OrganisationId, SubWalletId } from '@holdfast/units'
import type { Taken } from './choose.ts'
import type { Config, Token } from './configs.ts'
import { contractBy } from './contract-by.ts'
import { worthOf } from './worth.ts'

export type LookNeeds = Pick<ServerContext, 'ports' | 'db' | 'networks' | 'coSigners'>

/** What is not signed in this time is opened anew, with a fee of its time. */
export const LIFE_MS = 2 * 3_600_000

export type Looking = {
  needs: LookNeeds
  orgId: OrganisationId
  config: Config
  network: Network
  coin: NetworkAsset
  payer: string
  collect: StandingOrderInForce
  /** By which addresses allow or authorize the contract. Absent while nobody has approved it, or somebody stopped it. */
  allow: StandingOrderInForce | undefined
}

/** A token that is collected; `isTaken`: by another configuration, which was there before. `left`: why nothing of it is collected now. */
export type Wanted = { token: Token; asset: NetworkAsset; isTaken: boolean; left: Reason | undefined }

/** What a look opened, and what it says of the two standing orders. */
export type Looked = { opened: number; said: Record<'collect' | 'allow', Said[]> }

/** How many orders were opened, and why the rest is left. */
export type Done = { opened: number; left: Chosen[] }

/** What one call takes: `choose` says it of all addresses but some, and of every address that has something and is not taken from, why. */
type Taking = {
  token: Token
  asset: NetworkAsset
  choose: (without: ReadonlySet<string>) => { taken: Taken[]; left: Chosen[] }
  /** Those that the transaction carries of the addresses that are taken from. */
  carriedWith?: (taken: readonly Taken[]) => readonly SignedCarried[]
}

/** Opens one call of the contract that takes a token of addresses, as far as people and fees let it. */
export async function take(looking: Looking, taking: Taking, without: ReadonlySet<string> = new Set()): Promise<Done & { carried: readonly SignedCarried[] }> {
  const { needs, orgId, config, payer, collect } = looking
  const { token, asset, choose } = taking
  const chosen = choose(without)
  if (chosen.taken.length === 0) return { opened: 0, left: chosen.left, carried: [] }
  const carried = taking.carriedWith?.(chosen.taken) ?? []
  const all = (why: Reason, detail?: bigint): Done & { carried: [] } => {
    const passed = chosen.taken.map(({ address, subWalletId, amount }): Chosen => {
      const holding = { address, subWalletId, available: amount, coins: 0n, isBusy: false }
      return { holding, reason: why, ...(detail !== undefined && { detail }) }
    })
    return { opened: 0, left: [...chosen.left, ...passed], carried: [] }
  }
  const sources = chosen.taken.map(({ address: source, amount }) => ({ source, amount }))
  const by = contractBy(config)
  const callOf = (isWhole: boolean) => collectCall(by, config.target_address, { token: token.contract, from: sources, isWhole })
  // Only of a call that takes all or nothing can a node say what it costs for sure; where one address cannot give, the others go without it.
  const whole = await feeOf(looking, { from: payer, ...callOf(true), carried })
  const refused = whole ? new Set<string>() : await refusedBy(looking, asset, chosen.taken)
  if (refused.size > 0) {
    const others = await take(looking, taking, new Set([...without, ...refused]))
    return { ...others, left: [...others.left, ...all('token_refuses').left.filter(({ holding }) => refused.has(holding.address))] }
  }
  // A node that leaves authorizations out would count a call that passes every address over.
  const fee = whole ?? (carried.length > 0 ? undefined : await feeOf(looking, { from: payer, ...callOf(false) }))
  if (!fee) return all('halted')
  const cap = feeWithin(fee)
  if (cap === undefined) return all('fee_too_high', fee.estimates[0])
  const share = token.fee_share
  if (share !== null) {
    const worth = await needs.db.asOrganisation(orgId, (tx) => worthOf(tx, needs, [asset, looking.coin]))
    const [value, cost] = [
      worth(
        asset,
        sources.reduce((sum, { amount }) => sum + amount, 0n),
      ),
      worth(looking.coin, cap),
    ]
    if (value === undefined || cost === undefined) return all('price_unknown')
    if (cost * 10_000n > value * BigInt(share)) return all('fee_share')
  }
  const subWalletId = config.payer_sub_wallet_id as SubWalletId
  const parts = chosen.taken.map((each) => ({ subWalletId: each.subWalletId, address: each.address, asset, amount: each.amount }))
  const signature = whole ? 'collectWhole(address,address[],uint256[])' : 'collect(address,address[],uint256[])'
  const call = { standing: collect.intent, subWalletId, from: payer, ...callOf(whole !== undefined), signature, feeCap: cap, parts, carried }
  const outcome = await open(looking, call)
  return 'order' in outcome ? { opened: 1, left: chosen.left, carried } : all(outcome.reason)
}

/** The addresses that the token lets pay nothing, as those that its issuer froze: a call that tries to take of them costs a fee for nothing. */
export async function refusedBy(
  { network, config, coin }: Looking,
  asset: NetworkAsset,
  taken: readonly Pick<Taken, 'address' | 'amount'>[],
): Promise<ReadonlySet<string>> {
  const place = { network, asset, coin, max: config.fee_max, maxShare: 10_000n }
  const refused = new Set<string>()
  for (const { address, amount } of taken) {
    if ((await feeNow(place, { from: address, to: config.target_address, amount })) === 'token_refuses') refused.add(address)
  }
  return refused
}

type Opening = Pick<CollectorCall, 'standing' | 'subWalletId' | 'from' | 'contract' | 'data' | 'signature' | 'parts'> & {
  feeCap: bigint
  carried?: readonly SignedCarried[]
}

/** Opens a call in a transaction of its own. */
export function open({ needs, orgId, config, network, coin }: Looking, { feeCap, carried = [], ...call }: Opening): Promise<Outcome> {
  const whole = { ...call, network, target: config.target_address, feeCap: { asset: coin, amount: feeCap }, lifeMs: LIFE_MS }
  return outcomeOf(needs.db.asOrganisation(orgId, (tx) => openCollectorCall(tx, needs, { ...whole, carries: carried.map(({ id }) => id) })))
}

export type Outcome = { order: unknown } | { reason: Reason }

/** What came of opening an order: one that was refused for its own reason is tried again in the next look. */
export async function outcomeOf(opening: Promise<{ order: unknown } | NotMoved>): Promise<Outcome> {
  try {
    return await opening
  } catch (cause) {
    if (cause instanceof AppError) return { reason: 'failed' }
    throw cause
  }
}

/** What a call costs now, within what people approved for one transaction; undefined if the network's node does not say. */
export async function feeOf(
  { network, config, coin }: Looking,
  { from, contract, data, carried = [] }: { from: string; contract: string; data: Uint8Array; carried?: readonly SignedCarried[] },
): Promise<FeeTerms | undefined> {
  const call = { from, to: contract, asset: { chain: coin.chain, contract: null }, amount: 0n, data }
  const along = carried.length > 0 && { authorizations: carried.map(({ raw }) => raw) }
  try {
    const [slow, normal, fast] = await network.node.estimateFee({ ...call, ...along })
    return { estimates: [slow.feeMax, normal.feeMax, fast.feeMax], max: config.fee_max, maxShare: 10_000n }
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/** Why something of a token is left, as the reasons of a standing order say it. */
export const saysOf =
  (chain: string, contract: string) =>
  ({ holding: { address, subWalletId, available }, reason, detail }: Chosen): Said => ({
    ...{ chain, contract, address, subWalletId, amount: available, reason: reason ?? 'failed', detail: detail === undefined ? null : String(detail) },
  })
