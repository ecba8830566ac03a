import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import { readComments } from '@holdfast/features/wallet/server'
import { inspectAddress } from './inspect-address.ts'

const NOT_AN_ADDRESS = {
  en_US: (network: string) => `This is not an address of ${network}. Check that it was copied whole.`,
  zh_CN: (network: string) => `这不是 ${network} 的有效地址。请检查是否完整复制。`,
}

/** What the chain says of an address; false where it did not answer. */
type Told = { isContract: boolean; isUninitialised: boolean }

/** What is known of a destination, for the form: before anything is asked for. */
export async function checkAddress(tx: OrganisationTx, network: Network, text: string, told: Told, language: Language) {
  const canonical = network.codec.canonicalAddress(text)
  const shared = { orgId: tx.orgId, address: canonical ?? '', memo: undefined }
  const memoRequired = network.codec.memoMax !== undefined && (await readComments(tx, network.chain, [shared]))(shared) !== null
  const facts = { memo_required: memoRequired, is_contract: told.isContract, is_uninitialised: told.isUninitialised, memo_max: network.codec.memoMax ?? null }
  if (canonical === undefined)
    return { valid: false, canonical: null, reason: NOT_AN_ADDRESS[language](network.name), own: null, first_seen: true, similar_to: [], ...facts }
  const known = await inspectAddress(tx, network, canonical)
  return {
    valid: true,
    canonical,
    reason: null,
    ...facts,
    own: known.own ? { sub_wallet_id: known.own.subWalletId, sub_wallet_name: known.own.name } : null,
    first_seen: known.firstSeen,
    similar_to: known.similarTo,
  }
}
