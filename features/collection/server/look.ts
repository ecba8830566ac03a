import { allowanceCall } from '@holdfast/chain-evm/collect'
import type { OrganisationTx } from '@holdfast/db'
import { ownCoin } from '@holdfast/features/network/server'
import { organisationsWithStandingOrders } from '@holdfast/features/policy/server'
import { sweepForSigners } from '@holdfast/features/signer-link/server'
import { type Chosen, dueAt, type FeeTerms, feeWithin, type Reason, standingOrdersInForce, writeReasons } from '@holdfast/features/standing-order/server'
import { pokeTransfers } from '@holdfast/features/transfer/server'
import { announce, type Repeating } from '@holdfast/jobs'
import { bytesToUuid, type OrganisationId, type SubWalletId } from '@holdfast/units'
import { type Done, feeOf, type Looked, type Looking, type LookNeeds, open, refusedBy, saysOf, take, type Wanted } from './calls.ts'
import { type Allowing, chooseAllowed, chooseTaken, holdingOf, wantedAllowance } from './choose.ts'
import { changeConfig, type Config, configs, conflictsOf, readTokens, type Token } from './configs.ts'
import { contractBy } from './contract-by.ts'
import { sweepDelegated } from './delegated/sweep-delegated.ts'
import { readAllowing } from './read-allowing.ts'

/** What there is to collect is looked at so often. */
const LOOK_MS = 10_000
/** So many addresses allow in one look, and so many are collected from in one transaction; the next look goes on. */
const ALLOWED_AT_ONCE = 50
const BATCH_MAX = 200
/** So many addresses are asked about in one look, until the token lets one of them set its allowance. */
const ASKED_MAX = 50

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
  const wanted = found.tokens.flatMap((token): Wanted[] => {
    const asset = needs.networks.byContract(config.chain, token.contract)
    const isTaken = conflicts.has(token.contract)
    return asset ? [{ token, asset, isTaken, left: leftFor(config, token, { isPublished, isTaken, nowMs }) }] : []
  })
  const { opened, said } = await (config.way === 'delegation' ? sweepDelegated(looking, wanted) : collectAllowed(looking, wanted, isPublished))
  await needs.db.asOrganisation(orgId, async (tx) => {
    const news = [await writeReasons(tx, bytesToUuid(collect.intent.id), said.collect, nowMs)]
    if (looking.allow) news.push(await writeReasons(tx, bytesToUuid(looking.allow.intent.id), said.allow, nowMs))
    if (news.includes(true) || opened > 0) await announce(tx, needs.ports, 'standing.changed', { standing_order_id: bytesToUuid(collect.intent.id) })
  })
  if (opened > 0) pokeTransfers(needs)
  return opened
}

/** Has addresses allow the collector, and takes what they allow. */
async function collectAllowed(looking: Looking, wanted: readonly Wanted[], isPublished: boolean): Promise<Looked> {
  const { needs, orgId, config, network } = looking
  const said: Looked['said'] = { collect: [], allow: [] }
  let opened = 0
  for (const { token, asset, isTaken, left } of wanted) {
    const held = await readAllowing(needs, orgId, { config, network, token, sources: looking.allow?.intent.sources ?? [] })
    const saying = saysOf(config.chain, token.contract)
    const allowed = await allow(looking, { token, asset }, held, isPublished && !isTaken)
    const terms = { threshold: token.threshold, most: token.most, left, batchMax: BATCH_MAX }
    const choose = (without: ReadonlySet<string>) => chooseTaken(terms, without.size === 0 ? held : held.filter(({ address }) => !without.has(address)))
    const taken = await take(looking, { token, asset, choose })
    opened += allowed.opened + taken.opened
    said.allow.push(...allowed.left.map(saying))
    said.collect.push(...taken.left.map(saying))
  }
  return { opened, said }
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
  const { contract, data } = contractBy(config).deploymentOf(config.target_address)
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

/** Has addresses allow the contract, or take that back. One that the token refuses, as its issuer froze it, holds up no other. */
async function allow(looking: Looking, { token, asset }: Pick<Wanted, 'token' | 'asset'>, held: readonly Allowing[], mayAllow: boolean): Promise<Done> {
  const { allow: standing, config } = looking
  const isRevoking = config.is_paused ? config.is_revoking : !token.is_on
  if (!standing || (!isRevoking && (config.is_paused || !mayAllow))) return { opened: 0, left: [] }
  const terms = { threshold: token.threshold, most: token.most, isExact: token.is_exact, isRevoking }
  const callOf = (amount: bigint) => allowanceCall({ token: token.contract, target: config.target_address, amount })
  const isRefused = async ({ available: amount, ...of }: Allowing) => (await refusedBy(looking, asset, [{ ...of, amount }])).size > 0
  const wanting = held.flatMap((each) => {
    const amount = each.isBusy ? undefined : wantedAllowance(terms, each)
    return amount === undefined ? [] : [{ each, amount }]
  })
  const refused: Chosen[] = []
  const passRefused = (each: Allowing) => refused.push({ holding: holdingOf(each), reason: 'token_refuses' })
  let asked: { address: string; fee: FeeTerms } | undefined
  for (const { each, amount } of wanting.slice(0, ASKED_MAX)) {
    const fee = await feeOf(looking, { from: each.address, ...callOf(amount) })
    asked = fee && { address: each.address, fee }
    if (asked || !(await isRefused(each))) break
    passRefused(each)
  }
  if (!asked) return { opened: 0, left: refused }
  const others = held.filter(({ address }) => !refused.some(({ holding }) => holding.address === address))
  const { allowed, left } = chooseAllowed({ ...terms, fee: asked.fee }, others)
  let opened = 0
  for (const { address, subWalletId, amount, feeCap } of allowed.slice(0, ALLOWED_AT_ONCE)) {
    const each = address === asked.address ? undefined : others.find((other) => other.address === address)
    if (each && (await isRefused(each))) {
      passRefused(each)
      continue
    }
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
  return { opened, left: [...left, ...refused] }
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
