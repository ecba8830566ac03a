import type { Language } from '@holdfast/contract'
import { type AccountControl, looksAlike } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { describeDenial } from '@holdfast/features/policy/server'
import { inspectAddress, selectPaidWithMemo } from '@holdfast/features/known-address/server'
import { entriesLike } from '@holdfast/features/address-book/server'
import { lossOfPayment } from '@holdfast/policy'
import { readComments } from '@holdfast/features/deposit-address/server'
import type { PersonId } from '@holdfast/units'

const NOT_AN_ADDRESS = {
  en_US: (network: string) => `This is not an address of ${network}. Check that it was copied whole.`,
  zh_CN: (network: string) => `这不是 ${network} 的有效地址。请检查是否完整复制。`,
}

/** The kind of address that people pay to; addresses of the system are none of a wallet's own. */
const USER_ADDRESS = 1

/** What the chain says of an address; false if it did not answer. */
type Told = { isContract: boolean; isUninitialised: boolean; control: AccountControl | undefined }

/** What is known of a destination, for the form: before a request. */
export async function checkAddress(
  tx: OrganisationTx,
  network: Network,
  text: string,
  told: Told,
  { language, personId, asset }: { language: Language; personId: PersonId; asset?: NetworkAsset | undefined },
) {
  const canonical = network.codec.canonicalAddress(text)
  const lost = canonical === undefined ? undefined : lossOfPayment(asset ?? { chain: network.chain, contract: null }, canonical)
  const facts = {
    is_lost: lost !== undefined,
    control: told.control ? controlView(told.control) : null,
    is_contract: told.isContract,
    is_uninitialised: told.isUninitialised,
    memo_max: network.codec.memoMax ?? null,
  }
  if (canonical === undefined || lost)
    return {
      valid: false,
      canonical: null,
      checksum_at: canonical === undefined ? checksumPlaces(network, text) : [],
      reason: lost ? describeDenial(lost, language) : NOT_AN_ADDRESS[language](network.name),
      own: null,
      book: null,
      memo_required: false,
      policy_contract: false,
      first_seen: true,
      similar_to: [],
      ...facts,
    }
  const known = await inspectAddress(tx, network, canonical)
  const book = (await contactAt(tx, personId, network.chain, canonical)) ?? null
  const similar = (await entriesLike(tx, personId, [canonical])).filter(
    ({ address }, i, all) =>
      looksAlike(address, canonical) && !known.similarTo.some((each) => each.address === address) && all.findIndex((each) => each.address === address) === i,
  )
  return {
    valid: true,
    canonical,
    checksum_at: [],
    reason: null,
    ...facts,
    own: known.own && { ...known.own, addr_type: USER_ADDRESS },
    policy_contract: known.isNamed,
    first_seen: known.firstSeen,
    book,
    memo_required: network.codec.memoMax !== undefined && ((book !== null && book.memo !== '') || (await isPaidWithMemo(tx, network.chain, canonical))),
    similar_to: [...known.similarTo, ...similar.map(({ address }) => ({ address, kind: 'book' as const }))],
  }
}

/** Where the letters of a text contradict the checksum that is written in their case (EIP-55); empty if that is not what is wrong. */
function checksumPlaces({ codec }: Network, text: string): number[] {
  const spelled = codec.canonicalAddress(text.toLowerCase())
  if (spelled === undefined || spelled.toLowerCase() !== text.toLowerCase()) return []
  return [...text].flatMap((letter, at) => (spelled.charAt(at) === letter ? [] : [at]))
}

/** The caller's contact at an address of a network, the first where there are several, with different memos. */
function contactAt(tx: OrganisationTx, personId: PersonId, chain: string, address: string) {
  return tx
    .selectFrom('personal_address')
    .select(['id', 'name', 'memo'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

/** Whether it was paid with a memo before, or payers share it with comments of their own. */
async function isPaidWithMemo(tx: OrganisationTx, chain: string, address: string): Promise<boolean> {
  const bare = { orgId: tx.orgId, address, memo: undefined }
  if ((await readComments(tx, chain, [bare]))(bare) !== null) return true
  const { rows } = await selectPaidWithMemo(tx, chain, [address]).execute(tx)
  return rows.length > 0
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
