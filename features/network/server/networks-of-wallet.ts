import type { SignatureKind } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { PROTOCOLS, signatureKindOf } from '@holdfast/mpc'
import type { Network, Networks } from './types.ts'

/** The networks that take signatures of a kind. On any other, a key of the kind has no address. */
export function networksOfKind(networks: Networks, kind: SignatureKind): Network[] {
  return networks.list().filter(({ codec }) => codec.signatureKinds.includes(kind))
}

/**
 * Which of a wallet's keys signs on a network, by its protocol: the first in the order of all protocols whose signatures the network takes; undefined if none
 * does. No key changes its kind, and one that is added signs only where
 * none did (`protocolsToAdd`), so the answer never changes.
 */
export function protocolFor(chain: string, protocols: readonly string[]): string | undefined {
  const taken = codecFor(chain)?.signatureKinds ?? []
  return PROTOCOLS.find((each) => protocols.includes(each) && taken.includes(signatureKindOf(each)))
}

/** The keys that a wallet needs to have an address on each of the networks, by their protocols: as few as will do. */
export function protocolsFor(networks: Pick<Networks, 'list'>): string[] {
  const needed = networks.list().map(({ chain }) => protocolFor(chain, PROTOCOLS))
  return PROTOCOLS.filter((each) => needed.includes(each))
}

const askProtocols = writtenOnce((db, { orgId, walletId }: { orgId: string; walletId: string }) =>
  db.selectFrom('key_of_wallet').select('protocol').where('org_id', '=', orgId).where('wallet_id', '=', walletId),
)

/** The networks that a wallet can have addresses on, by the kinds of its keys; all of them where there is no such wallet. */
export async function networksOfWallet(tx: OrganisationTx, networks: Networks, walletId: string): Promise<Network[]> {
  const keys = await askProtocols(tx, { orgId: tx.orgId, walletId })
  return networksOfKeys(networks, keys)
}

/** The same where the keys of the wallet are known already. */
export function networksOfKeys(networks: Networks, keys: readonly { protocol: string }[]): Network[] {
  if (keys.length === 0) return networks.list()
  const protocols = keys.map(({ protocol }) => protocol)
  return networks.list().filter(({ chain }) => protocolFor(chain, protocols) !== undefined)
}
