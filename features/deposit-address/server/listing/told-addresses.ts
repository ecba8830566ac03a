import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { attestedAddresses, recoveryOfSubWallet, recoveryOn } from '@holdfast/features/key/server'
import type { Networks } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { last } from '@holdfast/units'
import { depositAddressErrors } from '../../errors.ts'
import { whyClosed } from '../deposit-address.ts'
import { type AddressRow, readAddresses } from './read-addresses.ts'

type Asked = { subWalletId: string; chain: string; from: number; limit: number; language: Language; nowMs: number }

/**
 * The addresses of a sub-wallet on a network, by number, from one number on: only those that may be given to somebody who pays. Fewer than asked for
 * are the last ones. Throws `deposits_closed` where none of them may be given to anybody.
 */
export async function toldAddresses(tx: OrganisationTx, networks: Networks, { from, limit, ...asked }: Asked): Promise<AddressRow[]> {
  const { subWalletId, chain, language, nowMs } = asked
  const wallet = await recoveryOfSubWallet(tx, subWalletId, nowMs)
  const inForce = await currentPolicy(tx)
  const facts = { walletState: wallet.state, recovery: recoveryOn(chain, wallet.keys), language }
  const mayBeGiven = (addressMadeAtMs: number) => whyClosed({ ...facts, addressMadeAtMs, isTaken: false, isAttested: true }) === undefined
  if (!mayBeGiven(0)) throw new AppError(depositAddressErrors.deposits_closed)
  const told: AddressRow[] = []
  for (let after = { chain, number: from - 1, comment: null as string | null }; ; ) {
    const rows = await readAddresses(tx, networks, { subWalletId, chain, state: 'all', nowMs, byComment: false, limit, after })
    const attested = await attestedAddresses(tx, rows, inForce)
    for (const row of rows) {
      // Of one that was made too late for the last proof of recovery, all that follow were as well.
      if (!mayBeGiven(Number(row.created_at))) return told
      if (attested.has(row) && !row.isTaken) told.push(row)
      if (told.length === limit) return told
    }
    if (rows.length < limit) return told
    after = last(rows)
  }
}
