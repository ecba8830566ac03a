import { bytes, decode, digest, encode, EncodingFault, type Infer, list, struct, text, uint, union } from '@holdfast/encoding'
import { GENESIS_RECORD_BYTES_MAX } from '@holdfast/policy'
import { at } from '@holdfast/units'
import { signedShape } from './session.ts'

/**
 * What is inside a sealed share: the whole share as the protocol keeps it, and whose it is. Two of these rebuild the key. The
 * signer's own secret key is not inside: who opens a kit can move the money, but cannot speak as this signer.
 */
export const sharePackageShape = struct('holdfast/share-package/v1', {
  genesis: bytes(32),
  party: uint(8),
  name: text(200),
  operator: text(200),
  signKey: bytes(32),
  /** Canonical bytes of the protocol's key share. */
  share: bytes(undefined, 1 << 16),
})

const sealedFields = { genesis: bytes(32), keyId: bytes(32), epoch: uint(), party: uint(8) }

/**
 * One signer's whole share package, sealed with age to the organisation's recipients for that signer. Signed by it. Either each recipient alone opens it
 * (`single`), or `threshold` of the officers together (`quorum`): then `sealed` is an age file to an identity that was made for it alone, and each officer's
 * `sealed` is an age file to that officer with a `recoveryPartShape`, one of the parts that this identity's text was split into.
 */
export const sealedShareShape = union({
  single: struct('holdfast/sealed-share/v1', { ...sealedFields, recipients: list(text(4096), 16), sealed: bytes(undefined, 1 << 20) }),
  quorum: struct('holdfast/sealed-share/v2', {
    ...sealedFields,
    threshold: uint(8),
    officers: list(struct('holdfast/officer-part/v1', { recipient: text(4096), sealed: bytes(undefined, 1 << 14) }), 16),
    sealed: bytes(undefined, 1 << 20),
  }),
})

/**
 * What is inside an officer's part: which sealing it belongs to, told by the SHA-256 of the share's `sealed`, and a point of Shamir's polynomials
 * (`splitSecret`).
 */
export const recoveryPartShape = struct('holdfast/recovery-part/v1', {
  ...sealedFields,
  sealing: bytes(32),
  x: uint(8),
  y: bytes(undefined, 256),
})

/** More keys than a wallet has. */
const KEYS_MAX = 8
/** The most that a file of kits may have: the record of the organisation is in each, and two megabytes are room for the rest of one. */
export const KIT_FILE_BYTES_MAX = KEYS_MAX * (GENESIS_RECORD_BYTES_MAX + (2 << 20))

/** Addresses that a kit names. A key may have more: they are found by trying, or by the exported list. */
export const KIT_ADDRESSES_MAX = 10_000

/** All that is needed to rebuild a key without any server, and to check that it was rebuilt. */
export const recoveryKitShape = struct('holdfast/recovery-kit/v1', {
  genesisRecord: bytes(undefined, GENESIS_RECORD_BYTES_MAX),
  keyId: bytes(32),
  epoch: uint(),
  protocol: text(64),
  publicKey: bytes(undefined, 33),
  chainCode: bytes(32),
  /** Sealed shares, each signed by its signer. */
  shares: list(signedShape, 3),
  addresses: list(struct('holdfast/kit-address/v1', { path: list(uint(31), 8), chain: text(64), address: text(128) }), KIT_ADDRESSES_MAX),
  createdAtMs: uint(),
})

/** Proof that a kit rebuilds its key: the rebuilt key itself has signed these words. Not a transaction on any chain. */
export const drillShape = struct('holdfast/recovery-drill/v1', {
  genesis: bytes(32),
  keyId: bytes(32),
  epoch: uint(),
  kitHash: bytes(32),
  addressesChecked: uint(),
  atMs: uint(),
})

/** A drill with the rebuilt key's own signature (64 bytes, of the kind the key makes) over the drill's SHA-256. */
export const drillRecordShape = struct('holdfast/recovery-drill-record/v1', { drill: drillShape, signature: bytes(64) })

export type SealedShare = Infer<typeof sealedShareShape>
export type RecoveryPart = Infer<typeof recoveryPartShape>
export type RecoveryKit = Infer<typeof recoveryKitShape>
export type Drill = Infer<typeof drillShape>
export type DrillRecord = Infer<typeof drillRecordShape>

/** The kits of all keys of a wallet in one file. The kit of a wallet's only key is a file by itself. */
const walletKitShape = struct('holdfast/wallet-kit/v1', { kits: list(recoveryKitShape, KEYS_MAX) })
const kitFileShape = union({ one: recoveryKitShape, several: walletKitShape })

/** Drills of several keys, held together. */
const walletDrillShape = struct('holdfast/wallet-drill/v1', { records: list(drillRecordShape, KEYS_MAX) })
const drillFileShape = union({ one: drillRecordShape, several: walletDrillShape })

/** The kits in a file. Throws EncodingFault for bytes that are no kit. */
export function readKits(encoded: Uint8Array): RecoveryKit[] {
  const { kind: _kind, ...file } = decode(kitFileShape, encoded)
  return 'kits' in file ? atLeastOne(file.kits) : [file]
}

/** The file of these kits. */
export const encodeKits = (kits: readonly RecoveryKit[]): Uint8Array =>
  encode(kitFileShape, kits.length === 1 ? { kind: 'one', ...at(kits, 0) } : { kind: 'several', kits: [...kits] })

/** What a file of kits is known by: its only kit's own hash, or that of all of them. */
export const kitFileHash = (kits: readonly RecoveryKit[]): Uint8Array =>
  kits.length === 1 ? kitHash(at(kits, 0)) : digest(walletKitShape, { kits: [...kits] })

/** The drill records in a file. Throws EncodingFault for bytes that are none. */
export function readDrills(encoded: Uint8Array): DrillRecord[] {
  const { kind: _kind, ...file } = decode(drillFileShape, encoded)
  return 'records' in file ? atLeastOne(file.records) : [file]
}

/** The file of these drill records. */
export const encodeDrills = (records: readonly DrillRecord[]): Uint8Array =>
  encode(drillFileShape, records.length === 1 ? { kind: 'one', ...at(records, 0) } : { kind: 'several', records: [...records] })

function atLeastOne<T>(found: T[]): T[] {
  if (found.length === 0) throw new EncodingFault('it is of no key')
  return found
}

export const kitHash = (kit: RecoveryKit): Uint8Array => digest(recoveryKitShape, kit)
export const drillDigest = (drill: Drill): Uint8Array => digest(drillShape, drill)
