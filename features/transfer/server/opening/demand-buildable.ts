import { type AskedBeyond, type BuildObstacle, BuildError, ChainError, type TransferOrder } from '@holdfast/chain-core'
import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { type Network, ownCoin } from '@holdfast/features/network/server'
import type { OrganisationId } from '@holdfast/units'
import { transferErrors } from '../../errors.ts'
import { lockedCoins, locksOf } from '../slot/locked-coins.ts'
import { obstacleOf, obstacleText } from '../order/obstacle.ts'

type Wanted = AskedBeyond & Omit<TransferOrder, keyof AskedBeyond | 'slot' | 'lockedOutpoints' | 'replaces'>
type Asked = { orgId: OrganisationId; network: Network; language: Language }

/** What time may mend: coins come back as change of orders in progress, or once it is certain that they carry nothing. */
const MAY_PASS: readonly BuildObstacle['kind'][] = ['coins_missing', 'coins_small', 'proofs_large']

/**
 * Builds the bytes of an order that nobody has requested yet, and discards them: an order that cannot be built is refused on request, not after people
 * have approved it. Leases no slot and takes no coin. Throws `build_failed` with the true reason, in the requester's language.
 */
export async function demandBuildable({ db }: Pick<ServerContext, 'db'>, { orgId, network, language }: Asked, wanted: Wanted): Promise<void> {
  const act = <T>(of: (tx: OrganisationTx) => Promise<T>) => db.asOrganisation(orgId, of)
  const payer = { chain: network.chain, address_from: wanted.from, id: null, inscribes: wanted.inscribes !== undefined }
  try {
    const lockedOutpoints = await lockedCoins(act, network, payer)
    // Bytes of any slot cost the same.
    await network.node.prepare({ ...wanted, slot: 0n, lockedOutpoints: lockedOutpoints.filter((outpoint) => !wanted.coins?.includes(outpoint)) })
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    if (cause instanceof BuildError && MAY_PASS.includes(cause.obstacle.kind) && (await act((tx) => waitsForCoins(tx, payer)))) return
    // The catalogue ends the sentence.
    const reason = obstacleText(obstacleOf(cause), ownCoin(network), language).replace(/[.。]$/, '')
    throw new AppError(transferErrors.build_failed, { cause, details: { reason } })
  }
}

/** Whether coins of an address are bound by orders that are not final, or kept until it is known what they carry. */
async function waitsForCoins(tx: OrganisationTx, { chain, address_from: address }: { chain: string; address_from: string }): Promise<boolean> {
  const open = await tx
    .selectFrom('transfer_order')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address_from', '=', address)
    .where('is_final', '=', false)
    .limit(1)
    .executeTakeFirst()
  return open !== undefined || (await locksOf(tx, { chain, address })).unchecked.size > 0
}
