import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import { inspectAddress } from './inspect-address.ts'

const NOT_AN_ADDRESS = {
  en_US: (network: string) => `This is not an address of ${network}. Check that it was copied whole.`,
  zh_CN: (network: string) => `这不是 ${network} 的有效地址。请检查是否完整复制。`,
}

/** What is known of a destination, for the form: before anything is asked for. `isContract` is what the chain said, or false where it did not answer. */
export async function checkAddress(tx: OrganisationTx, network: Network, text: string, isContract: boolean, language: Language) {
  const canonical = network.codec.canonicalAddress(text)
  if (canonical === undefined) {
    return { valid: false, canonical: null, reason: NOT_AN_ADDRESS[language](network.name), is_contract: false, own: null, first_seen: true, similar_to: [] }
  }
  const known = await inspectAddress(tx, network, canonical)
  return {
    valid: true,
    canonical,
    reason: null,
    is_contract: isContract,
    own: known.own ? { sub_wallet_id: known.own.subWalletId, sub_wallet_name: known.own.name } : null,
    first_seen: known.firstSeen,
    similar_to: known.similarTo,
  }
}
