import { decode, encode, equalBytes, type Infer } from '@holdfast/encoding'
import { checkKeyShare, type KeyShare, keyShareShape } from '@holdfast/mpc'
import type { SignerIdentity } from '@holdfast/policy'
import { openSigned, type RecoveryKit, type SealedShare, sealedShareShape, sharePackageShape, type Signed } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { messageOf, type OfficerPart, openSealed } from './open-share.ts'
import type { Identity } from './recovery-identity.ts'

/** What is the matter with one signer's share in a kit. */
export type ShareFault =
  | 'missing'
  | 'twice'
  | 'unsigned'
  | 'other-organisation'
  | 'other-key'
  | 'wrong-epoch'
  | 'undecipherable'
  | 'unreadable'
  | 'other-signer'
  | 'unfit'
  | 'other-public-data'

/**
 * One signer's share: good (its decrypted share is here), locked because too few of its officers' identities were given, or faulty. `officers` are those it
 * is sealed to, as its signer signed, with what became of the part of each; empty if one identity opened it. `needs` of them open it.
 */
export type Examined = { signer: SignerIdentity; officers: OfficerPart[]; needs: number } & (
  | { state: 'good'; share: KeyShare }
  | { state: 'locked' }
  | { state: 'faulty'; fault: ShareFault; detail: string }
)

type Context = { kit: RecoveryKit; fingerprint: Uint8Array; identities: readonly Identity[] }

/** Examines the share of one signer: signature, whose and which it is, seal, commitments. Never throws for a bad share. */
export async function examineShare(signer: SignerIdentity, context: Context): Promise<Examined> {
  const faulty = (fault: ShareFault, detail = ''): Examined => ({ signer, officers: [], needs: 1, state: 'faulty', fault, detail })
  const own = context.kit.shares.filter((each) => each.party === signer.party)
  if (own.length !== 1) return faulty(own.length === 0 ? 'missing' : 'twice')
  let sealed: SealedShare | undefined
  try {
    sealed = openSigned(sealedShareShape, at(own, 0), signer.signKey)
  } catch (cause) {
    return faulty('unreadable', messageOf(cause))
  }
  if (!sealed || sealed.party !== signer.party) return { ...faulty('unsigned'), officers: await damagedParts(at(own, 0), context) }
  const misplaced = misplacedIn(sealed, context)
  if (misplaced) return faulty(misplaced, misplaced === 'wrong-epoch' ? String(sealed.epoch) : '')
  return openShare(signer, sealed, context)
}

/** Where a share is not as its signer signed it: the officers' parts that are damaged, as far as it can still be read. Nothing in it is used. */
async function damagedParts(signed: Signed, { identities }: Context): Promise<OfficerPart[]> {
  try {
    const { plain, officers } = await openSealed(decode(sealedShareShape, signed.message), identities)
    plain?.fill(0)
    return officers.filter(({ state }) => state === 'damaged' || state === 'other-kit')
  } catch {
    return []
  }
}

function misplacedIn(found: Pick<SealedShare, 'genesis' | 'keyId' | 'epoch'>, { kit, fingerprint }: Context): ShareFault | undefined {
  if (!equalBytes(found.genesis, fingerprint)) return 'other-organisation'
  if (!equalBytes(found.keyId, kit.keyId)) return 'other-key'
  return found.epoch === kit.epoch ? undefined : 'wrong-epoch'
}

async function openShare(signer: SignerIdentity, sealed: SealedShare, context: Context): Promise<Examined> {
  const { plain, officers, needs, fault } = await openSealed(sealed, context.identities)
  const common = { signer, officers, needs }
  const faulty = (kind: ShareFault, detail = ''): Examined => ({ ...common, state: 'faulty', fault: kind, detail })
  if (fault !== null) return faulty('undecipherable', fault)
  if (!plain) return { ...common, state: 'locked' }
  let share: KeyShare
  try {
    const inside = decode(sharePackageShape, plain)
    share = decode(keyShareShape, inside.share)
    inside.share.fill(0)
    if (!isOf(signer, inside) || !equalBytes(inside.genesis, context.fingerprint) || share.party !== signer.party) return discard(share, faulty('other-signer'))
  } catch (cause) {
    return faulty('unreadable', messageOf(cause))
  } finally {
    plain.fill(0)
  }
  const misplaced = misplacedIn(share, context)
  if (misplaced) return discard(share, faulty(misplaced, misplaced === 'wrong-epoch' ? String(share.epoch) : ''))
  try {
    checkKeyShare(share)
  } catch (cause) {
    return discard(share, faulty('unfit', messageOf(cause)))
  }
  const { protocol, publicKey, chainCode } = context.kit
  if (share.protocol !== protocol || !equalBytes(share.publicKey, publicKey) || !equalBytes(share.chainCode, chainCode)) {
    return discard(share, faulty('other-public-data'))
  }
  return { ...common, state: 'good', share }
}

function isOf({ party, signKey, name, operator }: SignerIdentity, inside: Infer<typeof sharePackageShape>): boolean {
  return inside.party === party && equalBytes(inside.signKey, signKey) && inside.name === name && inside.operator === operator
}

function discard(share: KeyShare, verdict: Examined): Examined {
  share.secretShare.fill(0)
  return verdict
}

/** Whether a share is what it should be, as far as it was opened: not faulty, and no part of an officer damaged. */
export const isSound = ({ state, officers }: Examined): boolean =>
  state !== 'faulty' && officers.every((officer) => officer.state === 'opened' || officer.state === 'not-given')

/** What all shares of one key agree on, for comparing them with each other. */
export function publicPartOf(share: KeyShare): Uint8Array {
  return encode(keyShareShape, { ...share, party: 1n, secretShare: new Uint8Array(32) })
}
