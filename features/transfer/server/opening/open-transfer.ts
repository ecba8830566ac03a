import { endOf, FEE_TIERS, type FeeTierIndex, pinnedContract, startOf } from '@holdfast/chain-core'
import { AppError, type Language } from '@holdfast/contract'
import { askAlong, type OrganisationTx, type Schema, writtenOnce } from '@holdfast/db'
import { encode } from '@holdfast/encoding'
import { claimRequest, type RequestKey } from '@holdfast/http'
import type { ServerContext } from '@holdfast/features/context'
import { appendAlong } from '@holdfast/features/evidence/server'
import { networkErrors } from '@holdfast/features/network/errors'
import { type Network, type NetworkAsset, paymentBars, protocolFor } from '@holdfast/features/network/server'
import { policyErrors } from '@holdfast/features/policy/errors'
import { sayRefusal, sayWorth } from './order-value.ts'
import { type Decided, outcomeByLimits } from './outcome-by-limits.ts'
import { currentPolicy, type DescribedOutcome, describeOutcome, type PolicyInForce } from '@holdfast/features/policy/server'
import { walletErrors } from '@holdfast/features/wallet/errors'
import { announceAll } from '@holdfast/jobs'
import { type Asset, intentHash, intentShape, judgedAs, type ReplacementIntent, type SpendingIntent, type TransactionIntent } from '@holdfast/intent'
import { type Policy, readRule } from '@holdfast/policy'
import { bytesToUuid, newId, type OrderId, type RequesterId, type SubWalletId, uuidToBytes, type WalletId } from '@holdfast/units'
import type { Insertable } from 'kysely'
import { transferErrors } from '../../errors.ts'
import { orderAnnouncements } from '../order/announce-order.ts'
import { proposeOrder } from '../order/propose-order.ts'
import { coinsOfOrders, holdAddress, locksOf } from '../slot/locked-coins.ts'
import { type Money, type Ordered, subjectKind } from '../order/kinds/index.ts'
import { writeOpening } from '../order/move.ts'
import { holdForOrder } from '../order/order-money.ts'
import { type Order, type OrderRow, readOrder } from '../order/read-order.ts'
import { subStatusOf } from '../order/states.ts'

/** What every order is requested with, of any kind. */
export type OrderRequest = {
  key: RequestKey
  /** The most that it may cost, in the network's own coin. */
  feeCap: Money
  remark: string
  lifeMs: number
  initiator: RequesterId
  language: Language
}

/** The request of an order that a transaction of its own carries out. Its kind is part of the request's identity. */
export type TransferRequest = OrderRequest &
  Ordered & {
    subWalletId: SubWalletId
    network: Network
    /** The address of the sub-wallet that pays; its first one if absent. */
    from?: string
    /** The fee that it offers at first, within the cap; normal if absent. */
    tier?: FeeTierIndex
    /** If the network has coins: those that this order must spend, in this order; it has them from now on. */
    coins?: readonly string[]
  }

/** An approver's clock may be this far behind ours and their approval still counts as made after the order. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000

/**
 * Opens an order to pay, to call a contract, about stake, or to speed a deposit up: creates its intent, which nothing can change afterwards, holds amount and
 * fee, and writes it to the log, all in the caller's transaction. The same request again returns the order it created. Throws AppError if the policy
 * denies it or the balance does not cover it; then nothing is held.
 */
export async function openTransfer(
  tx: OrganisationTx,
  { ports }: Pick<ServerContext, 'ports'>,
  request: TransferRequest,
): Promise<{ order: Order; fresh: boolean }> {
  const nowMs = ports.clock.nowMs()
  const orderId = newId(nowMs, ports.random)
  const { chain } = request.network
  const claiming = claimRequest(tx, { key: request.key, kind: request.kind, resultId: orderId, nowMs })
  // Asked with the claim, and used only if the request is new: a repeated request gets the same answer, whatever has changed since.
  const { contract } = request.subject.paid.asset
  const asking = Promise.all([paymentBars(tx, { chain, contract: contract ?? '' }), currentPolicy(tx), readPayer(tx, request)])
  asking.catch(() => {})
  const { fresh, resultId } = await claiming
  if (!fresh) return { order: await readExisting(tx, resultId), fresh }

  const [{ halt, othersControl }, inForce, payer] = await asking
  if (halt) throw new AppError(transferErrors.withdrawals_suspended)
  const wanted = intentOf(request, payer, inForce, { orderId, nowMs, nonce: ports.random.bytes(32) })
  const { intent, ruleId } = await chooseRule(tx, wanted, inForce, { language: request.language, nowMs, before: null })
  if (othersControl.has(payer.address)) throw new AppError(transferErrors.account_not_own)
  const row = insertOrder(tx, request, payer, { intent, ruleId }, nowMs)
  await nameCoins(tx, request, row)
  await writeOutputs(tx, row.id, subjectKind(intent).recipients?.(intent) ?? [])
  await writeOpened(tx, ports, row, { intent, inForce, initiator: request.initiator, nowMs })
  return { order: { row, state: 'approving', intent, payment: intent, transactions: [] }, fresh }
}

type Opened = { intent: SpendingIntent; inForce: PolicyInForce; initiator: RequesterId; nowMs: number }

/** What every new order needs: its hold, the first line of its timeline, the people it waits for, its place in the log, and the news of it. */
export async function writeOpened(
  tx: OrganisationTx,
  ports: ServerContext['ports'],
  row: OrderRow,
  { intent, inForce, initiator, nowMs }: Opened,
): Promise<void> {
  await writeOpening(tx, row, initiator, nowMs)
  await proposeOrder(tx, row, intent, inForce.policy)
  // From here on no other order of the sub-wallet can open or end, and no other of the organisation can be logged, until this one is committed. So nothing of
  // it is waited for: all of it goes along with the end of the transaction, where nothing else follows.
  await holdForOrder(tx, ports, row)
  logOpening(tx, row, inForce.fingerprint, nowMs)
  await announceAll(tx, ports, orderAnnouncements(row, { balance: true, todo: true }))
}

/** Writes a new order to the log, and its place there. */
export function logOpening(tx: OrganisationTx, { id, intent }: OrderRow, genesis: Uint8Array, nowMs: number): void {
  appendAlong(tx, { genesis, type: 'intent', body: intent, atMs: nowMs, place: { orderId: id, personId: null } })
}

/** The order that this very request created before, or undefined. Throws `duplicate_request` if the id was used for something else. */
export async function findTransfer(
  tx: OrganisationTx,
  { ports }: Pick<ServerContext, 'ports'>,
  request: Pick<TransferRequest, 'key' | 'kind'>,
): Promise<Order | undefined> {
  const earlier = await tx
    .selectFrom('idempotency')
    .select('result_id')
    .where('org_id', '=', tx.orgId)
    .where('request_id', '=', request.key.id)
    .executeTakeFirst()
  if (!earlier) return undefined
  const { resultId } = await claimRequest(tx, { key: request.key, kind: request.kind, resultId: earlier.result_id, nowMs: ports.clock.nowMs() })
  return readExisting(tx, resultId)
}

export async function readExisting(tx: OrganisationTx, orderId: OrderId): Promise<Order> {
  const order = await readOrder(tx, orderId)
  if (!order) throw new Error(`the request is known but its order ${orderId} is not`)
  return order
}

export type Payer = { walletId: WalletId; keyId: Uint8Array; path: number[]; address: string }

type OfSubWallet = { orgId: string; subWalletId: string; chain: string }

/** The wallet of a sub-wallet with one of its addresses on a chain, once for each of its keys; without what is not there. */
const payersOf = (db: Pick<OrganisationTx, 'selectFrom'>, given: OfSubWallet, which: { number: number } | { address: string }) =>
  db
    .selectFrom('sub_wallet as paying')
    .innerJoin('wallet', (join) => join.onRef('wallet.org_id', '=', 'paying.org_id').onRef('wallet.id', '=', 'paying.wallet_id'))
    .leftJoin('key_of_wallet as key', (join) => join.onRef('key.org_id', '=', 'paying.org_id').onRef('key.wallet_id', '=', 'paying.wallet_id'))
    .leftJoin('address as own', (join) => {
      const ofChain = join.onRef('own.org_id', '=', 'paying.org_id').onRef('own.sub_wallet_id', '=', 'paying.id').on('own.chain', '=', given.chain)
      return 'number' in which ? ofChain.on('own.number', '=', which.number) : ofChain.on('own.address', '=', which.address)
    })
    .select(['wallet.id', 'wallet.state', 'key.protocol', 'key.key_id', 'key.retired_at', 'own.address', 'own.path'])
    .where('paying.org_id', '=', given.orgId)
    .where('paying.id', '=', given.subWalletId)
const askFirst = writtenOnce((db, given: OfSubWallet) => payersOf(db, given, { number: 0 }))
const askFrom = writtenOnce((db, given: OfSubWallet & { from: string }) => payersOf(db, given, { address: given.from }))

/** The address from which a sub-wallet pays on a chain: `from`, or its first one. Throws if it cannot pay at all, or `from` is none of its addresses. */
export async function readPayer(tx: OrganisationTx, { subWalletId, network, from }: Pick<TransferRequest, 'subWalletId' | 'network' | 'from'>): Promise<Payer> {
  const of = { orgId: tx.orgId, subWalletId, chain: network.chain }
  const rows = await (from === undefined ? askFirst(tx, of) : askFrom(tx, { ...of, from }))
  const [wallet] = rows
  if (!wallet) throw new AppError('wallet_not_found')
  const keys = rows.flatMap(({ protocol, key_id: keyId, retired_at: retiredAt }) => (protocol === null ? [] : [{ protocol, keyId, retiredAt }]))
  const protocol = protocolFor(
    network.chain,
    keys.map((each) => each.protocol),
  )
  const key = keys.find((each) => each.protocol === protocol)
  if (key && key.retiredAt !== null) throw new AppError(walletErrors.wallet_retired)
  if (from !== undefined && wallet.address === null) throw new AppError('resource_not_found')
  if (wallet.state !== 'active' || !key?.keyId || wallet.address === null || wallet.path === null) throw new AppError(walletErrors.sub_wallet_being_created)
  return { walletId: wallet.id, keyId: key.keyId, path: wallet.path, address: wallet.address }
}

type Made = { orderId: OrderId; nowMs: number; nonce: Uint8Array }

type Wanted = Pick<TransferRequest, 'subject' | 'network' | 'feeCap' | 'remark' | 'initiator' | 'lifeMs'>

/** The order that a request makes, as the policy in force counts its assets. */
export function intentOf(request: Wanted, payer: Payer, inForce: PolicyInForce, { orderId, nowMs, nonce }: Made): TransactionIntent {
  const { subject, network, feeCap, remark, initiator, lifeMs } = request
  return subjectKind(subject).intent(subject, {
    genesis: inForce.fingerprint,
    orderId: uuidToBytes(orderId),
    keyId: payer.keyId,
    path: payer.path.map(BigInt),
    from: payer.address,
    to: subject.to,
    asset: pinnedAsset(subject.paid.asset, inForce),
    amount: subject.paid.amount,
    feeAsset: pinnedAsset(feeCap.asset, inForce),
    feeCap: feeCap.amount,
    slotRule: network.codec.slotRule,
    notBeforeMs: BigInt(nowMs - CLOCK_TOLERANCE_MS),
    expiresAtMs: BigInt(nowMs + lifeMs),
    policyVersion: inForce.policy.version,
    policyHash: inForce.hash,
    initiator: uuidToBytes(initiator),
    remark,
    nonce,
  })
}

/** The asset as the policy pins it, since that is how approvers and signers count it. An asset it does not pin is denied later, by its name here. */
function pinnedAsset({ chain, contract, symbol, decimals }: NetworkAsset, { policy }: PolicyInForce): Asset {
  const pinned = policy.assets.find((each) => each.chain === chain && each.contract === pinnedContract(contract))
  if (pinned && (pinned.decimals !== BigInt(decimals) || pinned.symbol !== symbol)) {
    throw new AppError(networkErrors.node_configuration, {
      cause: new Error(
        `the policy counts ${chain} ${contract ?? 'coin'} as ${pinned.symbol} with ${pinned.decimals} decimals, the server as ${symbol} with ${decimals}`,
      ),
    })
  }
  return { chain, contract, symbol, decimals: BigInt(decimals) }
}

const POLICY_EXPIRED = {
  en_US: 'The policy has expired, so no signer follows it any more. Renew it first.',
  zh_CN: '策略已过期，签名方不再执行。请先更新策略。',
}

/**
 * The rule that is to decide on an order: see `outcomeByLimits`. The order ends earlier where its rule has it be open for less than was wanted. Throws
 * `strategy_blocked` if the policy denies it.
 */
export async function chooseRule<I extends SpendingIntent>(
  tx: OrganisationTx,
  wanted: I,
  { policy }: PolicyInForce,
  { language, nowMs, before }: { language: Language; nowMs: number; before: string | null },
): Promise<{ intent: I; ruleId: string | null }> {
  if (policy.expiresAtMs <= BigInt(nowMs))
    throw new AppError(policyErrors.strategy_blocked, { details: { reason: POLICY_EXPIRED[language], denied: 'policy-expired', rule_id: null } })
  const { intent, decided } = await decideOn(tx, wanted, policy, nowMs, before)
  const { outcome, sentence, reason, rule_id } = describeDecided(decided, intent, { policy, language, nowMs })
  if (outcome === 'needs') return { intent, ruleId: decided.by }
  throw new AppError(policyErrors.strategy_blocked, { details: { reason: sentence, denied: reason, rule_id } })
}

type Describing = { policy: Policy; language: Language; nowMs: number }

/** What was decided of an order in words, also where it is refused by what it is worth. */
function describeDecided({ outcome, by, refusal }: Decided, intent: SpendingIntent, { policy, language, nowMs }: Describing): DescribedOutcome {
  const described = describeOutcome(outcome, policy, intent.initiator, language)
  if (refusal) {
    const reason = refusal.isLive ? 'value-by-live-price' : 'value-by-table'
    return { ...described, outcome: 'deny', reason, rule_id: by, threshold: 0, eligible: [], sentence: sayRefusal(refusal, language) }
  }
  const worth = described.reason === 'conditions-not-met' ? sayWorth({ policy, atMs: nowMs }, judgedAs(intent), language) : undefined
  return worth === undefined ? described : { ...described, sentence: `${described.sentence}${language === 'en_US' ? ' ' : ''}${worth}` }
}

/** What the policy says of an order, which ends earlier where its rule has it be open for less than was wanted. */
async function decideOn<I extends SpendingIntent>(tx: OrganisationTx, wanted: I, policy: Policy, nowMs: number, before: string | null) {
  let intent = wanted
  let decided = await outcomeByLimits(tx, policy, intent, nowMs, { before })
  // Each time the end is earlier, and there are only so many rules.
  while (decided.outcome.kind === 'deny' && decided.outcome.reason === 'open-too-long' && decided.outcome.rule) {
    intent = { ...intent, expiresAtMs: intent.notBeforeMs + readRule(decided.outcome.rule, policy).expiresAfterMs }
    decided = await outcomeByLimits(tx, policy, intent, nowMs, { before })
  }
  return { intent, decided }
}

/** Of an order that is not there: nobody asks for it, signs it or keeps it. */
const UNASKED = { orderId: '00000000-0000-0000-0000-000000000000' as OrderId, nonce: new Uint8Array(32) }

/**
 * What the policy would say of an order, were it asked for now: by what this server knows of its destination, and where the limits of rules have room for it.
 * Nothing is written. Throws AppError if its sub-wallet could not pay.
 */
export async function foreseeOutcome(
  tx: OrganisationTx,
  { ports }: Pick<ServerContext, 'ports'>,
  { language, ...request }: Wanted & Pick<TransferRequest, 'subWalletId' | 'from' | 'language'>,
): Promise<{ described: DescribedOutcome; policy: Policy }> {
  const nowMs = ports.clock.nowMs()
  const [inForce, payer] = await Promise.all([currentPolicy(tx), readPayer(tx, request)])
  const { policy } = inForce
  const { intent, decided } = await decideOn(tx, intentOf(request, payer, inForce, { ...UNASKED, nowMs }), policy, nowMs, null)
  return { described: describeDecided(decided, intent, { policy, language, nowMs }), policy }
}

/** What the row of every new order takes from its intent, and its first state. */
export function openedBy(intent: TransactionIntent | ReplacementIntent, initiator: RequesterId, nowMs: number) {
  return {
    fee_cap: intent.feeCap,
    remark: intent.remark,
    intent: encode(intentShape, intent),
    intent_hash: intentHash(intent),
    policy_version: intent.policyVersion,
    initiator,
    state: 'approving',
    sub_status: subStatusOf('approving', 'open'),
    is_final: false,
    expires_at: intent.expiresAtMs,
    created_at: nowMs,
    updated_at: nowMs,
    version: 1,
  }
}

type Inserted = Ordered & Pick<TransferRequest, 'subWalletId' | 'network' | 'initiator' | 'tier'> & { standingOrderId?: string; batchId?: string }

/** Writes the row of a new order. `standingOrderId`: the standing order that asks for it, and is its initiator; `batchId`: the batch of which it pays lines. */
export function insertOrder(
  tx: OrganisationTx,
  request: Inserted,
  payer: Payer,
  { intent, ruleId }: { intent: TransactionIntent; ruleId: string | null },
  nowMs: number,
): OrderRow {
  const { network, subject } = request
  const { asset } = subject.paid
  const row = {
    org_id: tx.orgId,
    id: bytesToUuid(intent.orderId) as OrderId,
    kind: request.kind,
    wallet_id: payer.walletId,
    sub_wallet_id: request.subWalletId,
    chain: network.chain,
    contract: asset.contract ?? '',
    symbol: asset.symbol,
    amount: intent.amount,
    postage: subjectKind(intent).postage?.(intent) ?? 0n,
    address_from: intent.from,
    address_to: intent.to,
    address_to_end: endOf(intent.to),
    address_to_start: startOf(intent.to),
    memo: 'memo' in intent ? intent.memo : null,
    tier: request.tier ?? USUAL_TIER,
    replaces: null,
    rule_id: ruleId,
    standing_order_id: request.standingOrderId ?? null,
    batch_id: request.batchId ?? null,
    ...openedBy(intent, request.initiator, nowMs),
  }
  writeRow.along(tx, row)
  return { ...row, ...UNSIGNED, created_at: BigInt(nowMs), updated_at: BigInt(nowMs) }
}

const USUAL_TIER = FEE_TIERS.indexOf('normal')

/** What no new order has yet. */
const UNSIGNED = { signable_at: null, slot: null, txid: null, block_height: null, block_hash: null, fee_paid: null, refusal: null, obstacle: null }

type NewRow = Omit<Insertable<Schema['transfer_order']>, keyof typeof UNSIGNED>
const COLUMNS = [
  ...(['org_id', 'id', 'kind', 'wallet_id', 'sub_wallet_id', 'chain', 'contract', 'symbol', 'amount', 'postage', 'fee_cap', 'tier'] as const),
  ...(['address_from', 'address_to', 'address_to_end', 'address_to_start', 'memo', 'remark', 'intent', 'intent_hash', 'policy_version', 'rule_id'] as const),
  ...(['initiator', 'standing_order_id', 'batch_id', 'replaces', 'state', 'sub_status', 'is_final', 'expires_at'] as const),
  ...(['created_at', 'updated_at', 'version'] as const),
] satisfies (keyof NewRow)[]

const writeRow = writtenOnce((db, row: NewRow) =>
  db.insertInto('transfer_order').values(Object.fromEntries(COLUMNS.map((name) => [name, row[name]])) as NewRow),
)

/** Gives an order the coins that it names. Throws `coin_unavailable` if another order has one, or a person has locked it. */
async function nameCoins(tx: OrganisationTx, { coins = [], network }: TransferRequest, row: OrderRow): Promise<void> {
  if (coins.length === 0) return
  const named = coins.map((outpoint, place) => ({ org_id: tx.orgId, order_id: row.id, place, outpoint }))
  await holdAddress(tx, { chain: row.chain, address: row.address_from })
  const { people } = await locksOf(tx, { chain: row.chain, address: row.address_from })
  const { taken } = await coinsOfOrders(tx, network.codec, row)
  const lost = coins.find((outpoint) => people.has(outpoint) || taken.has(outpoint))
  if (lost) throw new AppError(transferErrors.coin_unavailable, { details: { coin: lost } })
  await tx.insertInto('order_coin').values(named).execute()
}

/** Stores the recipients of an order if there are several, so that they are known by their addresses; its intent says the same. */
export async function writeOutputs(
  tx: OrganisationTx,
  orderId: OrderId,
  outputs: readonly { to: string; memo?: string | null; amount: bigint }[],
): Promise<void> {
  if (outputs.length === 0) return
  const rows = outputs.map(({ to, memo = null, amount }, place) => {
    const looks = { address_end: endOf(to), address_start: startOf(to) }
    return { org_id: tx.orgId, order_id: orderId, place, address: to, ...looks, memo, amount }
  })
  askAlong(tx, tx.insertInto('order_output').values(rows))
}
