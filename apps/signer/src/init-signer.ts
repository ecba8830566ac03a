import { toHex } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { organisationsFolder, type StorageConfig } from './config.ts'
import { createIdentity } from './state/identity.ts'
import { openVaultKeys } from './state/vault-key.ts'

/** Makes what a new signer needs and does not have yet: its folder, its vault key, its identity. Returns the public key, 64 hexadecimal digits. */
export async function initSigner(ports: Pick<Ports, 'disk' | 'random'>, config: StorageConfig): Promise<string> {
  // Made before anything is written beside it: what is written syncs the folder, and with it this entry.
  await ports.disk.makeFolder(organisationsFolder(config.dataFolder))
  const keys = await openVaultKeys(ports, config, { create: true })
  return toHex((await createIdentity(ports, config.identityPath, keys.identity)).publicKey)
}
