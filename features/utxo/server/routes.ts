import { AppError } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { type Order, outputOf, statusOf } from '@holdfast/features/transfer/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { formatAmount, type OrganisationId } from '@holdfast/units'
import * as contract from '../contract.ts'
import { availableOf, CONSOLIDATE_HINT, consolidateCoins, planConsolidation } from './consolidate.ts'
import { listInscriptions } from './list-inscriptions.ts'
import { listTokens } from './list-tokens.ts'
import { lockCoin, unlockCoin } from './lock-coin.ts'
import { coinNetwork, dustThreshold, KEPT, readCoins, type StatedCoin } from './read-coins.ts'

/** The coins of networks that have them, what keeps each from being spent, and what lies on them. */
export function utxoEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db } = context
  const found = async (orgId: OrganisationId, place: { sub_wallet_id: string; chain: string; txid: string; vout: number }) => {
    const { network } = coinNetwork(context, place.chain)
    const outpoint = `${place.txid}:${place.vout}`
    const { payer, coins } = await readCoins(context, orgId, { network, subWalletId: place.sub_wallet_id })
    if (!coins.some((each) => each.outpoint === outpoint)) throw new AppError(transferErrors.coin_unavailable, { details: { coin: outpoint } })
    return { network, address: payer.address, outpoint }
  }
  return [
    handle(contract.listCoins, async ({ orgId }, asked) => {
      const { network, coin } = coinNetwork(context, asked.chain)
      const { coins } = await readCoins(context, orgId, { network, subWalletId: asked.sub_wallet_id })
      const wanted = coins.filter(({ state }) => asked.state === undefined || asked.state === state)
      const shown = wanted.slice((asked.page_no - 1) * asked.page_size, asked.page_no * asked.page_size)
      const names = await db.asOrganisation(orgId, async (tx) => {
        const people = await tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).execute()
        return new Map(people.map(({ id, name }) => [id, name]))
      })
      return { pageTotal: wanted.length, symbol: coin.symbol, list: shown.map((each) => coinView(each, coin.decimals, names)) }
    }),
    handle(contract.getCoinSettings, async ({ orgId }, { sub_wallet_id, chain }) => {
      const place = coinNetwork(context, chain)
      const { network, coin } = place
      const { payer, coins } = await readCoins(context, orgId, { network, subWalletId: sub_wallet_id })
      const available = await db.asOrganisation(orgId, (tx) => availableOf(tx, place, sub_wallet_id))
      const plan = await planConsolidation(network, { address: payer.address, coins, available })
      const shown = (amount: bigint) => formatAmount(amount, coin.decimals)
      const total = (...states: readonly StatedCoin['state'][]) =>
        shown(coins.reduce((sum, each) => (states.includes(each.state) ? sum + each.amount : sum), 0n))
      return {
        symbol: coin.symbol,
        address: payer.address,
        count: coins.length,
        dust_threshold: shown(dustThreshold(network, payer.address)),
        consolidate_hint: CONSOLIDATE_HINT,
        frozen: coins.flatMap(({ outpoint, amount, lock }) => (lock ? [{ ...splitOutpoint(outpoint), amount: shown(amount), reason: lock.reason }] : [])),
        inscriptions_locked: coins.filter(({ inscriptionIds }) => inscriptionIds.length > 0).length,
        change_address: payer.address,
        totals: {
          all: shown(coins.reduce((sum, { amount }) => sum + amount, 0n)),
          free: total('free', 'dust'),
          kept: total(...KEPT),
          under_way: total('order', 'immature'),
        },
        consolidation: plan ? { coins: plan.outpoints.length, amount: shown(plan.amount), fee: shown(plan.fee) } : null,
      }
    }),
    handle(contract.lockCoin, async ({ orgId, personId }, input) => {
      const place = await found(orgId, input)
      await db.asOrganisation(orgId, (tx) => lockCoin(tx, context, { ...place, reason: input.reason.trim(), personId }))
      return {}
    }),
    handle(contract.unlockCoin, async ({ orgId, personId }, input) => {
      const place = await found(orgId, input)
      await db.asOrganisation(orgId, (tx) => unlockCoin(tx, context, { ...place, reason: input.reason.trim(), personId }))
      return {}
    }),
    handle(contract.consolidateCoins, async (caller, input) => askedOrder(context, await consolidateCoins(context, caller, input))),
    handle(contract.listTokens, ({ orgId }, asked) => listTokens(context, orgId, asked)),
    handle(contract.listInscriptions, ({ orgId }, asked) => listInscriptions(context, orgId, asked)),
  ]
}

function splitOutpoint(outpoint: string): { txid: string; vout: number } {
  const { txid, index } = outputOf(outpoint)
  return { txid, vout: index }
}

function coinView({ outpoint, amount, height, state, lock, orderId, inscriptionIds }: StatedCoin, decimals: number, names: ReadonlyMap<string, string>) {
  return {
    ...splitOutpoint(outpoint),
    amount: formatAmount(amount, decimals),
    height: height === null ? null : String(height),
    state,
    lock: lock && { reason: lock.reason, by: names.get(lock.lockedBy) ?? '', at: lock.lockedAtMs },
    order_id: orderId,
    inscription_ids: inscriptionIds,
  }
}

function askedOrder(context: ServerContext, { order, fresh }: { order: Order; fresh: boolean }) {
  const { row, state } = order
  return {
    withdraw_id: row.id,
    status: statusOf(state),
    sub_status: row.sub_status ?? '',
    intent_hash: toHex(row.intent_hash),
    approval_url: approvalUrl(context, row.intent_hash),
    idempotent: !fresh,
  }
}
