import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { coSignerStatus } from '@holdfast/features/machine-link/server'
import { networksOfWallet } from '@holdfast/features/network/server'
import type { ServerServices } from '@holdfast/features/server-feature'
import { namedSubWallets, readNamedSubWallets } from '@holdfast/features/wallet/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { formatAmount, known } from '@holdfast/units'
import * as contract from '../contract.ts'
import { coSignerErrors } from '../errors.ts'
import { readGas } from './gas.ts'
import { missingOf, proposeOrders, standingsOf, unapprovedOf } from './orders.ts'
import { changePlan, fuelledChains, type Plan, readPlan } from './plan.ts'

const WORDS: Record<Language, Record<ReturnType<typeof missingOf>[number], string>> = {
  en_US: {
    collect_wallet: 'no sub-wallet collects',
    scope: 'no sub-wallet is chosen to collect from',
    coin_rules: 'no coin has a rule that is switched on',
    fuel_wallet: 'tokens are collected, and no sub-wallet pays for fees',
  },
  zh_CN: {
    collect_wallet: '未设置归集子钱包',
    scope: '未选择归集范围',
    coin_rules: '没有已开启的币种规则',
    fuel_wallet: '需要归集代币，但未设置手续费子钱包',
  },
}

/** Setting up how a wallet is collected, having it run, and pausing it. */
export function setupEndpoints(context: ServerContext, { session, signersOf }: Pick<ServerServices, 'session' | 'signersOf'>): HandledEndpoint[] {
  const { db, networks, ports, coSigners } = context
  return [
    handle(contract.getCollecting, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan } = await readPlan(tx, wallet_id)
        const standings = await standingsOf(tx, context, plan)
        const missing = missingOf(plan)
        const [names, unapproved, signers, look, coSignersNow] = await Promise.all([
          readNamedSubWallets(
            tx,
            [plan.collect, plan.fuel].flatMap((place) => (place ? [place.subWalletId] : [])),
          ),
          missing.length > 0 ? { sweep: [], fuel: [] } : unapprovedOf(tx, context, wallet_id, plan, standings),
          signersOf(tx),
          lookOf(tx, plan.orders.sweep),
          coSignerStatus(context, tx),
        ])
        const placeOf = (place: Plan['collect']) => (place === null ? null : (names.get(place.subWalletId) ?? null))
        const { inForce, isStopped, isOver } = standings.sweep
        const pending = (['sweep', 'fuel'] as const).flatMap((kind) => {
          const { waiting } = standings[kind]
          return waiting ? [{ ...waiting, kind }] : []
        })
        const online = coSigners.online()
        const steps = progressOf(plan, inForce !== undefined && !isStopped && !isOver)
        return {
          progress: Math.floor((steps.filter(({ ok }) => ok).length * 100) / steps.length),
          collect: placeOf(plan.collect),
          fuel: placeOf(plan.fuel),
          scope: plan.scope.mode,
          rules: plan.rules.length,
          status: isStopped ? 'stopped' : !inForce || isOver ? (pending.length > 0 ? 'pending' : 'off') : plan.isPaused ? 'paused' : 'running',
          transfers: plan.transfers,
          days: plan.days,
          until: inForce ? Number(inForce.intent.untilMs) : null,
          unapproved: [...unapproved.sweep, ...unapproved.fuel],
          pending,
          looked_at: look,
          black: plan.black.length,
          signers: { online: signers.filter(({ party }) => online.includes(Number(party))).length, total: signers.length },
          co_signers: coSignersNow.map(({ name, online: isOnline, version, lastSeen }) => ({ name, online: isOnline, version, last_seen: lastSeen })),
        }
      }),
    ),
    handle(
      contract.getCollectingSubWallets,
      ({ orgId }, { wallet_id }) =>
        db.asOrganisation(orgId, async (tx) => {
          const { collect, fuel } = (await readPlan(tx, wallet_id)).plan
          return { collect_sub_wallet_id: collect?.subWalletId ?? null, fueling_sub_wallet_id: fuel?.subWalletId ?? null }
        }),
      'machines too',
    ),
    handle(contract.saveCollectingSubWallets, ({ orgId, personId }, { wallet_id, collect_sub_wallet_id, fueling_sub_wallet_id, google_code }) =>
      db.asOrganisation(orgId, async (tx) => {
        if (collect_sub_wallet_id === fueling_sub_wallet_id) throw new AppError(coSignerErrors.collecting_same_sub_wallet)
        const names = await readNamedSubWallets(tx, [collect_sub_wallet_id, ...(fueling_sub_wallet_id ? [fueling_sub_wallet_id] : [])])
        const placeOf = (id: string) => {
          const found = names.get(id)
          if (!found) throw new AppError('wallet_not_found')
          return { walletId: found.wallet_id, subWalletId: id }
        }
        const places = { collect: placeOf(collect_sub_wallet_id), fuel: fueling_sub_wallet_id ? placeOf(fueling_sub_wallet_id) : null }
        await readPlan(tx, wallet_id)
        await session.demandSecondFactorWhereSet(tx, personId, google_code)
        const { version } = await changePlan(tx, context, { walletId: wallet_id, requesterId: personId, action: 'sub_wallets' }, (plan) => ({
          ...plan,
          ...places,
        }))
        return { version }
      }),
    ),
    handle(contract.setCollectingStatus, ({ orgId, personId, language }, { wallet_id, status, transfers, days, remark, google_code }) =>
      db.asOrganisation(orgId, async (tx) => {
        const change = { walletId: wallet_id, requesterId: personId, action: status, remark }
        if (status === 'pause') {
          // Whoever pauses is asked for nothing: it can only stop money.
          await changePlan(tx, context, change, (plan) => ({ ...plan, isPaused: true }))
          return { pending: [] }
        }
        const { plan: before } = await readPlan(tx, wallet_id)
        const plan = { ...before, isPaused: false, transfers: Number(transfers ?? before.transfers), days: Number(days ?? before.days) }
        const missing = missingOf(plan)
        if (missing.length > 0) {
          throw new AppError(coSignerErrors.collecting_incomplete, { details: { missing: missing.map((each) => WORDS[language][each]).join('; ') } })
        }
        let isAsked = false
        const demandSecondFactor = async () => {
          // One code is good for one call: both standing orders are asked for with it.
          if (!isAsked) await session.demandSecondFactorWhereSet(tx, personId, google_code)
          isAsked = true
        }
        await demandSecondFactor()
        const { orders, pending } = await proposeOrders(tx, context, wallet_id, plan, { personId, language, remark, demandSecondFactor })
        // What others set meanwhile stays as they set it; what of it is not approved, the page says.
        await changePlan(tx, context, change, (now) => ({ ...now, isPaused: false, transfers: plan.transfers, days: plan.days, orders }))
        return { pending }
      }),
    ),
    handle(contract.checkCollecting, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan } = await readPlan(tx, wallet_id)
        const { inForce, isStopped, isOver } = (await standingsOf(tx, context, plan)).sweep
        const signers = await signersOf(tx)
        const online = coSigners.online()
        const enough = signers.filter(({ party }) => online.includes(Number(party))).length >= 2
        return { items: [{ key: 'signers' as const, ok: enough }, ...progressOf(plan, inForce !== undefined && !isStopped && !isOver)] }
      }),
    ),
    handle(contract.listCollectingChains, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan } = await readPlan(tx, wallet_id)
        const [offered, gas] = await Promise.all([networksOfWallet(tx, networks, wallet_id), readGas(tx, plan, ports.clock.nowMs())])
        const fuelled = new Set(fuelledChains(plan).map(({ chain }) => chain))
        return {
          list: offered.map(({ chain, name, family }) => {
            const coin = known(networks.byContract(chain, ''), `the coin of ${chain}`)
            const { balance = 0n, daysLeft } = gas.get(chain) ?? {}
            return {
              ...{ chain, network: name, symbol: coin.symbol, coin_type: family },
              open: plan.rules.some((rule) => rule.chain === chain && rule.isOn),
              needs_fuel: fuelled.has(chain),
              gas_balance: plan.fuel ? formatAmount(balance, coin.decimals) : null,
              gas_days_left: plan.fuel ? (daysLeft ?? null) : null,
            }
          }),
        }
      }),
    ),
    handle(contract.getCollectingScope, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { mode, subWalletIds } = (await readPlan(tx, wallet_id)).plan.scope
        return { mode, sub_wallet_ids: subWalletIds }
      }),
    ),
    handle(contract.saveCollectingScope, ({ orgId, personId }, { wallet_id, mode, sub_wallet_ids }) =>
      db.asOrganisation(orgId, async (tx) => {
        const subWalletIds = mode === 'all' ? [] : await demandOf(tx, wallet_id, sub_wallet_ids ?? [])
        await changePlan(tx, context, { walletId: wallet_id, requesterId: personId, action: 'scope' }, (plan) => ({ ...plan, scope: { mode, subWalletIds } }))
        return {}
      }),
    ),
    handle(contract.listCollectingScope, ({ orgId }, { wallet_id, keyword = '', page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { scope, fuel } = (await readPlan(tx, wallet_id)).plan
        const rows = await namedSubWallets(tx)
          .where('sub_wallet.wallet_id', '=', wallet_id as never)
          .orderBy('sub_wallet.number')
          .execute()
        const found = rows.filter(({ sub_wallet_name: name }) => name.toLowerCase().includes(keyword.toLowerCase()))
        const list = found.slice((page_no - 1) * page_size, page_no * page_size).map(({ sub_wallet_id, sub_wallet_name }) => ({
          ...{ sub_wallet_id, sub_wallet_name },
          included: sub_wallet_id !== fuel?.subWalletId && (scope.mode === 'all' || scope.subWalletIds.includes(sub_wallet_id) === (scope.mode === 'part')),
        }))
        return { pageTotal: found.length, has_more: page_no * page_size < found.length, list }
      }),
    ),
    handle(contract.operateCollectingScope, ({ orgId, personId }, { wallet_id, sub_wallet_ids, op }) =>
      db.asOrganisation(orgId, async (tx) => {
        const ids = await demandOf(tx, wallet_id, sub_wallet_ids)
        await changePlan(tx, context, { walletId: wallet_id, requesterId: personId, action: 'scope' }, (plan) => ({
          ...plan,
          scope: scopeWith(plan.scope, ids, op),
        }))
        return {}
      }),
    ),
  ]
}

const progressOf = (plan: Plan, isApproved: boolean) => {
  const missing = missingOf(plan)
  const keys = ['collect_wallet', 'fuel_wallet', 'scope', 'coin_rules'] as const
  return [...keys.map((key) => ({ key, ok: !missing.includes(key) })), { key: 'approval' as const, ok: isApproved }]
}

/** A scope with sub-wallets taken in or out; all becomes all except those. */
export function scopeWith({ mode, subWalletIds }: Plan['scope'], ids: readonly string[], op: 'include' | 'exclude'): Plan['scope'] {
  const isListed = mode === 'part' ? op === 'include' : op === 'exclude'
  const rest = subWalletIds.filter((id) => !ids.includes(id))
  const listed = isListed ? [...rest, ...ids] : rest
  if (mode === 'part') return { mode, subWalletIds: listed }
  return listed.length === 0 ? { mode: 'all', subWalletIds: [] } : { mode: 'except', subWalletIds: listed }
}

/** Those ids, if they are sub-wallets of the wallet. Throws `wallet_not_found`. */
async function demandOf(tx: OrganisationTx, walletId: string, ids: readonly string[]): Promise<string[]> {
  const distinct = [...new Set(ids)]
  const names = await readNamedSubWallets(tx, distinct)
  if (distinct.some((id) => names.get(id)?.wallet_id !== walletId)) throw new AppError('wallet_not_found')
  return distinct
}

/** When a standing order was last looked at. */
export async function lookOf(tx: OrganisationTx, standingOrderId: string | null): Promise<number | null> {
  if (standingOrderId === null) return null
  const row = await tx
    .selectFrom('standing_look')
    .select('looked_at')
    .where('org_id', '=', tx.orgId)
    .where('standing_order_id', '=', standingOrderId)
    .executeTakeFirst()
  return row ? Number(row.looked_at) : null
}
