import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { type Narrowing, narrowingShape, raiseShape, scheduleText, writeNarrowing } from '@holdfast/features/standing-order/server'
import { announce } from '@holdfast/jobs'
import type { RequesterId } from '@holdfast/units'
import * as z from 'zod'
import { collectingEvent } from '../contract.ts'
import { coSignerErrors } from '../errors.ts'

const baseUnits = z.string().regex(/^\d{1,78}$/)
const place = z.object({ walletId: z.string(), subWalletId: z.string() })

/** Amounts in base units of the coin; `fuelLimit` and `maxFee` in those of the network's own coin; `maxFeeShare` in hundredths of a percent. */
const ruleShape = z.object({
  chain: z.string(),
  /** Empty for the network's own coin. */
  contract: z.string(),
  symbol: z.string(),
  collectMin: baseUnits,
  singleMin: baseUnits.nullable(),
  collectMax: baseUnits,
  /** Null if nothing is sent for fees. */
  fuelLimit: baseUnits.nullable(),
  maxFee: baseUnits,
  maxFeeShare: z.int().min(1).max(10_000),
  schedule: scheduleText,
  raise: raiseShape.nullable().default(null),
  isOn: z.boolean(),
})
export type Rule = z.output<typeof ruleShape>

/** How the coins of one wallet are collected, as people set it; what of it happens, the standing orders in `orders` say. */
const planShape = z.object({
  collect: place.nullable(),
  fuel: place.nullable(),
  scope: narrowingShape.shape.scope,
  rules: z.array(ruleShape).max(64),
  black: z.array(z.object({ chain: z.string(), address: z.string(), reason: z.string() })).max(1024),
  asked: narrowingShape.shape.asked,
  isPaused: z.boolean(),
  receivers: z.array(z.object({ personId: z.string(), events: z.array(collectingEvent) })).max(100),
  notice: z.object({ fuelDays: z.int(), failedTimes: z.int(), stuckMinutes: z.int() }),
  transfers: z.int(),
  days: z.int(),
  orders: z.object({ sweep: z.string().nullable(), fuel: z.string().nullable() }),
})
export type Plan = z.output<typeof planShape>

/** The plan of a wallet for which nobody set anything. */
export const EMPTY_PLAN: Plan = {
  collect: null,
  fuel: null,
  scope: { mode: 'all', subWalletIds: [] },
  rules: [],
  black: [],
  asked: [],
  isPaused: false,
  receivers: [],
  notice: { fuelDays: 7, failedTimes: 3, stuckMinutes: 60 },
  transfers: 1000,
  days: 90,
  orders: { sweep: null, fuel: null },
}

/** What people can do to a plan; the log says which it was. */
export type PlanAction =
  | 'sub_wallets'
  | 'run'
  | 'pause'
  | 'rules_set'
  | 'rules_removed'
  | 'rules_on'
  | 'rules_off'
  | 'scope'
  | 'imported'
  | 'black_added'
  | 'black_removed'
  | 'collect_now'
  | 'deposit'
  | 'merge'
  | 'cancelled'
  | 'notices'

/** `requesterId`: a person, or a machine of the policy. */
export type Change = { walletId: string; requesterId: RequesterId; action: PlanAction; remark?: string }

/** The plan of a wallet in its last version; version 0 where nobody set one. Throws `wallet_not_found`. */
export async function readPlan(tx: OrganisationTx, walletId: string): Promise<{ version: number; plan: Plan }> {
  const wallet = await tx
    .selectFrom('wallet')
    .leftJoin('collecting_plan as p', (join) => join.onRef('p.org_id', '=', 'wallet.org_id').onRef('p.wallet_id', '=', 'wallet.id'))
    .select(['p.version', 'p.document'])
    .where('wallet.org_id', '=', tx.orgId)
    .where('wallet.id', '=', walletId as never)
    .orderBy('p.version', (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst()
  if (!wallet) throw new AppError('wallet_not_found')
  return wallet.version === null ? { version: 0, plan: EMPTY_PLAN } : { version: wallet.version, plan: planShape.parse(wallet.document) }
}

/** Writes a plan's next version, and narrows the standing orders by it from the next look on. Two changes at once: one of them is done again. */
export async function changePlan(
  tx: OrganisationTx,
  { ports }: Pick<ServerContext, 'ports'>,
  { walletId, requesterId, action, remark = '' }: Change,
  next: (plan: Plan) => Plan,
): Promise<{ version: number; plan: Plan }> {
  const { version, plan: before } = await readPlan(tx, walletId)
  const { data: plan, error } = planShape.safeParse(next(before))
  if (!plan) {
    const field = String(error.issues[0]?.path[0] ?? '')
    throw new AppError('invalid_parameters', { details: { field, reason: 'it is more than a plan can hold: take something out first' } })
  }
  await demandNotByContract(tx, walletId, before, plan)
  const nowMs = ports.clock.nowMs()
  const { numInsertedOrUpdatedRows: written } = await tx
    .insertInto('collecting_plan')
    .values({
      org_id: tx.orgId,
      wallet_id: walletId,
      version: version + 1,
      document: JSON.stringify(plan),
      action,
      remark,
      changed_by: requesterId,
      changed_at: nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (written !== 1n) throw new AppError('state_changed')
  if (plan.orders.sweep !== null) await writeNarrowing(tx, plan.orders.sweep, sweepNarrowing(plan), nowMs)
  if (plan.orders.fuel !== null) await writeNarrowing(tx, plan.orders.fuel, fuelNarrowing(plan), nowMs)
  await announce(tx, ports, 'collecting.changed', { wallet_id: walletId })
  return { version: version + 1, plan }
}

/** Throws `collecting_by_contract` where a coin is switched on that a contract of the same wallet collects already: the earlier of the two goes on. */
async function demandNotByContract(tx: OrganisationTx, walletId: string, before: Plan, plan: Plan): Promise<void> {
  const isOn = ({ rules }: Plan, of: Pick<Rule, 'chain' | 'contract'>) =>
    rules.some((each) => each.isOn && each.chain === of.chain && each.contract === of.contract)
  const fresh = plan.rules.filter((rule) => rule.isOn && rule.contract !== '' && !isOn(before, rule))
  if (fresh.length === 0) return
  const taken = await tx
    .selectFrom('collection_token as token')
    .innerJoin('collection_config as config', (join) => join.onRef('config.org_id', '=', 'token.org_id').onRef('config.id', '=', 'token.config_id'))
    .select(['config.chain', 'token.contract'])
    .where('token.org_id', '=', tx.orgId)
    .where('config.wallet_id', '=', walletId)
    .where('config.deleted_at', 'is', null)
    .where('token.is_on', '=', true)
    .execute()
  const found = fresh.find((rule) => taken.some(({ chain, contract }) => chain === rule.chain && contract === rule.contract))
  if (found) throw new AppError(coSignerErrors.collecting_by_contract, { details: { symbol: found.symbol } })
}

const shared = ({ isPaused, scope, black }: Plan) => ({ isPaused, scope, never: black.map(({ chain, address }) => ({ chain, address })) })

/** What a plan lets the server collect. The sub-wallet that pays for fees is not emptied. */
export function sweepNarrowing(plan: Plan): Narrowing {
  const { rules, asked, fuel, scope } = plan
  const isKept = fuel !== null && scope.mode !== 'part'
  const kept = isKept
    ? { mode: 'except' as const, subWalletIds: [...new Set([...(scope.mode === 'except' ? scope.subWalletIds : []), fuel.subWalletId])] }
    : scope
  return {
    ...shared(plan),
    scope: fuel !== null && scope.mode === 'part' ? { ...scope, subWalletIds: scope.subWalletIds.filter((id) => id !== fuel.subWalletId) } : kept,
    asked,
    assets: rules.map((rule) => {
      const { chain, contract, isOn, collectMax, maxFee, maxFeeShare, schedule, raise } = rule
      return { chain, contract, isOn, ...leastNarrowed(plan, rule), atMost: collectMax, feeMax: maxFee, feeShare: maxFeeShare, schedule, raise }
    }),
  }
}

/** From how much on a coin is collected. A network's own coin stays where it is no more than what is sent for fees, which would only be sent again. */
function leastNarrowed(plan: Plan, { chain, contract, collectMin, singleMin }: Rule): { atLeast: string; single: string | null } {
  const fuel = contract === '' ? fuelledChains(plan).find((each) => each.chain === chain)?.limit : undefined
  const above = (amount: string) => (fuel === undefined || BigInt(amount) > fuel ? amount : String(fuel + 1n))
  return { atLeast: above(collectMin), single: singleMin === null ? null : above(singleMin) }
}

/** What a plan lets the server send for fees: to each address the most that a coin of its network allows; nothing where it names nobody who pays them. */
export function fuelNarrowing(plan: Plan): Narrowing {
  const chains = plan.fuel ? fuelledChains(plan) : []
  return {
    ...shared(plan),
    asked: [],
    assets: chains.map(({ chain, limit, maxFee, raise }) => ({
      ...{ chain, contract: '', isOn: true, atLeast: '0', single: null, atMost: String(limit) },
      ...{ feeMax: String(maxFee), feeShare: 10_000, schedule: '', raise },
    })),
  }
}

/** The networks on which tokens are collected whose addresses get coins for fees: the most of one transfer, and what it may cost. */
export function fuelledChains({ rules }: Plan): { chain: string; limit: bigint; maxFee: bigint; raise: Rule['raise'] }[] {
  const tokens = rules.filter(({ contract, isOn, fuelLimit }) => contract !== '' && isOn && fuelLimit !== null)
  return [...new Set(tokens.map(({ chain }) => chain))].map((chain) => {
    const own = tokens.filter((rule) => rule.chain === chain)
    const raise = own.find((rule) => rule.raise !== null)?.raise ?? null
    return { chain, limit: most(own.map(({ fuelLimit }) => BigInt(fuelLimit ?? 0))), maxFee: most(own.map(({ maxFee }) => BigInt(maxFee))), raise }
  })
}

/** The greatest of some amounts; zero of none. */
export const most = (amounts: readonly bigint[]): bigint => amounts.reduce((found, each) => (each > found ? each : found), 0n)

/** The same list with what one says of an address put in place of what was said before; `rule`: nothing is said. */
export function askedWith(
  asked: Plan['asked'],
  of: readonly { chain: string; contract: string; address: string }[],
  what: 'now' | 'leave' | 'rule',
): Plan['asked'] {
  const isOf = (each: Plan['asked'][number]) =>
    of.some(({ chain, contract, address }) => each.chain === chain && each.contract === contract && each.address === address)
  const kept = asked.filter((each) => !isOf(each))
  // The oldest wishes give way: what was asked for at once was looked at long ago.
  return (what === 'rule' ? kept : [...kept, ...of.map(({ chain, contract, address }) => ({ chain, contract, address, what }))]).slice(-1000)
}
