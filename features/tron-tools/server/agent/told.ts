import type { OrganisationTx } from '@holdfast/db'
import { resourceErrors } from '@holdfast/features/resource/errors'
import type { SubWalletId } from '@holdfast/units'
import type { LoanReason } from './choose-loan.ts'
import { LOST_RENT, type RentReason } from './choose-rent.ts'
import type { Supply } from './supplies.ts'

/** What people were told of energy for one payment: why it waited, or that rented energy did not come. `needs`: what it still wants of somebody, if anything. */
export type ToldOfEnergy = {
  supply: Supply
  walletId: string
  subWalletId: SubWalletId
  reason: string
  atMs: number
  needs: 'waiting' | 'stopped' | 'not_delivered' | null
}

/** What people were told of payments that wanted energy since a time, the newest first; of one loan (`id`) whenever and whatever for it was. */
export async function toldOfEnergy(tx: OrganisationTx, which: { sinceMs: number; most: number } | { id: string }): Promise<ToldOfEnergy[]> {
  const told = tx
    .selectFrom('tron_supply')
    .innerJoin('address', (join) =>
      join
        .onRef('address.org_id', '=', 'tron_supply.org_id')
        .onRef('address.chain', '=', 'tron_supply.chain')
        .onRef('address.address', '=', 'tron_supply.address'),
    )
    .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'address.org_id').onRef('sub_wallet.id', '=', 'address.sub_wallet_id'))
    .selectAll('tron_supply')
    .select(['address.sub_wallet_id', 'sub_wallet.wallet_id'])
    .where('tron_supply.org_id', '=', tx.orgId)
    .where('told_at', 'is not', null)
  const rows =
    'id' in which
      ? await told.where('tron_supply.id', '=', which.id).execute()
      : await told.where('order_id', 'is not', null).where('told_at', '>=', BigInt(which.sinceMs)).orderBy('told_at', 'desc').limit(which.most).execute()
  return rows.map(({ sub_wallet_id: subWalletId, wallet_id: walletId, ...supply }) => {
    const reason = supply.told_reason ?? ''
    return { supply, walletId, subWalletId, reason, atMs: Number(supply.told_at), needs: needsOf(supply.state, reason) }
  })
}

function needsOf(state: Supply['state'], reason: string): ToldOfEnergy['needs'] {
  if (reason === LOST_RENT && state !== 'over') return 'not_delivered'
  return state === 'waiting' || state === 'stopped' ? state : null
}

const NO_DATA: readonly string[] = ['no_lender', 'no_stake', 'no_standing_order', 'rent_no_market', 'rent_no_payer', 'rent_no_order'] satisfies (
  | LoanReason
  | RentReason
)[]
const NO_FEE: readonly string[] = ['no_fee_coins', 'rent_no_coins'] satisfies (LoanReason | RentReason)[]

/** The code with which a call would refuse for the same reason; null if there is none. */
export function codeOfReason(reason: string): string | null {
  if (NO_DATA.includes(reason)) return resourceErrors.tron_no_data.code
  return NO_FEE.includes(reason) ? resourceErrors.tron_insufficient_fee.code : null
}
