import { encode } from '@holdfast/encoding'
import { keyShareShape } from '@holdfast/mpc'
import type { RecoveryRecipients } from '@holdfast/policy'
import { recoveryPartShape, type SealedShare, sealedShareShape, sharePackageShape, type Signed, signMessage, splitSecret } from '@holdfast/protocol'
import { at, known } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { Encrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption'
import type { Identity } from '../state/identity.ts'
import type { Organisation } from '../state/organisation.ts'
import { Refused } from '../checks/refused.ts'
import type { Key } from '../state/register.ts'

type Random = (length: number) => Uint8Array

/** The share of a key, sealed with age to the recipients the policy names for this signer, and signed by it. Throws Refused c3 where it names none. */
export async function sealShare(organisation: Organisation, identity: Identity, key: Key, random: Random): Promise<Signed> {
  const { party, policy } = organisation
  const recovery = policy.recovery.find((each) => each.party === BigInt(party))
  if (!recovery || recovery.recipients.length === 0) throw new Refused('c3', 'the policy names nobody to whom this signer could seal its recovery share')
  return sealShareTo(organisation, identity, key, recovery, random)
}

/** The same, for recipients that an approved order names. */
export async function sealShareTo(organisation: Organisation, identity: Identity, key: Key, recovery: RecoveryRecipients, random: Random): Promise<Signed> {
  const { party, fingerprint, signers } = organisation
  const { name, operator, signKey } = known(
    signers.find((signer) => signer.party === BigInt(party)),
    `signer ${party} among those of the policy`,
  )
  const share = encode(keyShareShape, await organisation.share(key))
  const plain = encode(sharePackageShape, { genesis: fingerprint, party: BigInt(party), name, operator, signKey, share })
  const sealedShare = await sealPackage(recovery, { genesis: fingerprint, keyId: key.keyId, epoch: key.epoch, party: BigInt(party) }, plain, random)
  return signMessage(sealedShareShape, sealedShare, BigInt(party), identity.secretKey)
}

type Place = Pick<SealedShare, 'genesis' | 'keyId' | 'epoch' | 'party'>

/**
 * Seals a share package so that any one of the recipients opens it, or `threshold` of them together. For the latter it is sealed to an identity made for
 * this sealing alone, whose text is split among them; it is in no file and no memory afterwards. Throws Refused c3 for a recipient that is none.
 */
export async function sealPackage(recovery: RecoveryRecipients, place: Place, plain: Uint8Array, random: Random): Promise<SealedShare> {
  const { recipients } = recovery
  if (recovery.kind === 'single') return { kind: 'single', ...place, recipients, sealed: await sealTo(recipients, plain) }
  const identity = await generateHybridIdentity()
  const sealed = await sealTo([await identityToRecipient(identity)], plain)
  const sealing = sha256(sealed)
  const parts = splitSecret(new TextEncoder().encode(identity), Number(recovery.threshold), recipients.length, random)
  const officers = await Promise.all(
    parts.map(async ({ x, y }, i) => {
      const recipient = at(recipients, i)
      const part = encode(recoveryPartShape, { ...place, sealing, x: BigInt(x), y })
      return { recipient, sealed: await sealTo([recipient], part) }
    }),
  )
  return { kind: 'quorum', ...place, threshold: recovery.threshold, officers, sealed }
}

async function sealTo(recipients: readonly string[], plain: Uint8Array): Promise<Uint8Array> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch (cause) {
      throw new Refused('c3', `a recovery recipient is named that is none: ${recipient.slice(0, 40)}`, { cause })
    }
  }
  return encrypter.encrypt(plain)
}
