import type { Language } from '@holdfast/contract'
import type { AccountControl } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import { inspectAddress } from './inspect-address.ts'

const NOT_AN_ADDRESS = {
  en_US: (network: string) => `This is not an address of ${network}. Check that it was copied whole.`,
  zh_CN: (network: string) => `这不是 ${network} 的有效地址。请检查是否完整复制。`,
}

/** What the chain says of an address; false where it did not answer. */
type Told = { isContract: boolean; isUninitialised: boolean; control: AccountControl | undefined }

/** What is known of a destination, for the form: before anything is asked for. */
export async function checkAddress(tx: OrganisationTx, network: Network, text: string, told: Told, language: Language) {
  const canonical = network.codec.canonicalAddress(text)
  const facts = {
    control: told.control ? controlView(told.control) : null,
    is_contract: told.isContract,
    is_uninitialised: told.isUninitialised,
    memo_max: network.codec.memoMax ?? null,
  }
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

function controlView({ isOwn, permissions }: AccountControl) {
  return {
    own: isOwn,
    permissions: permissions.map(({ name, threshold, keys }) => ({
      name,
      threshold: String(threshold),
      keys: keys.map(({ address, weight }) => ({ address, weight: String(weight) })),
    })),
  }
}
