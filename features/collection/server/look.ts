import { ChainError } from '@holdfast/chain-core'
import { allowanceCall, collectCall, collector } from '@holdfast/chain-evm/collect'
import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { type Network, type NetworkAsset, ownCoin } from '@holdfast/features/network/server'
import { organisationsWithStandingOrders, type StandingOrderInForce } from '@holdfast/features/policy/server'
import { sweepForSigners } from '@holdfast/features/signer-link/server'
import {
  type Chosen,
  dueAt,
  feeNow,
  type FeeTerms,
  feeWithin,
  type Reason,
  type Said,
  standingOrdersInForce,
  writeReasons,
} from '@holdfast/features/standing-order/server'
import { type CollectorCall, type NotMoved, openCollectorCall, pokeTransfers } from '@holdfast/features/transfer/server'
import { announce, type Repeating } from '@holdfast/jobs'
import { bytesToUuid, type OrganisationId, type SubWalletId } from '@holdfast/units'
import { type Allowing, chooseAllowed, chooseTaken, type Taken } from './choose.ts'
import { changeConfig, type Config, configs, conflictsOf, readTokens, type Token } from './configs.ts'
import { readAllowing } from './read-allowing.ts'
import { worthOf } from './worth.ts'

export type LookNeeds = Pick<ServerContext, 'ports' | 'db' | 'networks' | 'coSigners'>

/** What there is to collect is looked at so often. */
const LOOK_MS = 10_000
/** So many addresses allow in one look, and so many are collected from in one transaction; the next look goes on. */
const ALLOWED_AT_ONCE = 50
const BATCH_MAX = 200
/** What is not signed in this time is opened anew, with a fee of its time. */
const LIFE_MS = 2 * 3_600_000

const sweeps = sweepForSigners()

/** Publishes collectors, has addresses allow them, and collects, until stopped. */
export function startCollections(needs: LookNeeds, report: (cause: unknown) => void = () => {}): Repeating {
  const lookedAt = new Map<string, number>()
  return sweeps.start(needs, { report }, async ({ isStopped, attend }) => {
    for (const orgId of await organisationsWithStandingOrders(needs)) {
      for (const config of await needs.db.asOrganisation(orgId, (tx) => configs(tx).where('collect_order_id', 'is not', null).execute())) {
        const nowMs = needs.ports.clock.nowMs()
        if (isStopped()) return
        if (nowMs - (lookedAt.get(config.id) ?? 0) < LOOK_MS) continue
        lookedAt.set(config.id, nowMs)
        await attend(config.id, async () => (await lookAtCollector(needs, orgId as OrganisationId, config)) >= 0)
      }
    }
  })
}

type Looking = {
  needs: LookNeeds
  orgId: OrganisationId
  config: Config
  network: Network
  coin: NetworkAsset
  payer: string
  collect: StandingOrderInForce
  /** Absent while nobody has approved it, or somebody stopped it: then what is allowed already is collected, and nothing more is allowed. */
  allow: StandingOrderInForce | undefined
}

/** Does what a collector has to do now, as far as it can, and keeps why the rest is left. Answers how many orders it opened. */
export async function lookAtCollector(needs: LookNeeds, orgId: OrganisationId, config: Config): Promise<number> {
  const nowMs = needs.ports.clock.nowMs()
  const network = needs.networks.find(config.chain)
  const found = await needs.db.asOrganisation(orgId, async (tx) => ({
    inForce: await standingOrdersInForce(tx, nowMs),
    payer: await payerOf(tx, config),
    tokens: await readTokens(tx, [config.id]),
  }))
  const of = (id: string | null) => found.inForce.find(({ intent }) => bytesToUuid(intent.id) === id)
  const collect = of(config.collect_order_id)
  if (!network || !collect || found.payer === undefined) return 0
  const looking: Looking = { needs, orgId, config, network, coin: ownCoin(network), payer: found.payer, collect, allow: of(config.allow_order_id) }
  const isPublished = config.published_at !== null || (await publish(looking))
  const conflicts = await needs.db.asOrganisation(orgId, (tx) => conflictsOf(tx, config, found.tokens))
  const said: Record<'collect' | 'allow', Said[]> = { collect: [], allow: [] }
  let opened = 0
  for (const token of found.tokens) {
    const asset = needs.networks.byContract(config.chain, token.contract)
    if (!asset) continue
    const held = await readAllowing(needs, orgId, { config, network, token, sources: looking.allow?.intent.sources ?? [] })
    const saying = saysOf(config.chain, token.contract)
    const isTaken = conflicts.has(token.contract)
    const allowed = await allow(looking, token, held, isPublished && !isTaken)
    const taken = await take(looking, { token, asset, left: leftFor(config, token, { isPublished, isTaken, nowMs }) }, held)
    opened += allowed.opened + taken.opened
    said.allow.push(...allowed.left.map(saying))
    said.collect.push(...taken.left.map(saying))
  }
  await needs.db.asOrganisation(orgId, async (tx) => {
    const news = [await writeReasons(tx, bytesToUuid(collect.intent.id), said.collect, nowMs)]
    if (looking.allow) news.push(await writeReasons(tx, bytesToUuid(looking.allow.intent.id), said.allow, nowMs))
    if (news.includes(true) || opened > 0) await announce(tx, needs.ports, 'standing.changed', { standing_order_id: bytesToUuid(collect.intent.id) })
  })
  if (opened > 0) pokeTransfers(needs)
  return opened
}

/** Why nothing of a token is collected now. */
function leftFor(
  { is_paused: isPaused }: Config,
  { is_on: isOn, schedule }: Token,
  { isPublished, isTaken, nowMs }: { isPublished: boolean; isTaken: boolean; nowMs: number },
): Reason | undefined {
  if (isPaused) return 'paused'
  if (!isOn) return 'switched_off'
  if (isTaken) return 'collected_otherwise'
  if (!isPublished) return 'unpublished'
  return dueAt(schedule, nowMs) > nowMs ? 'scheduled' : undefined
}

/** Whether the contract stands. Where it does not, and no order to deploy it is under way, opens one. */
async function publish(looking: Looking): Promise<boolean> {
  const { needs, orgId, config, network, payer, collect } = looking
  if (await network.node.isContract(config.contract_address)) {
    const order = await needs.db.asOrganisation(orgId, (tx) => deploying(tx, config, false))
    const set = { published_at: BigInt(needs.ports.clock.nowMs()), publish_txid: order?.txid ?? null }
    await needs.db.asOrganisation(orgId, (tx) => changeConfig(tx, needs, config, set))
    return true
  }
  if (config.is_paused || (await needs.db.asOrganisation(orgId, (tx) => deploying(tx, config, true)))) return false
  const { contract, data } = collector.deploymentOf(config.target_address)
  const fee = await feeOf(looking, { from: payer, contract, data })
  const cap = fee && feeWithin(fee)
  if (cap === undefined) return false
  const subWalletId = config.payer_sub_wallet_id as SubWalletId
  const outcome = await open(looking, { standing: collect.intent, subWalletId, from: payer, contract, data, signature: null, feeCap: cap, parts: [] })
  if ('order' in outcome) pokeTransfers(needs)
  return false
}

/** The newest order to deploy a collector, open or done. */
const deploying = (tx: OrganisationTx, { chain, collect_order_id: id }: Config, isOpen: boolean) =>
  tx
    .selectFrom('transfer_order')
    .select(['id', 'txid'])
    .where('org_id', '=', tx.orgId)
    .where('standing_order_id', '=', id)
    .where('chain', '=', chain)
    .where('kind', '=', 'web3')
    .where((row) => (isOpen ? row('is_final', '=', false) : row('state', '=', 'completed')))
    .orderBy('created_at', 'desc')
    .executeTakeFirst()

type Done = { opened: number; left: Chosen[] }

async function allow(looking: Looking, token: Token, held: readonly Allowing[], mayAllow: boolean): Promise<Done> {
  const { allow: standing, config } = looking
  const isRevoking = config.is_paused ? config.is_revoking : !token.is_on
  const [first] = held
  if (!standing || !first || (!isRevoking && (config.is_paused || !mayAllow))) return { opened: 0, left: [] }
  const callOf = (amount: bigint) => allowanceCall({ token: token.contract, target: config.target_address, amount })
  const fee = await feeOf(looking, { from: first.address, ...callOf(isRevoking ? 0n : token.most) })
  if (!fee) return { opened: 0, left: [] }
  const terms = { threshold: token.threshold, most: token.most, isExact: token.is_exact, isRevoking, fee }
  const { allowed, left } = chooseAllowed(terms, held)
  let opened = 0
  for (const { address, subWalletId, amount, feeCap } of allowed.slice(0, ALLOWED_AT_ONCE)) {
    const { contract, data } = callOf(amount)
    const signature = 'approve(address,uint256)'
    const call = { standing: standing.intent, subWalletId: subWalletId as SubWalletId, from: address, contract, data, signature, feeCap, parts: [] }
    const outcome = await open(looking, call)
    if ('order' in outcome) opened++
    else {
      left.push({ holding: { address, subWalletId, available: amount, coins: 0n, isBusy: false }, reason: outcome.reason })
      if (outcome.reason === 'limit_used') break
    }
  }
  return { opened, left }
}

type Taking = { token: Token; asset: NetworkAsset; left: Reason | undefined }

async function take(looking: Looking, { token, asset, left: reason }: Taking, held: readonly Allowing[]): Promise<Done> {
  const { needs, orgId, config, payer, collect } = looking
  const chosen = chooseTaken({ threshold: token.threshold, most: token.most, left: reason, batchMax: BATCH_MAX }, held)
  if (chosen.taken.length === 0) return { opened: 0, left: chosen.left }
  const all = (why: Reason, detail?: bigint): Done => {
    const passed = chosen.taken.map(({ address, subWalletId, amount }): Chosen => {
      const holding = { address, subWalletId, available: amount, coins: 0n, isBusy: false }
      return { holding, reason: why, ...(detail !== undefined && { detail }) }
    })
    return { opened: 0, left: [...chosen.left, ...passed] }
  }
  const sources = chosen.taken.map(({ address: source, amount }) => ({ source, amount }))
  const callOf = (isWhole: boolean) => collectCall({ token: token.contract, target: config.target_address, from: sources, isWhole })
  // Only of a call that takes all or nothing can a node say what it costs for sure; where one address cannot give, the others go without it.
  const whole = await feeOf(looking, { from: payer, ...callOf(true) })
  const refused = whole ? new Set<string>() : await refusedBy(looking, asset, chosen.taken)
  if (refused.size > 0) {
    const others = await take(
      looking,
      { token, asset, left: reason },
      held.filter(({ address }) => !refused.has(address)),
    )
    return { ...others, left: [...others.left, ...all('token_refuses').left.filter(({ holding }) => refused.has(holding.address))] }
  }
  const fee = whole ?? (await feeOf(looking, { from: payer, ...callOf(false) }))
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
  const call = { standing: collect.intent, subWalletId, from: payer, ...callOf(whole !== undefined), signature, feeCap: cap, parts }
  const outcome = await open(looking, call)
  return 'order' in outcome ? { opened: 1, left: chosen.left } : all(outcome.reason)
}

/** The addresses that the token lets pay nothing, as those that its issuer froze: a call that tries to take of them costs a fee for nothing. */
async function refusedBy({ network, config, coin }: Looking, asset: NetworkAsset, taken: readonly Taken[]): Promise<ReadonlySet<string>> {
  const place = { network, asset, coin, max: config.fee_max, maxShare: 10_000n }
  const refused = new Set<string>()
  for (const { address, amount } of taken) {
    if ((await feeNow(place, { from: address, to: config.target_address, amount })) === 'token_refuses') refused.add(address)
  }
  return refused
}

type Opening = Pick<CollectorCall, 'standing' | 'subWalletId' | 'from' | 'contract' | 'data' | 'signature' | 'parts'> & { feeCap: bigint }

/** Opens a call in a transaction of its own. What is refused for its own reason is left, and the next look tries again. */
async function open({ needs, orgId, config, network, coin }: Looking, { feeCap, ...call }: Opening): Promise<{ order: unknown } | { reason: Reason }> {
  const whole = { ...call, network, target: config.target_address, feeCap: { asset: coin, amount: feeCap }, lifeMs: LIFE_MS }
  try {
    const outcome: { order: unknown } | NotMoved = await needs.db.asOrganisation(orgId, (tx) => openCollectorCall(tx, needs, whole))
    return outcome
  } catch (cause) {
    if (cause instanceof AppError) return { reason: 'failed' }
    throw cause
  }
}

/** What a call costs now, within what people approved for one transaction; undefined if the network's node does not say. */
async function feeOf(
  { network, config, coin }: Looking,
  { from, contract, data }: { from: string; contract: string; data: Uint8Array },
): Promise<FeeTerms | undefined> {
  try {
    const [slow, normal, fast] = await network.node.estimateFee({ from, to: contract, asset: { chain: coin.chain, contract: null }, amount: 0n, data })
    return { estimates: [slow.feeMax, normal.feeMax, fast.feeMax], max: config.fee_max, maxShare: 10_000n }
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/** The address that deploys and calls a collector. */
async function payerOf(tx: OrganisationTx, { payer_sub_wallet_id: id, chain }: Config): Promise<string | undefined> {
  const row = await tx
    .selectFrom('address')
    .select('address')
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', id as SubWalletId)
    .where('chain', '=', chain)
    .where('number', '=', 0)
    .executeTakeFirst()
  return row?.address
}

const saysOf =
  (chain: string, contract: string) =>
  ({ holding: { address, subWalletId, available }, reason, detail }: Chosen): Said => ({
    ...{ chain, contract, address, subWalletId, amount: available, reason: reason ?? 'failed', detail: detail === undefined ? null : String(detail) },
  })
