import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { knownDestinations, limitsFor, mostByValue, type NextOrder, type Payer, readPayer, usedOf } from '@holdfast/features/transfer/server'
import { balances } from '@holdfast/ledger'
import { evaluatePayment, type Limit, maxAmountsOf, type Needs, type Policy, UNSCREENED } from '@holdfast/policy'
import { isPayable, mostPayable, type RoomOf, stretchesOf } from '@holdfast/policy/analysis'
import { formatAmount, type PersonId, type SubWalletId, uuidToBytes } from '@holdfast/units'

type Asked = {
  network: Network
  asset: NetworkAsset
  subWalletId: SubWalletId
  personId: PersonId
  amount: bigint
  from?: string
  to?: string
  memo?: string | null
  nowMs: number
}

/** The least that can be paid to an address, in base units: nodes would not relay less. */
export function leastTo({ codec }: Network, { contract }: NetworkAsset, to: string | undefined): bigint {
  return (contract === null && to !== undefined ? codec.leastPayment?.(to) : undefined) ?? 1n
}

/**
 * The bounds of a payment before it is requested: the most that any rule lets through whose limits have room for it, the rule that is asked first, and what its
 * limits leave by the orders that this server knows. A limit for each asker, paying address or recipient is counted for the one of this payment, as signers
 * count it. Each signer counts for itself, and that count decides.
 */
export async function checkLimits(tx: OrganisationTx, asked: Asked) {
  const { network, asset, subWalletId, personId, amount, to, memo = null, nowMs } = asked
  const owned = await tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', subWalletId).executeTakeFirst()
  if (!owned) throw new AppError('wallet_not_found')
  const least = leastTo(network, asset, to)
  const [{ policy }, payer] = await Promise.all([currentPolicy(tx), payerOf(tx, asked)])
  const { chain, contract } = asset
  const payment = {
    chain,
    contract,
    initiator: uuidToBytes(personId),
    memo,
    ...(payer && { source: { keyId: payer.keyId, path: payer.path.map(BigInt) } }),
    ...(to !== undefined && { recipients: [to] }),
  }
  // Of nobody in particular it is only known which rules may decide.
  const asking =
    to === undefined
      ? {}
      : { atMs: nowMs, screened: UNSCREENED, destination: await knownDestinations(tx, policy, { chain, to: [{ address: to, memo }] }, nowMs) }
  const booked = (await balances(tx, subWalletId)).find((each) => each.asset.chain === chain && (each.asset.contract ?? '') === (contract ?? ''))
  const stretches = stretchesOf(policy, payment, booked?.available ?? 0n, asking)
  const next = { personId, from: payer?.address, to, nowMs }
  const outcome = evaluatePayment(policy, { ...payment, amount }, asking)
  const { rule } = outcome
  const max = rule ? maxAmountsOf(rule, asset)[0] : undefined
  const deciding = outcome.kind === 'needs' ? [outcome] : []
  const lefts = await leftsOf(tx, [...deciding, ...stretches.flatMap(({ outcomes }) => outcomes.filter((each) => each.kind === 'needs'))], { asset, next })
  const roomOf = await roomsOf(tx, policy, lefts, { asset, next })
  const left = lefts.get(rule?.id ?? '') ?? { windows: [], counts: [] }
  const [window, count] = [tightest(left.windows), tightest(left.counts)]
  const shown = (value: bigint) => formatAmount(value > 0n ? value : 0n, asset.decimals)
  return {
    allowed: amount >= least && isPayable(stretches, amount, roomOf),
    min_withdraw: formatAmount(least, asset.decimals),
    max_withdraw: shown(mostPayable(stretches, roomOf)),
    rule_id: rule?.id ?? null,
    rule_max: max === undefined ? null : shown(max),
    window: window ? { ...facts(window), max: shown(window.most), left: shown(window.left) } : null,
    order_window: count ? { ...facts(count), max: Number(count.most), left: Number(count.left > 0n ? count.left : 0n) } : null,
    pending_count: await pendingOf(tx, subWalletId),
  }
}

type Of = { asset: NetworkAsset; next: NextOrder }
type LeftUnder = { needs: Needs; windows: readonly Left[]; counts: readonly Left[] }

/** What the limits of each rule leave that may decide about some amount, by the id of the rule. */
async function leftsOf(tx: OrganisationTx, outcomes: readonly Needs[], { asset, next }: Of): Promise<Map<string, LeftUnder>> {
  const lefts = new Map<string, LeftUnder>()
  for (const needs of outcomes) if (!lefts.has(needs.rule.id)) lefts.set(needs.rule.id, { needs, ...(await leftOf(tx, needs, asset, next)) })
  return lefts
}

/** The most that each rule leaves of one payment: by its limits, and by what the asset is worth. */
async function roomsOf(tx: OrganisationTx, policy: Policy, lefts: ReadonlyMap<string, LeftUnder>, { asset, next }: Of): Promise<RoomOf> {
  const rooms = new Map<string, bigint | null>()
  for (const [id, { needs, windows, counts }] of lefts) {
    const byValue = await mostByValue(tx, policy, needs, asset, next)
    const bounds = [...windows.map(({ left }) => left), ...(byValue === null ? [] : [byValue])]
    const isUsedUp = counts.some(({ left }) => left < 1n)
    rooms.set(id, isUsedUp ? 0n : bounds.length === 0 ? null : bounds.reduce((least, bound) => (bound < least ? bound : least)))
  }
  return ({ rule }) => rooms.get(rule.id) ?? null
}

/** The address that would pay: the one that is named, or the first one, once the sub-wallet can pay. Throws AppError if the named one is none of its own. */
async function payerOf(tx: OrganisationTx, { subWalletId, network, from }: Asked): Promise<Payer | undefined> {
  try {
    return await readPayer(tx, { subWalletId, network, ...(from !== undefined && { from }) })
  } catch (error) {
    if (from === undefined && error instanceof AppError) return undefined
    throw error
  }
}

/** What a limit leaves: of an amount, or of a number of orders. */
type Left = { limit: Limit; most: bigint; left: bigint }

/** What the limits of a rule leave of what they let through of an asset, and of orders. */
async function leftOf(tx: OrganisationTx, { rule, limits }: Pick<Needs, 'rule' | 'limits'>, asset: NetworkAsset, next: NextOrder) {
  const { chain, contract } = asset
  const [windows, counts]: [Left[], Left[]] = [[], []]
  for (const { limit, of, sinceMs } of limitsFor(limits, next)) {
    const mostAmount = limit.maxOf({ chain, contract, isOfTokens: false })
    if (mostAmount === null && limit.maxCount === null) continue
    const used = await usedOf(tx, { rule: rule.id, each: limit.each, of, asset, sinceMs })
    if (mostAmount !== null) windows.push({ limit, most: mostAmount, left: mostAmount - used.amount })
    if (limit.maxCount !== null) counts.push({ limit, most: limit.maxCount, left: limit.maxCount - used.order })
  }
  return { windows, counts }
}

/** The limit that leaves the least, which is the one that binds. */
const tightest = (all: readonly Left[]): Left | undefined =>
  all.reduce<Left | undefined>((least, each) => (least && least.left <= each.left ? least : each), undefined)

const facts = ({ limit }: Left) => ({ hours: Number(limit.lengthMs) / 3_600_000, each: limit.each })

/** The orders of a sub-wallet that are not final. */
async function pendingOf(tx: OrganisationTx, subWalletId: SubWalletId): Promise<number> {
  const { count } = await tx
    .selectFrom('transfer_order')
    .select((of) => of.fn.countAll<bigint>().as('count'))
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', subWalletId)
    .where('is_final', '=', false)
    .executeTakeFirstOrThrow()
  return Number(count)
}
