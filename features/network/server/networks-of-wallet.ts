import type { SignatureKind } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { signatureKindOf } from '@holdfast/mpc'
import type { Network, Networks } from './types.ts'

/** The networks that take signatures of a kind. On any other, a key of the kind has no address. */
export function networksOfKind(networks: Networks, kind: SignatureKind): Network[] {
  return networks.list().filter(({ codec }) => codec.signatureKinds.includes(kind))
}

/** The networks that a wallet can have addresses on, by the kind of its key; all of them where there is no such wallet. */
export async function networksOfWallet(tx: OrganisationTx, networks: Networks, walletId: string): Promise<Network[]> {
  const key = await tx
    .selectFrom('wallet')
    .innerJoin('wallet_key', (join) => join.onRef('wallet_key.org_id', '=', 'wallet.org_id').onRef('wallet_key.key_id', '=', 'wallet.key_id'))
    .select('wallet_key.protocol')
    .where('wallet.org_id', '=', tx.orgId)
    .where('wallet.id', '=', walletId)
    .executeTakeFirst()
  return key ? networksOfKind(networks, signatureKindOf(key.protocol)) : networks.list()
}
