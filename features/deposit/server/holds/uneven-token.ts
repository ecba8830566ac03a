import { unevenTokens } from '@holdfast/features/network/server'
import type { Hold } from './hold.ts'

/** The organisation marked the token as one whose balances differ from what it logs. */
export const unevenToken: Hold = async (tx, { chain }) => {
  const isUneven = await unevenTokens(tx, chain)
  return ({ orgId, transfer }) => (isUneven(orgId, chain, transfer.asset.contract ?? '') ? 'uneven_token' : null)
}
