import { AppError, type InputOf } from '@holdfast/contract'
import type { OrganisationTx, Schema } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { networksOfWallet, ownCoin } from '@holdfast/features/network/server'
import { readNamedSubWallets } from '@holdfast/features/wallet/server'
import { amountOf } from '@holdfast/http'
import { announce } from '@holdfast/jobs'
import { newId, type PersonId } from '@holdfast/units'
import { type Selectable, sql } from 'kysely'
import type { saveCollector } from '../contract.ts'
import { collectionErrors } from '../errors.ts'
import { contractBy } from './contract-by.ts'

export type Config = Selectable<Schema['collection_config']>
export type Token = Selectable<Schema['collection_token']>
type Needs = Pick<ServerContext, 'networks' | 'ports'>

/** The collectors of an organisation that nobody has taken out, the newest first. */
export const configs = (tx: OrganisationTx) =>
  tx.selectFrom('collection_config').selectAll().where('org_id', '=', tx.orgId).where('deleted_at', 'is', null).orderBy('created_at', 'desc').orderBy('id')

/** One collector. Throws `resource_not_found`. */
export async function readConfig(tx: OrganisationTx, id: string): Promise<Config> {
  const found = await configs(tx).where('id', '=', id).executeTakeFirst()
  if (!found) throw new AppError('resource_not_found')
  return found
}

/** What collectors take, by collector and token. */
export const readTokens = (tx: OrganisationTx, configIds: readonly string[]): Promise<Token[]> =>
  tx
    .selectFrom('collection_token')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where(sql<boolean>`config_id = any(${[...configIds]}::uuid[])`)
    .orderBy('created_at')
    .orderBy('contract')
    .execute()

/** Changes a collector, and tells open pages. */
export async function changeConfig(
  tx: OrganisationTx,
  { ports }: Pick<Needs, 'ports'>,
  { id, wallet_id: walletId, updated_at: before }: Pick<Config, 'id' | 'wallet_id' | 'updated_at'>,
  set: Partial<Omit<Config, 'org_id' | 'id' | 'wallet_id' | 'chain' | 'created_by' | 'created_at'>>,
): Promise<void> {
  await tx
    .updateTable('collection_config')
    .set({ ...set, updated_at: Math.max(ports.clock.nowMs(), Number(before)) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .execute()
  await announce(tx, ports, 'collecting.changed', { wallet_id: walletId })
}

/** Writes a draft, new or changed. Throws AppError where it cannot be what it says. */
export async function writeConfig(tx: OrganisationTx, needs: Needs, given: InputOf<typeof saveCollector>, personId: PersonId): Promise<Config> {
  const { networks, ports } = needs
  const before = given.id === undefined ? undefined : await readConfig(tx, given.id)
  const network = (await networksOfWallet(tx, networks, given.wallet_id)).find(({ chain }) => chain === given.chain)
  if (!network) throw new AppError(networkErrors.unsupported_coin)
  if (network.family !== 'evm' || !network.node.contracts) throw new AppError(collectionErrors.collector_not_evm)
  if (given.way === 'delegation' && !network.node.contracts.delegateOf) throw new AppError(collectionErrors.collector_no_delegation)
  const target = await firstAddress(tx, given.target_sub_wallet_id, given.chain)
  await firstAddress(tx, given.payer_sub_wallet_id, given.chain)
  const isElsewhere = before !== undefined && (before.target_address !== target || before.chain !== given.chain || before.wallet_id !== given.wallet_id)
  if (before?.collect_order_id && (isElsewhere || before.way !== given.way)) throw new AppError(collectionErrors.collector_fixed)
  const twin = await configs(tx)
    .where('wallet_id', '=', given.wallet_id)
    .where('chain', '=', given.chain)
    .where('target_address', '=', target)
    .where('id', '<>', before?.id ?? '00000000-0000-0000-0000-000000000000')
    .executeTakeFirst()
  if (twin) throw new AppError(collectionErrors.collector_duplicate)
  const set = {
    ...{ name: given.name, target_sub_wallet_id: given.target_sub_wallet_id, payer_sub_wallet_id: given.payer_sub_wallet_id },
    ...{ way: given.way, target_address: target, contract_address: contractBy(given).addressOf(target) },
    ...{ fee_max: amountOf(given.fee_max, ownCoin(network)), transactions: given.transactions, days: given.days },
  }
  if (before && before.chain === given.chain && before.wallet_id === given.wallet_id) {
    await changeConfig(tx, needs, before, set)
    return { ...before, ...set }
  }
  if (before) throw new AppError(collectionErrors.collector_fixed)
  const nowMs = ports.clock.nowMs()
  const made = await tx
    .insertInto('collection_config')
    .values({
      ...{ org_id: tx.orgId, id: newId(nowMs, ports.random), wallet_id: given.wallet_id, chain: given.chain, ...set },
      ...{ collect_order_id: null, allow_order_id: null, fuel_order_id: null, publish_txid: null, created_by: personId, created_at: nowMs, updated_at: nowMs },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await announce(tx, ports, 'collecting.changed', { wallet_id: given.wallet_id })
  return made
}

/** The first address of a sub-wallet on a network. Throws `wallet_not_found` where there is none. */
async function firstAddress(tx: OrganisationTx, subWalletId: string, chain: string): Promise<string> {
  if (!(await readNamedSubWallets(tx, [subWalletId])).has(subWalletId)) throw new AppError('wallet_not_found')
  const row = await tx
    .selectFrom('address')
    .select('address')
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', subWalletId as never)
    .where('chain', '=', chain)
    .where('number', '=', 0)
    .executeTakeFirst()
  if (!row) throw new AppError('wallet_not_found')
  return row.address
}

/**
 * The tokens of a collector that the consolidation of the co-signer collects too, and did before: then that goes on, and the collector takes none of them. Each
 * plan is a document with versions, so it was there before where its oldest version since the last one without the coin is older.
 */
export async function conflictsOf(tx: OrganisationTx, config: Pick<Config, 'wallet_id' | 'chain'>, tokens: readonly Token[]): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('collecting_plan')
    .select(['version', 'document', 'changed_at'])
    .where('org_id', '=', tx.orgId)
    .where('wallet_id', '=', config.wallet_id)
    .orderBy('version', 'desc')
    .limit(1000)
    .execute()
  const sinceOf = (contract: string): bigint | undefined => {
    const first = rows.findIndex(({ document }) => !collects(document, config.chain, contract))
    const since = first === -1 ? rows.at(-1) : rows[first - 1]
    return since && BigInt(since.changed_at)
  }
  return new Set(
    tokens
      .filter(({ contract, created_at: at }) => {
        const since = sinceOf(contract)
        return since !== undefined && since <= BigInt(at)
      })
      .map(({ contract }) => contract),
  )
}

/** Whether a plan of the co-signer's consolidation collects a token. */
function collects(document: unknown, chain: string, contract: string): boolean {
  const { rules } = document as { rules: { chain: string; contract: string; isOn: boolean }[] }
  return rules.some((rule) => rule.chain === chain && rule.contract === contract && rule.isOn)
}
