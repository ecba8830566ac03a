import { bool, bytes, type Infer, list, optional, struct, text, uint, union } from '@holdfast/encoding'
import { BOOK_ORDER_BYTES_MAX, FREEZES_MAX, STOPPED_MAX, stoppedShape } from '@holdfast/intent'
import { GENESIS_RECORD_BYTES_MAX, POLICY_CHANGE_BYTES_MAX } from '@holdfast/policy'

const amounts = { intentHash: bytes(32), chain: text(64), from: text(128), slot: uint(256), ruleId: text(64), amount: uint(256) }
const held = { ...amounts, contract: optional(text(128)), unsigned: bytes(32), expiresAtMs: uint(), policyVersion: uint() }
const attempt = { ...held, feeMax: uint(256), cancels: bool(), validUntilMs: optional(uint()) }

/**
 * What a sign session holds while it may still lead to a signature: the order's slot, and what counts against its rule. `unsigned` is SHA-256 of the
 * bytes to be signed; with time and policy version of the order it says when another order may have the slot, as does
 * `validUntilMs` where the bytes end by themselves. `intentHash` is that of the order to pay, also where another order allows the bytes; `cancels` says
 * that they pay nobody. `initiator` asked for it and `paid` says whom it pays: limits may count those by themselves. Journals from before do not hold these,
 * and older ones not even the contract: what they hold counts against every asset.
 */
export const reservationShape = union({
  told: struct('holdfast/journal/reservation/v6', {
    ...attempt,
    initiator: bytes(16),
    paid: list(struct('holdfast/journal/paid/v1', { to: text(128), amount: uint(256) }), 256),
  }),
  attempt: struct('holdfast/journal/reservation/v5', attempt),
  ending: struct('holdfast/journal/reservation/v4', { ...held, validUntilMs: uint() }),
  order: struct('holdfast/journal/reservation/v3', held),
  transfer: struct('holdfast/journal/reservation/v2', { ...amounts, contract: optional(text(128)) }),
  unnamed: struct('holdfast/journal/reservation/v1', amounts),
})

const publicKey = { keyId: bytes(32), epoch: uint(), protocol: text(64), curve: text(64), publicKey: bytes(undefined, 33), chainCode: bytes(32) }

/** How a session ended. Only `signed` and `made` gave a result. */
export const OUTCOMES = ['signed', 'made', 'ended', 'timeout', 'refused', 'fault', 'cheat'] as const
export type SessionOutcome = (typeof OUTCOMES)[number]

/** The most that a record of the journal has: that of a pinned organisation with all its versions, and room for what is around it. */
export const RECORD_BYTES_MAX = GENESIS_RECORD_BYTES_MAX + (1 << 20)

/** Everything a signer must not forget. What it decides, it decides from these alone. */
export const journalEventShape = union({
  pinned: struct('holdfast/journal/pinned/v1', { record: bytes(undefined, GENESIS_RECORD_BYTES_MAX) }),
  policyAccepted: struct('holdfast/journal/policy-accepted/v1', { record: bytes(undefined, POLICY_CHANGE_BYTES_MAX) }),
  checkpointSigned: struct('holdfast/journal/checkpoint-signed/v1', { size: uint(53), root: bytes(32) }),
  sessionOpened: struct('holdfast/journal/session-opened/v1', {
    requestHash: bytes(32),
    session: text(16),
    keyId: bytes(32),
    epoch: uint(),
    parties: list(uint(8), 3),
    reservation: optional(reservationShape),
  }),
  sessionStarted: struct('holdfast/journal/session-started/v1', {
    requestHash: bytes(32),
    seen: list(struct('holdfast/journal/seen/v1', { party: uint(8), mark: uint(53) }), 3),
  }),
  /**
   * As `sessionStarted`, of a session that signs: `seen` is also of the third signer, and `witness` is that signer, where it gave its word; otherwise `absence` is the
   * order that says it is away.
   */
  signingStarted: struct('holdfast/journal/session-started/v2', {
    requestHash: bytes(32),
    seen: list(struct('holdfast/journal/seen/v1', { party: uint(8), mark: uint(53) }), 3),
    witness: optional(uint(8)),
    absence: optional(bytes(32)),
  }),
  sessionEnded: struct('holdfast/journal/session-ended/v1', { requestHash: bytes(32), outcome: text(16), reason: text(1000) }),
  keyMade: struct('holdfast/journal/key-made/v1', { ...publicKey, publicKey: bytes(33) }),
  /** As `keyMade`, of a key whose public key may have another length than 33 bytes. */
  keyOfKindMade: struct('holdfast/journal/key-made/v2', publicKey),
  /** A session for new shares was joined: what was staged for the key before, and not attested, is given up. `anew` is the signer that begins anew, or 0. */
  keyChangeBegan: struct('holdfast/journal/key-change-began/v1', { requestHash: bytes(32), keyId: bytes(32), intentHash: bytes(32), anew: uint(8) }),
  /** The share of the next epoch is in the vault. `key` is the digest of what is public of it; `received` where this signer had no share to deal from. */
  keyStaged: struct('holdfast/journal/key-staged/v1', { ...publicKey, key: bytes(32), intentHash: bytes(32), received: bool() }),
  /** This signer has given its word that the next epoch is on disk here: another signer may act on it from now on. */
  epochAttested: struct('holdfast/journal/epoch-attested/v1', { keyId: bytes(32), epoch: uint() }),
  epochActivated: struct('holdfast/journal/epoch-activated/v1', { keyId: bytes(32), epoch: uint() }),
  /** The share of an old epoch is given up; the files go after this is written. */
  epochRetired: struct('holdfast/journal/epoch-retired/v1', { keyId: bytes(32), epoch: uint() }),
  /** This signer signs nothing with the key any more. Its share is kept. */
  keyRetired: struct('holdfast/journal/key-retired/v1', { keyId: bytes(32), epoch: uint(), intentHash: bytes(32) }),
  /** The share was sealed to the recipients of an order: what it opens is out of this signer's hands. */
  shareExported: struct('holdfast/journal/share-exported/v1', { keyId: bytes(32), epoch: uint(), intentHash: bytes(32) }),
  signed: struct('holdfast/journal/signed/v1', {
    intentHash: bytes(32),
    keyId: bytes(32),
    path: list(uint(31), 8),
    digest: bytes(32),
    signature: struct('holdfast/journal/signature/v1', { r: bytes(32), s: bytes(32), recovery: uint(8) }),
  }),
  burned: struct('holdfast/journal/burned/v1', { keyId: bytes(32), epoch: uint(), peer: uint(8), reason: text(1000) }),
  refused: struct('holdfast/journal/refused/v1', { requestHash: bytes(32), check: text(8), reason: text(1000) }),
  /** So many refusals left this signer since the last one that is written, and were not written. */
  refusalsLeftOut: struct('holdfast/journal/refusals-left-out/v1', { count: uint(53) }),
  vetoed: struct('holdfast/journal/vetoed/v1', { intentHash: bytes(32), person: bytes(16) }),
  /** The highest counter that a passkey has shown, with the approval it came with. */
  counted: struct('holdfast/journal/counted/v1', { credentialId: bytes(undefined, 1024), counter: uint(32), signedAtMs: uint(), challenge: bytes(32) }),
  /** People said that a signer is away, until a time. */
  absenceAccepted: struct('holdfast/journal/absence-accepted/v1', { intentHash: bytes(32), party: uint(8), untilMs: uint() }),
  /** A signer that was said to be away has spoken. */
  signerBack: struct('holdfast/journal/signer-back/v1', { party: uint(8) }),
  /** One person stopped all signing, here or at another signer: `freezeShape`. */
  frozen: struct('holdfast/journal/frozen/v1', { freeze: bytes(undefined, 1 << 14) }),
  /** These freezes count no more: the people who govern lifted them by an order, or a later freeze (`intentHash` is its hash) took the place of older ones. */
  freezesLifted: struct('holdfast/journal/freezes-lifted/v1', { intentHash: bytes(32), freezes: list(bytes(32), FREEZES_MAX) }),
  /** The whitelist was changed by an approved order, whole; what it adds counts from then on. */
  bookChanged: struct('holdfast/journal/book-changed/v1', { intent: bytes(undefined, BOOK_ORDER_BYTES_MAX), usableAtMs: uint(53) }),
  /** A standing order was followed, in the place of every version before it. */
  standingOrderFollowed: struct('holdfast/journal/standing-order-followed/v1', { intent: bytes(undefined, BOOK_ORDER_BYTES_MAX) }),
  /** Somebody stopped standing orders, each in a version, here or at another signer. */
  standingOrdersStopped: struct('holdfast/journal/standing-orders-stopped/v1', { person: bytes(16), orders: list(stoppedShape, STOPPED_MAX) }),
  /** Somebody signed by whom they let another decide in their place, or that nobody does: what they said under lower numbers has ended. */
  delegationEnded: struct('holdfast/journal/delegation-ended/v1', { person: bytes(16), sequence: uint(53) }),
  /** Every step of a rule with a delay was met for an order: the delay counts from then on. */
  quorumSeen: struct('holdfast/journal/quorum-seen/v1', { intentHash: bytes(32), ruleId: text(64) }),
  /** This signer gave its word that it would follow an order: a no to it comes too late here. */
  endorsed: struct('holdfast/journal/endorsed/v1', { intentHash: bytes(32) }),
  /** What somebody said here of a change of the policy, once the server has taken it: see `votedShape`. */
  policyVoted: struct('holdfast/journal/policy-voted/v1', {
    change: bytes(32),
    policyVersion: uint(),
    initiator: bytes(16),
    governors: list(bytes(16), 256),
    threshold: uint(8),
    person: bytes(16),
    approves: bool(),
  }),
  /** A change of the policy that loosens it was brought here, as people approved it: not before this time it is followed. */
  looseningHeard: struct('holdfast/journal/loosening-heard/v1', { change: bytes(32), untilMs: uint(53) }),
  /** The process began. Sessions that were under way are over. */
  restarted: struct('holdfast/journal/restarted/v1', {}),
})

export type JournalEvent = Infer<typeof journalEventShape>
export type Reservation = Infer<typeof reservationShape>
/** A reservation as sessions hold it now. */
export type TellingReservation = Extract<Reservation, { kind: 'told' }>
