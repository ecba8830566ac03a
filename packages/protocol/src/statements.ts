import { bytes, decode, digest, encode, type Infer, list, optional, type StructShape, struct, text, uint, union, type UnionShape } from '@holdfast/encoding'
import { signEd25519, verifyEd25519 } from '@holdfast/encoding/ed25519'
import { leafHash, MerkleTree } from '@holdfast/log'
import type { Signed } from './session.ts'

/** The checks c1 to c15 a signer makes before it takes part, by number. */
export const CHECKS = {
  c1: 'known peers, enough of them, one agreed session',
  c2: 'genesis equal',
  c3: 'policy chain valid, not older than the newest seen, not expired',
  c4: 'intent well-formed, canonical, in time',
  c5: 'quorum of distinct people, initiator excluded, every assertion valid',
  c6: 'no veto and no freeze that any signer knows of, time-locks elapsed',
  c7: 'the decoded transaction is the intent, with nothing left over',
  c8: 'chain, fee cap and conflict slot right',
  c9: 'limits kept, by what all signers let through',
  c10: 'intent bound to no other slot and slot to no other intent',
  c11: 'intent and approvals in the log this signer has checked',
  c12: 'every signer gave its word, and none knows a later state than this one',
  c13: 'digest computed here from the decoded bytes',
  c14: 'register on disk before the first protocol message',
  c15: 'protocol failures classified; cheating locks',
} as const
export type Check = keyof typeof CHECKS

const signedFields = {
  intentHash: bytes(32),
  unsigned: bytes(undefined, 1 << 18),
  digests: list(bytes(32), 64),
  policyVersion: uint(),
  checks: list(text(8), 32),
  atMs: uint(),
}

/**
 * A signer says that it made its part of every signature a transaction needs, and over what: `digests` are `digestToSign` of each, in the codec's order. `witness`
 * is the signer that took no part and gave its word on the session; otherwise `absence` is the hash of the order that says it is away. Signatures that were made
 * before and are given again keep what stood behind them then. In the first form nothing is said of a third signer.
 */
export const signatureStatementShape = union({
  witnessed: struct('holdfast/statement/signed/v2', {
    genesis: bytes(32),
    party: uint(8),
    session: bytes(32),
    witness: optional(uint(8)),
    absence: optional(bytes(32)),
    ...signedFields,
  }),
  alone: struct('holdfast/statement/signed/v1', { genesis: bytes(32), party: uint(8), ...signedFields }),
})

const messageShape = struct('holdfast/signer/message/v1', { bytes: bytes(undefined, 1 << 16) })

/** By which registers and statements name what is signed: itself, or its hash on chains where the signature is of a longer message. */
export const digestToSign = (message: Uint8Array): Uint8Array => (message.length === 32 ? message : digest(messageShape, { bytes: message }))

/** A signer says that it refused, at which check, and why. */
export const refusalStatementShape = struct('holdfast/statement/refused/v1', {
  genesis: bytes(32),
  party: uint(8),
  requestHash: bytes(32),
  check: text(8),
  reason: text(1000),
  atMs: uint(),
})

/** A signer says that it holds a share of a key, and which key that is. */
export const keyStatementShape = struct('holdfast/statement/key/v1', {
  genesis: bytes(32),
  party: uint(8),
  keyId: bytes(32),
  epoch: uint(),
  protocol: text(64),
  publicKey: bytes(undefined, 33),
  chainCode: bytes(32),
  atMs: uint(),
})

/**
 * A signer says that it has a share of a key's next epoch on disk, and for ECDSA what it signs with beside each peer. `key` is the digest of all
 * that is public of that epoch: three signers that name the same digest hold shares that fit. `intentHash` is the order that asked for it.
 */
export const epochStatementShape = struct('holdfast/statement/epoch/v1', {
  genesis: bytes(32),
  party: uint(8),
  keyId: bytes(32),
  epoch: uint(),
  protocol: text(64),
  publicKey: bytes(undefined, 33),
  chainCode: bytes(32),
  key: bytes(32),
  intentHash: bytes(32),
  atMs: uint(),
})

/** A signer says that it signs nothing with a key any more, because an order says so. */
export const retiredStatementShape = struct('holdfast/statement/key-retired/v1', {
  genesis: bytes(32),
  party: uint(8),
  keyId: bytes(32),
  epoch: uint(),
  intentHash: bytes(32),
  atMs: uint(),
})

/** A signer says that an address belongs to a key it holds a share of. */
export const addressStatementShape = struct('holdfast/statement/address/v1', {
  genesis: bytes(32),
  party: uint(8),
  keyId: bytes(32),
  path: list(uint(31), 8),
  chain: text(64),
  address: text(128),
})

/** Addresses that one statement speaks of at most. */
export const ADDRESSES_AT_ONCE = 1000

/**
 * A signer says that addresses belong to a key it holds a share of: those of one sub-wallet at the paths m/subWallet/first and on, one after the other. `root`
 * is that of the tree of RFC 6962 over them (`addressTree`), so that each can be proven by itself.
 */
export const addressesStatementShape = struct('holdfast/statement/addresses/v1', {
  genesis: bytes(32),
  party: uint(8),
  keyId: bytes(32),
  chain: text(64),
  subWallet: uint(31),
  first: uint(31),
  count: uint(16),
  root: bytes(32),
})

const addressLeafShape = struct('holdfast/address-leaf/v1', { address: text(128) })

/** The tree over addresses that signers attest together, in their order. */
export function addressTree(addresses: readonly string[]): MerkleTree {
  const tree = new MerkleTree()
  for (const address of addresses) tree.append(leafHash(encode(addressLeafShape, { address })))
  return tree
}

/**
 * A signer says that it has read an order, and under which policy it would judge it: a second opinion for whoever approves.
 * `objection` is empty, or says why this signer would not sign the order now. `challenge` is the asker's, so that no older
 * statement can be given in the place of a new one.
 */
export const orderStatementShape = struct('holdfast/statement/order/v1', {
  genesis: bytes(32),
  party: uint(8),
  intentHash: bytes(32),
  policyHash: bytes(32),
  objection: text(1000),
  challenge: bytes(32),
  atMs: uint(),
})

/** A signer says that it has pinned an organisation. */
export const pinStatementShape = struct('holdfast/statement/pinned/v1', { genesis: bytes(32), party: uint(8), atMs: uint() })

export type SignatureStatement = Infer<typeof signatureStatementShape>
export type WitnessedStatement = Extract<SignatureStatement, { kind: 'witnessed' }>
export type RefusalStatement = Infer<typeof refusalStatementShape>
export type KeyStatement = Infer<typeof keyStatementShape>
export type EpochStatement = Infer<typeof epochStatementShape>
export type AddressStatement = Infer<typeof addressStatementShape>
export type AddressesStatement = Infer<typeof addressesStatementShape>

/** Signs the canonical bytes of a statement as party `party`. */
export function signMessage<S extends StructShape | UnionShape>(shape: S, value: Infer<S>, party: bigint, secretKey: Uint8Array): Signed {
  const message = encode(shape, value)
  return { message, party, signature: signEd25519(message, secretKey) }
}

/** The signed message's value, or undefined if the signature is not by this key. Throws EncodingFault for bytes of another shape. */
export function openSigned<S extends StructShape | UnionShape>(shape: S, signed: Signed, publicKey: Uint8Array): Infer<S> | undefined {
  return verifyEd25519(signed.signature, signed.message, publicKey) ? decode(shape, signed.message) : undefined
}
