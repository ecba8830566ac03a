import { SUB_WALLETS_MAX } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { claimRequest, type RequestKey } from '@holdfast/http'
import { PROTOCOL } from '@holdfast/mpc'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { announce } from '@holdfast/jobs'
import { insertKey, readWalletKeys } from '@holdfast/features/key/server'
import { walletErrors } from '../errors.ts'
import { refuseNameOfSubWallet, refuseNameOfWallet } from './refuse-name.ts'

/** Name of the sub-wallet every wallet begins with. */
const FIRST_SUB_WALLET = 'Main'

type Caller = { personId: string; ports: Pick<Ports, 'clock' | 'random'> }

/** Creates a wallet whose keys follow later. The same request again returns the same wallet; another one under its id is refused. */
export async function createWallet(
  tx: OrganisationTx,
  caller: Caller,
  /** It gets a key of each of `protocols`; if absent an ECDSA key alone, with which most chains sign. */
  input: { key: RequestKey; name: string; protocols?: readonly string[] },
): Promise<{ walletId: string; fresh: boolean }> {
  const nowMs = caller.ports.clock.nowMs()
  const id = newId(nowMs, caller.ports.random)
  const { protocols = [PROTOCOL] } = input
  const { fresh, resultId } = await claimRequest(tx, { key: input.key, kind: 'wallet', resultId: id, nowMs })
  if (!fresh) return { walletId: resultId, fresh }
  await refuseNameOfWallet(tx, input.name)
  await tx
    .insertInto('wallet')
    .values({
      org_id: tx.orgId,
      id,
      name: input.name,
      alias: null,
      state: 'creating',
      request_id: input.key.id,
      created_by: caller.personId,
      created_at: nowMs,
      updated_at: nowMs,
    })
    .execute()
  for (const protocol of protocols) await insertKey(tx, caller.ports, { walletId: id, protocol, generations: 0 })
  await tx
    .insertInto('sub_wallet')
    .values({
      org_id: tx.orgId,
      id: newId(nowMs, caller.ports.random),
      wallet_id: id,
      number: 0,
      name: FIRST_SUB_WALLET,
      hidden: false,
      created_at: nowMs,
    })
    .execute()
  await announce(tx, caller.ports, 'wallet.changed', { wallet_id: id })
  return { walletId: id, fresh }
}

/** Adds a sub-wallet; its addresses follow once the signers have attested them. */
export async function createSubWallet(
  tx: OrganisationTx,
  caller: Pick<Caller, 'ports'>,
  input: { key: RequestKey; walletId: string; name: string },
): Promise<{ subWalletId: string; fresh: boolean }> {
  const nowMs = caller.ports.clock.nowMs()
  // The lock on the wallet makes the numbers of its sub-wallets consecutive.
  const wallet = await tx
    .selectFrom('wallet')
    .select(['id', 'state'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', input.walletId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!wallet) throw new AppError('wallet_not_found')
  if ((await readWalletKeys(tx, wallet.id)).every(({ retiredAtMs }) => retiredAtMs !== null)) throw new AppError(walletErrors.wallet_retired)
  if (wallet.state === 'failed') throw new AppError('state_changed')
  const id = newId(nowMs, caller.ports.random)
  const { fresh, resultId } = await claimRequest(tx, { key: input.key, kind: 'sub_wallet', resultId: id, nowMs })
  if (!fresh) return { subWalletId: resultId, fresh }
  await refuseNameOfSubWallet(tx, input.walletId, input.name)
  const last = await tx
    .selectFrom('sub_wallet')
    .select((row) => row.fn.max('number').as('number'))
    .where('org_id', '=', tx.orgId)
    .where('wallet_id', '=', input.walletId)
    .executeTakeFirst()
  const number = (last?.number ?? -1) + 1
  // Signers attest no address beyond, and sign for none.
  if (number >= SUB_WALLETS_MAX) throw new AppError(walletErrors.too_many_sub_wallets)
  await tx
    .insertInto('sub_wallet')
    .values({
      org_id: tx.orgId,
      id,
      wallet_id: input.walletId,
      number,
      name: input.name,
      hidden: false,
      created_at: nowMs,
    })
    .execute()
  await announce(tx, caller.ports, 'wallet.changed', { wallet_id: input.walletId })
  return { subWalletId: id, fresh }
}
