import type { Database } from '@holdfast/db'
import { derivePublicKey } from '@holdfast/mpc'

/**
 * The public key of an address of any organisation, as signatures are verified under it, derived from its wallet's key; undefined if the
 * address is nobody's here.
 */
export async function publicKeyOf(db: Database, chain: string, address: string): Promise<Uint8Array | undefined> {
  const found = await db.asSystem((tx) =>
    tx
      .selectFrom('address')
      .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'address.org_id').onRef('sub_wallet.id', '=', 'address.sub_wallet_id'))
      .innerJoin('wallet', (join) => join.onRef('wallet.org_id', '=', 'sub_wallet.org_id').onRef('wallet.id', '=', 'sub_wallet.wallet_id'))
      .innerJoin('wallet_key', (join) => join.onRef('wallet_key.org_id', '=', 'wallet.org_id').onRef('wallet_key.key_id', '=', 'wallet.key_id'))
      .select(['address.path', 'wallet_key.protocol', 'wallet_key.public_key', 'wallet_key.chain_code'])
      .where('address.chain', '=', chain)
      .where('address.address', '=', address)
      .orderBy('wallet_key.epoch', 'desc')
      .executeTakeFirst(),
  )
  if (!found?.public_key || !found.chain_code) return undefined
  return derivePublicKey(found.protocol, found.public_key, found.chain_code, found.path)
}
