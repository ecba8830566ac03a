import { codecFor } from '@holdfast/chain-evm/codec'
import { encode } from '@holdfast/encoding'
import { derivePublicKey, isEcdsa, type KeyShare, keyShareShape } from '@holdfast/mpc'
import type { RecoveryRecipients } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import { type RecoveryKit, recoveryKitShape, type SealedShare, sealedShareShape, sharePackageShape, type Signed, signMessage } from '@holdfast/protocol'
import { generateHybridIdentity, identityToRecipient } from 'age-encryption'
import { sealPackage } from '../../../signer/src/calls/share-package.ts'
import type { Identity } from '../recover/recovery-identity.ts'
import { CHAIN, type Organisation } from './test-organisation.ts'

/** For tests: an officer with a recovery identity. */
export async function newOfficer(path: string): Promise<Identity> {
  const secret = await generateHybridIdentity()
  return { secret, recipient: await identityToRecipient(secret), path }
}

/** For tests: a share sealed and signed as its signer does it, so that any of the recipients opens it or `threshold` together; `change` edits what the signer signs. */
export async function sealShare(
  organisation: Organisation,
  share: KeyShare,
  recipients: string[],
  change: (sealed: SealedShare) => SealedShare = (sealed) => sealed,
  threshold = 1,
): Promise<Signed> {
  const { party, keyId, epoch } = share
  const { name, operator, signKey } = organisation.genesis.signers[Number(party) - 1]!
  const genesis = organisation.fingerprint
  const plain = encode(sharePackageShape, { genesis, party, name, operator, signKey, share: encode(keyShareShape, share) })
  const recovery: RecoveryRecipients =
    threshold === 1 ? { kind: 'single', party, recipients } : { kind: 'quorum', party, threshold: BigInt(threshold), recipients }
  const sealed = change(await sealPackage(recovery, { genesis, keyId, epoch, party }, plain, (length) => nodePorts.random.bytes(length)))
  return signMessage(sealedShareShape, sealed, party, organisation.signerSecrets[Number(party) - 1]!)
}

/** For tests: the kit of a key with its first addresses, as sub-wallets get them; of a key that no network is wired for, with none. */
export function makeKit(organisation: Organisation, share: KeyShare, shares: Signed[], changes: Partial<RecoveryKit> = {}, addressCount = 20): Uint8Array {
  const { protocol, publicKey, chainCode, keyId, epoch } = share
  const addresses = Array.from({ length: isEcdsa(protocol) ? addressCount : 0 }, (_, i) => ({
    path: [BigInt(i), 0n],
    chain: CHAIN,
    address: codecFor(CHAIN)!.addressFromKey(derivePublicKey(protocol, publicKey, chainCode, [i, 0])),
  }))
  return encode(recoveryKitShape, {
    genesisRecord: organisation.genesisRecord,
    keyId,
    epoch,
    protocol,
    publicKey,
    chainCode,
    shares,
    addresses,
    createdAtMs: 5_000n,
    ...changes,
  })
}
