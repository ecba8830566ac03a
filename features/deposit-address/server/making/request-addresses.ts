import { addressesMaxOf } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import type { OrganisationTx, Schema } from '@holdfast/db'
import { recoveryOfKeys, recoveryOn } from '@holdfast/features/key/server'
import { networkErrors } from '@holdfast/features/network/errors'
import { type Networks, networksOfWallet } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { claimRequest, type RequestKey } from '@holdfast/http'
import { announce } from '@holdfast/jobs'
import type { Ports } from '@holdfast/ports'
import { newId, type RequesterId } from '@holdfast/units'
import { type Selectable, sql } from 'kysely'
import { depositAddressErrors } from '../../errors.ts'

/** An organisation has so many further addresses at most, on all its networks together. */
export const ADDRESSES_OF_ORGANISATION = 1_000_000
const LISTED_MAX = 20

export type AddressRequest = Selectable<Schema['address_request']>

type Asked = { key: RequestKey; requesterId: RequesterId; subWalletId: string; chain: string; count: number; label: string; addrType: number }

/**
 * Asks for further addresses of a sub-wallet, with the numbers that follow on those it has. The same request again returns the same one. Throws AppError if
 * the network or its coin is not the wallet's, deposits are closed, or there is no room for so many.
 */
export async function requestAddresses(
  tx: OrganisationTx,
  { networks, ports }: { networks: Networks; ports: Pick<Ports, 'clock' | 'random'> },
  asked: Asked,
): Promise<{ request: AddressRequest; fresh: boolean }> {
  const nowMs = ports.clock.nowMs()
  const id = newId(nowMs, ports.random)
  // The lock makes the numbers consecutive.
  const subWallet = await tx
    .selectFrom('sub_wallet')
    .select(['number', 'wallet_id'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', asked.subWalletId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!subWallet) throw new AppError('wallet_not_found')
  const { fresh, resultId } = await claimRequest(tx, { key: asked.key, kind: 'addresses', resultId: id, nowMs })
  if (!fresh) return { request: await readRequest(tx, resultId), fresh }
  const network = networks.find(asked.chain)
  const { policy } = await currentPolicy(tx)
  const isPinned = policy.assets.some(({ chain, contract }) => chain === asked.chain && contract === null)
  if (!network || !isPinned || !(await networksOfWallet(tx, networks, subWallet.wallet_id)).includes(network))
    throw new AppError(networkErrors.unsupported_coin)
  if (!recoveryOn(asked.chain, await recoveryOfKeys(tx, subWallet.wallet_id, nowMs)).depositsOpen) throw new AppError(depositAddressErrors.deposits_closed)
  const first = await nextNumber(tx, asked)
  const left = Math.max(0, Math.min(addressesMaxOf(subWallet.number) - first, ADDRESSES_OF_ORGANISATION - (await countRequested(tx))))
  if (asked.count > left) throw new AppError(depositAddressErrors.too_many_addresses, { details: { left: String(left) } })
  const request = await tx
    .insertInto('address_request')
    .values({
      org_id: tx.orgId,
      id,
      sub_wallet_id: asked.subWalletId,
      chain: asked.chain,
      first,
      count: asked.count,
      addr_type: asked.addrType,
      made: 0,
      label: asked.label === '' ? null : asked.label,
      requested_by: asked.requesterId,
      created_at: nowMs,
      updated_at: nowMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await announce(tx, ports, 'wallet.changed', { wallet_id: subWallet.wallet_id })
  return { request, fresh }
}

/** What was asked for in a sub-wallet, the newest first, and of each network of its addresses how many more it may have. */
export async function listRequests(tx: OrganisationTx, subWalletId: string): Promise<{ list: AddressRequest[]; left: { chain: string; left: number }[] }> {
  const [list, used, all] = await Promise.all([
    tx
      .selectFrom('address_request')
      .selectAll()
      .where('org_id', '=', tx.orgId)
      .where('sub_wallet_id', '=', subWalletId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(LISTED_MAX)
      .execute(),
    sql<{ chain: string; number: number; next: number }>`
      select address.chain, sub_wallet.number, coalesce((select max(r.first + r.count) from address_request r
          where r.org_id = address.org_id and r.sub_wallet_id = address.sub_wallet_id and r.chain = address.chain), 1) as next
        from address join sub_wallet on sub_wallet.org_id = address.org_id and sub_wallet.id = address.sub_wallet_id
        where address.org_id = ${tx.orgId} and address.sub_wallet_id = ${subWalletId} and address.number = 0`.execute(tx),
    countRequested(tx),
  ])
  const ofOrganisation = Math.max(0, ADDRESSES_OF_ORGANISATION - all)
  return { list, left: used.rows.map(({ chain, number, next }) => ({ chain, left: Math.max(0, Math.min(addressesMaxOf(number) - next, ofOrganisation)) })) }
}

async function readRequest(tx: OrganisationTx, id: string): Promise<AddressRequest> {
  return tx.selectFrom('address_request').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirstOrThrow()
}

async function nextNumber(tx: OrganisationTx, { subWalletId, chain }: Pick<Asked, 'subWalletId' | 'chain'>): Promise<number> {
  const last = await tx
    .selectFrom('address_request')
    .select(['first', 'count'])
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', subWalletId)
    .where('chain', '=', chain)
    .orderBy('first', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ? last.first + last.count : 1
}

async function countRequested(tx: OrganisationTx): Promise<number> {
  const { sum } = await tx
    .selectFrom('address_request')
    .select((row) => row.fn.sum<bigint | null>('count').as('sum'))
    .where('org_id', '=', tx.orgId)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}
