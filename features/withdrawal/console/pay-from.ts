import type { OutputOf } from '@holdfast/contract'
import type { listMultiAddresses } from '@holdfast/features/deposit-address/contract'
import { parseAmount } from '@holdfast/units'
import type { Coin } from './draft.ts'

export type PayingAddress = Pick<OutputOf<typeof listMultiAddresses>['list'][number], 'address' | 'label' | 'available' | 'is_default'>

/**
 * Which addresses of a sub-wallet can pay in a coin, and which of them does: the one that was chosen, else the first one of the sub-wallet, else the one that
 * has the most. Undefined where there is nothing to choose: nothing is anywhere, or all of it is at the first one, which pays where nothing is said.
 */
export function payFrom<Row extends PayingAddress>(
  list: readonly Row[],
  chosen: string | undefined,
  { decimals }: Pick<Coin, 'decimals'>,
): { rows: Row[]; payer: Row } | undefined {
  const has = ({ available }: Row) => parseAmount(available, decimals)
  const rows = list.filter((row) => has(row) > 0n)
  const [most, ...others] = rows.toSorted((one, other) => (has(one) < has(other) ? 1 : has(one) > has(other) ? -1 : 0))
  if (!most || (most.is_default && others.length === 0)) return undefined
  return { rows, payer: rows.find(({ address }) => address === chosen) ?? rows.find((row) => row.is_default) ?? most }
}
