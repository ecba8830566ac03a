import type { Database } from '@holdfast/db'
import { protocolFor } from '@holdfast/features/network/server'
import { derivePublicKey } from '@holdfast/mpc'

/**
 * The public key of an address of any organisation, as signatures are verified under it, derived from the key of its wallet that signs
 * on the network; undefined if the address is nobody's here.
 */
export async function publicKeyOf(db: Database, chain: string, address: string): Promise<Uint8Array | undefined> {
  const keys = await db.asSystem((tx) =>
    tx
      .selectFrom('address')
      .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'address.org_id').onRef('sub_wallet.id', '=', 'address.sub_wallet_id'))
      .innerJoin('key_of_wallet', (join) =>
        join.onRef('key_of_wallet.org_id', '=', 'sub_wallet.org_id').onRef('key_of_wallet.wallet_id', '=', 'sub_wallet.wallet_id'),
      )
      .innerJoin('wallet_key', (join) => join.onRef('wallet_key.org_id', '=', 'key_of_wallet.org_id').onRef('wallet_key.key_id', '=', 'key_of_wallet.key_id'))
      .select(['address.path', 'wallet_key.protocol', 'wallet_key.public_key', 'wallet_key.chain_code'])
      .where('address.chain', '=', chain)
      .where('address.address', '=', address)
      .orderBy('wallet_key.epoch', 'desc')
      .execute(),
  )
  const protocol = protocolFor(
    chain,
    keys.map((key) => key.protocol),
  )
  const found = keys.find((key) => key.protocol === protocol)
  if (!found?.public_key || !found.chain_code) return undefined
  return derivePublicKey(found.protocol, found.public_key, found.chain_code, found.path)
}
