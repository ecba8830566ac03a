import { bytes, digest, type Infer, list, optional, struct, text, uint, union } from '@holdfast/encoding'
import { BATCH_BYTES_MAX } from '@holdfast/intent'
import { asksShape, seenShape } from './words.ts'

/** Canonical bytes of a log entry with its place in the tree of a checkpoint. */
export const loggedShape = struct('holdfast/logged/v1', { entry: bytes(undefined, 1 << 20), index: uint(53), proof: list(bytes(32), 64) })

/** Three signers make a key that none of them has. `protocol` is the kind of key: what kind of signature it makes, in which group. */
export const generateKeyShape = struct('holdfast/request/generate-key/v2', {
  genesis: bytes(32),
  keyId: bytes(32),
  protocol: text(64),
  epoch: uint(),
  parties: list(uint(8), 3),
  purpose: text(64),
  nonce: bytes(32),
})

/** Two signers prepare to sign with each other. */
export const pairSetupShape = struct('holdfast/request/pair-setup/v1', {
  genesis: bytes(32),
  keyId: bytes(32),
  epoch: uint(),
  parties: list(uint(8), 2),
  nonce: bytes(32),
})

const signFields = {
  genesis: bytes(32),
  keyId: bytes(32),
  epoch: uint(),
  parties: list(uint(8), 2),
  intent: bytes(undefined, 1 << 16),
  approvals: list(bytes(undefined, 1 << 16), 256),
  unsigned: bytes(undefined, 1 << 18),
  checkpoint: text(4096),
  /** The log entries of the intent and of every approval, in the same order. */
  logged: list(loggedShape, 257),
  nonce: bytes(32),
}

const ownPath = { keyId: bytes(32), path: list(uint(31), 8) }
/** Where one of the addresses that an order pays comes from, if it is the organisation's own. */
const ownAddressShape = struct('holdfast/request/own-address/v1', { address: text(128), ...ownPath })
/** An earlier payment to an address: its bytes as they were sent, which carry the signatures of the organisation's own key. */
const earlierPaymentShape = struct('holdfast/request/earlier-payment/v1', {
  address: text(128),
  ...ownPath,
  raw: bytes(undefined, 1 << 16),
})

const thirdSignFields = {
  ...signFields,
  rule: optional(text(64)),
  own: list(ownAddressShape, 256),
  paid: list(earlierPaymentShape, 16),
}

/**
 * Two signers sign one transaction. Everything they need to judge it is here; they trust none of it unchecked. `rule` says by which rule of the policy, where
 * the limits of those before it are used up; it is the first that may decide, if absent. `own` and `paid` prove of addresses what rules may ask of them.
 * `standingOrder` is the hash of the standing order that covers the order: then nobody approves it, and no rule decides.
 */
const fourthSignFields = { ...thirdSignFields, standingOrder: optional(bytes(32)) }

/** The batch of which the order is a line, and its entry in the log. */
export const batchOrderShape = struct('holdfast/batch-order/v1', { intent: bytes(undefined, BATCH_BYTES_MAX), logged: loggedShape })

/** `batch`: the batch of which the order pays a line. Then the approvals are those of the batch. */
export const signShape = struct('holdfast/request/sign/v5', { ...fourthSignFields, batch: optional(batchOrderShape) })

/** As signers were asked before there were batches. */
export const fourthSignShape = struct('holdfast/request/sign/v4', fourthSignFields)

/** As signers were asked before there were standing orders. */
export const thirdSignShape = struct('holdfast/request/sign/v3', thirdSignFields)

/** As signers were asked before rules had limits that pass orders on. */
export const firstSignShape = struct('holdfast/request/sign/v1', signFields)

/**
 * Three signers get new shares of a key, as an approved order says. `epoch` is the new one. `key` is what is public of the key in the old epoch
 * (canonical bytes of the protocol's own shape), for a signer that has no share of it.
 */
export const reshareShape = struct('holdfast/request/reshare/v1', {
  genesis: bytes(32),
  keyId: bytes(32),
  epoch: uint(),
  parties: list(uint(8), 3),
  key: bytes(undefined, 1 << 12),
  intent: bytes(undefined, 1 << 16),
  approvals: list(bytes(undefined, 1 << 16), 256),
  checkpoint: text(4096),
  /** The log entries of the intent and of every approval, in the same order. */
  logged: list(loggedShape, 257),
  nonce: bytes(32),
})

/** Three signers show each other that each still has its share. Nothing is signed. */
export const shareCheckShape = struct('holdfast/request/share-check/v1', {
  genesis: bytes(32),
  keyId: bytes(32),
  epoch: uint(),
  parties: list(uint(8), 3),
  nonce: bytes(32),
})

export const sessionRequestShape = union({
  generateKey: generateKeyShape,
  pairSetup: pairSetupShape,
  sign: signShape,
  fourthSign: fourthSignShape,
  thirdSign: thirdSignShape,
  firstSign: firstSignShape,
  reshare: reshareShape,
  shareCheck: shareCheckShape,
})
export type SessionRequest = Infer<typeof sessionRequestShape>
export type ReshareRequest = Extract<SessionRequest, { kind: 'reshare' }>
export type SignRequest = Extract<SessionRequest, { kind: 'sign' }>

/** What a signer contributes when it joins, after it has checked the request. Signed as `signedShape`. */
export const joinShape = struct('holdfast/join/v3', {
  genesis: bytes(32),
  requestHash: bytes(32),
  party: uint(8),
  random: bytes(32),
  /** X25519 public key of this session, for the messages meant for this signer alone. */
  ephemeralKey: bytes(32),
  /** How far this signer has come: peers refuse one that went backwards. */
  policyVersion: uint(),
  logSize: uint(53),
  journal: uint(53),
  /** The highest journal position this signer has seen of each peer. */
  seen: list(seenShape, 3),
  /** What every signer is to say before this one begins: of a session that signs. */
  asks: optional(asksShape),
})
export type Join = Infer<typeof joinShape>

/** One protocol message on its way. `body` is sealed for the receiver where `to` is one party (not 0). */
export const envelopeShape = struct('holdfast/envelope/v1', {
  genesis: bytes(32),
  session: bytes(32),
  round: uint(16),
  from: uint(8),
  to: uint(8),
  body: bytes(undefined, 1 << 20),
})
export type Envelope = Infer<typeof envelopeShape>

/** Canonical bytes with the Ed25519 signature of a signer over them. */
export const signedShape = struct('holdfast/signed/v1', { message: bytes(undefined, 1 << 21), party: uint(8), signature: bytes(64) })
export type Signed = Infer<typeof signedShape>

/** A join fits whatever it asks for: with `COUNTS_MAX` counts, each as long as it can be, it has half as many bytes. */
const JOIN_BYTES_MAX = 1 << 18
export const sessionIdShape = struct('holdfast/session-id/v1', { genesis: bytes(32), requestHash: bytes(32), joins: list(bytes(undefined, JOIN_BYTES_MAX), 3) })

/** The hash by which joins and refusals speak of a request. */
export function requestHash(request: SessionRequest): Uint8Array {
  return digest(sessionRequestShape, request)
}

/** The session id: nobody chooses it alone, for it hashes the request (by its `requestHash`) and every party's join, ordered by party. */
export function sessionId(genesis: Uint8Array, request: Uint8Array, joins: readonly Uint8Array[]): Uint8Array {
  return digest(sessionIdShape, { genesis, requestHash: request, joins: [...joins] })
}
