import { toHex } from '@holdfast/encoding'
import { verifyEd25519 } from '@holdfast/encoding/ed25519'
import { RecentMap } from '@holdfast/units'
import { createFROST, type FROST } from '@noble/curves/abstract/frost.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr, schnorr_FROST, secp256k1, secp256k1_FROST } from '@noble/curves/secp256k1.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { type Child, deriveBip32Child, deriveEd25519Child, deriveTaprootChild } from './derive.ts'
import { ProtocolFault } from '../round/errors.ts'
import { CheckedPoint, ed25519Group } from '../group/group-ed25519.ts'
import { type Group, secp256k1Group } from '../group/group.ts'
import { PROTOCOL } from '../round/parameters.ts'

/** The library's key generation for a group. */
type KeyGeneration = Pick<FROST, 'DKG' | 'Identifier'>

/**
 * What kind of signature a key makes, and in which group. `protocol` names it in every share, message and statement; a share of one protocol is never
 * used with another, because one secret under two kinds of signature has no proof of security.
 */
export type Scheme = {
  readonly protocol: string
  /** The kind of its signatures, as chains ask for them. */
  readonly signatures: 'ecdsa' | 'taproot' | 'ed25519'
  readonly group: Group
  readonly keyGeneration: KeyGeneration
  /** How two parties sign by FROST; null for ECDSA, which has a protocol of its own. */
  readonly frost: FROST | null
  /** Whether a signature (64 bytes) of a message, or of ECDSA of its 32-byte digest, is one under a child's public key. */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean
  /** The child of a public key along a path, from which others descend: for taproot the one before its tweak. Throws DerivationError. */
  deriveParent(publicKey: Uint8Array, chainCode: Uint8Array, path: readonly number[]): Child
  /** The child of a public key along a path, as signatures are verified under it. Throws DerivationError. */
  deriveChild(publicKey: Uint8Array, chainCode: Uint8Array, path: readonly number[]): Child
}

export const FROST_ED25519 = 'frost-ed25519/v1'
export const FROST_TAPROOT = 'frost-taproot/v1'

/**
 * FROST(Ed25519, SHA-512) of RFC 9591 section 6.1, from the library's parts as its own instance is, but for a hook by which that one looks a second time whether each
 * point is in the prime-order subgroup. That took a third of a signature, and looking once for each use of a point another.
 */
const ed25519Suite = { name: 'FROST-ED25519-SHA512-v1', hash: sha512, H2: '' }
const ed25519Generation = createFROST({ ...ed25519Suite, Point: ed25519.Point })
const ed25519Frost = createFROST({ ...ed25519Suite, Point: CheckedPoint })

const schemes: Readonly<Record<string, Scheme>> = {
  [PROTOCOL]: {
    protocol: PROTOCOL,
    signatures: 'ecdsa',
    group: secp256k1Group,
    keyGeneration: secp256k1_FROST,
    frost: null,
    verify: (signature, digest, publicKey) => secp256k1.verify(signature, digest, publicKey, { prehash: false, lowS: true }),
    deriveParent: deriveBip32Child,
    deriveChild: deriveBip32Child,
  },
  [FROST_ED25519]: {
    protocol: FROST_ED25519,
    signatures: 'ed25519',
    group: ed25519Group,
    keyGeneration: ed25519Generation,
    frost: ed25519Frost,
    // What some verifiers take and others do not is not a signature.
    verify: verifyEd25519,
    deriveParent: deriveEd25519Child,
    deriveChild: deriveEd25519Child,
  },
  [FROST_TAPROOT]: {
    protocol: FROST_TAPROOT,
    signatures: 'taproot',
    group: secp256k1Group,
    // The plain generation: the library's own for taproot tweaks what it makes, and a tweaked key has no children.
    keyGeneration: secp256k1_FROST,
    frost: schnorr_FROST,
    verify: (signature, message, publicKey) => schnorr.verify(signature, message, publicKey),
    deriveParent: deriveBip32Child,
    deriveChild: deriveTaprootChild,
  },
}

/** The names of all protocols. */
export const PROTOCOLS: readonly string[] = Object.keys(schemes)

/** The scheme of a protocol's name. Throws ProtocolFault (no peer) for any other name. */
export function schemeOf(protocol: string): Scheme {
  const scheme = Object.hasOwn(schemes, protocol) ? schemes[protocol] : undefined
  if (!scheme) throw new ProtocolFault(null, `context: the protocol must be one of ${PROTOCOLS.join(', ')}`)
  return scheme
}

/**
 * The public key of the child along `path` of a key of `protocol`, as signatures are verified under it: for ECDSA the compressed point of BIP32's
 * public derivation (33 bytes), for ed25519 32 bytes, for taproot the x coordinate of the output key (32 bytes). Throws DerivationError, and
 * ProtocolFault for another protocol.
 */
export function derivePublicKey(protocol: string, publicKey: Uint8Array, chainCode: Uint8Array, path: readonly number[]): Uint8Array {
  return recentChild(protocol, publicKey, chainCode, path).publicKey
}

/** Children that were derived, the newest: an order asks for the same one again and again. What is public leads to them, and nothing else is kept. */
const children = new RecentMap<string, Child>(256)

/** The child of a key along a path, in bytes that are the caller's own. Errors as `derivePublicKey`. */
export function recentChild(protocol: string, publicKey: Uint8Array, chainCode: Uint8Array, path: readonly number[]): Child {
  const name = [protocol, toHex(publicKey), toHex(chainCode), path.join('/')].join()
  const known = children.get(name)
  const child = known ?? schemeOf(protocol).deriveChild(publicKey, chainCode, path)
  if (!known) children.set(name, child)
  return { ...child, point: child.point.slice(), publicKey: child.publicKey.slice(), chainCode: child.chainCode.slice() }
}

/** The same for the children `first` to `first + count - 1` below one path, which is walked once. Errors as `derivePublicKey`. */
export function deriveSiblings(
  { protocol, publicKey, chainCode }: { protocol: string; publicKey: Uint8Array; chainCode: Uint8Array },
  { parent, first, count }: { parent: readonly number[]; first: number; count: number },
): Uint8Array[] {
  const scheme = schemeOf(protocol)
  const above = scheme.deriveParent(publicKey, chainCode, parent)
  return Array.from({ length: count }, (_, i) => scheme.deriveChild(above.point, above.chainCode, [first + i]).publicKey)
}

/** The kind of signature that keys of a protocol make: ECDSA, BIP340 under a tweaked key (BIP341), or ed25519. Throws ProtocolFault for another protocol. */
export const signatureKindOf = (protocol: string): Scheme['signatures'] => schemeOf(protocol).signatures

/** Whether keys of this protocol sign by ECDSA, for which each pair of parties needs a set-up of its own. */
export const isEcdsa = (protocol: string): boolean => protocol === PROTOCOL

/**
 * Whether a signature (64 bytes) of 32 bytes was made by a key itself and not by a child of it, as a recovery drill is signed. Of taproot keys the x coordinate
 * alone counts and nothing is tweaked. False for malformed input. Throws ProtocolFault for an unknown protocol.
 */
export function verifyByRootKey(protocol: string, signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean {
  const scheme = schemeOf(protocol)
  try {
    return scheme.verify(signature, digest, protocol === FROST_TAPROOT ? publicKey.subarray(1) : publicKey)
  } catch {
    return false
  }
}
