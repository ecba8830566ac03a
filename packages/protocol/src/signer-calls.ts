import { bool, bytes, list, optional, type Shape, struct, text, uint, union } from '@holdfast/encoding'
import { BOOK_ORDER_BYTES_MAX, STOPPED_MAX } from '@holdfast/intent'
import { GENESIS_RECORD_BYTES_MAX, POLICY_CHANGE_BYTES_MAX } from '@holdfast/policy'
import { loggedShape, signedShape } from './session.ts'
import { FROZEN_MAX } from './words.ts'

const genesis = bytes(32)

/** The check of an `unavailable` answer to a sign session: the two signers have no set-up they can sign with, and can be asked to make one. */
export const SET_UP_NEEDED = 'set-up'

/** What a session answers: messages for the peers, and the result once there is one. */
const turnShape = struct('holdfast/call/turn/v1', {
  session: bytes(32),
  outgoing: list(signedShape, 16),
  done: bool(),
  /** generateKey, shareCheck: a signed key statement. pairSetup, reshare: empty. sign: `signatureResultShape`. */
  result: bytes(undefined, 1 << 20),
})

/** What a signing session gives: one signature a digest, and the signer's statement. */
export const signatureResultShape = struct('holdfast/signature-result/v1', {
  signatures: list(struct('holdfast/signature/v1', { r: bytes(32), s: bytes(32), recovery: uint(8) }), 64),
  statement: signedShape,
})

/**
 * An order that people approved, with what shows that it and every approval stand in the log: the entries of the intent and of the approvals, in this
 * order.
 */
const approvedFields = {
  intent: bytes(undefined, BOOK_ORDER_BYTES_MAX),
  approvals: list(bytes(undefined, 1 << 16), 256),
  checkpoint: text(4096),
  logged: list(loggedShape, 257),
}
/** `endorsementShape` of the other signers. */
const endorsedFields = { endorsements: list(signedShape, 3) }

/** What signers follow one by one, whole: a record that changes the policy, or any other approved order. */
const endorsedShape = union({
  policyChange: struct('holdfast/call/endorsed/policy-change/v1', { record: bytes(undefined, POLICY_CHANGE_BYTES_MAX) }),
  order: struct('holdfast/call/endorsed/order/v1', approvedFields),
})

/** A call: the name on the link, what goes in and what comes out. */
export type CallDefinition<Q extends Shape = Shape, A extends Shape = Shape> = { name: string; request: Q; reply: A }
const call = <Q extends Shape, A extends Shape>(name: string, request: Q, reply: A): CallDefinition<Q, A> => ({ name, request, reply })

/** What the server may ask of a signer. There is no call that signs given bytes or a given hash. */
export const signerCalls = {
  describe: call(
    'describe',
    struct('holdfast/call/describe/v1', {}),
    struct('holdfast/call/description/v1', {
      party: uint(8),
      name: text(200),
      operator: text(200),
      signKey: bytes(32),
      build: text(128),
      /** Present where this signer serves the organisation's approval page. */
      approvalOrigin: optional(text(256)),
      approvalRpId: optional(text(256)),
      pageHash: optional(bytes(32)),
    }),
  ),
  pinGenesis: call('pin-genesis', struct('holdfast/call/pin-genesis/v1', { record: bytes(undefined, GENESIS_RECORD_BYTES_MAX) }), signedShape),
  /** Has this signer follow the next version of the policy, with the `endorsementShape` of the others. Repeatable. */
  applyPolicy: call(
    'apply-policy',
    struct('holdfast/call/apply-policy/v2', { genesis, record: bytes(undefined, POLICY_CHANGE_BYTES_MAX), endorsements: list(signedShape, 3) }),
    struct('holdfast/call/policy-applied/v1', { version: uint() }),
  ),
  /**
   * Tells this signer of a change of the policy that has its approvals. Where that loosens the policy, the answer is from when on it is followed here, counted
   * from the first time; anybody whose no stops it can say so until then. Null where it need not wait. Repeatable.
   */
  hearPolicy: call(
    'hear-policy',
    struct('holdfast/call/hear-policy/v1', { genesis, record: bytes(undefined, POLICY_CHANGE_BYTES_MAX) }),
    struct('holdfast/call/policy-heard/v1', { untilMs: optional(uint(53)) }),
  ),
  /**
   * An `endorsementShape`: this signer would follow a change of the policy, an order about a key, or an order to the signers, as it stands now. Whoever follows
   * one wants it of the others. Repeatable.
   */
  endorse: call('endorse', struct('holdfast/call/endorse/v1', { genesis, subject: endorsedShape }), signedShape),
  cosignCheckpoint: call(
    'cosign-checkpoint',
    struct('holdfast/call/cosign-checkpoint/v1', {
      genesis,
      size: uint(53),
      root: bytes(32),
      /** Where the caller believes this signer to be; a signer elsewhere answers with a fault that names its own size. */
      oldSize: uint(53),
      proof: list(bytes(32), 64),
    }),
    struct('holdfast/call/cosignature/v1', { line: text(512) }),
  ),
  /** How far this signer has come with an organisation. */
  status: call(
    'status',
    struct('holdfast/call/status/v1', { genesis }),
    struct('holdfast/call/status-reply/v2', {
      pinned: bool(),
      policyVersion: uint(),
      logSize: uint(53),
      journal: uint(53),
      locked: list(struct('holdfast/call/locked/v1', { keyId: bytes(32), epoch: uint(), peer: uint(8), reason: text(1000) }), 1024),
      /** Freezes in force here, as `freezeShape`. */
      frozen: list(bytes(undefined, 1 << 14), FROZEN_MAX),
      /** The signer that people said is away, until when, and the order that says so. */
      away: optional(struct('holdfast/call/away/v1', { party: uint(8), untilMs: uint(), intentHash: bytes(32) })),
    }),
  ),
  openSession: call('open-session', struct('holdfast/call/open-session/v1', { request: bytes(undefined, 1 << 21) }), signedShape),
  /** A `wordShape` on the session that these joins make: of every signer, also of the one that takes no part. Nothing is written. */
  giveWord: call('give-word', struct('holdfast/call/give-word/v1', { genesis, joins: list(signedShape, 2) }), signedShape),
  /** `words`: of the signers, on this session, where it signs. */
  startSession: call(
    'start-session',
    struct('holdfast/call/start-session/v2', { requestHash: bytes(32), joins: list(signedShape, 3), words: list(signedShape, 3) }),
    turnShape,
  ),
  deliver: call('deliver', struct('holdfast/call/deliver/v1', { session: bytes(32), envelopes: list(signedShape, 16) }), turnShape),
  endSession: call('end-session', struct('holdfast/call/end-session/v1', { requestHash: bytes(32) }), struct('holdfast/call/ended/v1', {})),
  /** Where this signer is with a key: the epoch it signs with, one that is ready to follow it, and those it still keeps from before. */
  keyEpochs: call(
    'key-epochs',
    struct('holdfast/call/key-epochs/v1', { genesis, keyId: bytes(32) }),
    struct('holdfast/call/key-epochs-reply/v1', {
      active: optional(uint()),
      staged: optional(struct('holdfast/call/staged-epoch/v1', { epoch: uint(), key: bytes(32), intentHash: bytes(32) })),
      former: list(uint(), 64),
    }),
  ),
  /** Canonical bytes of what is public of a key in the epoch this signer signs with. */
  keyPublic: call(
    'key-public',
    struct('holdfast/call/key-public/v1', { genesis, keyId: bytes(32), epoch: uint() }),
    struct('holdfast/call/key-public-reply/v1', { key: bytes(undefined, 1 << 12) }),
  ),
  /** An `epochStatementShape`, given once everything of the next epoch is on disk here. From then on no other run for this order is taken. */
  attestEpoch: call('attest-epoch', struct('holdfast/call/attest-epoch/v1', { genesis, keyId: bytes(32), epoch: uint() }), signedShape),
  /** Has this signer sign with the next epoch from now on. It wants the word of all three. Repeatable. */
  activateEpoch: call(
    'activate-epoch',
    struct('holdfast/call/activate-epoch/v1', { genesis, keyId: bytes(32), epoch: uint(), statements: list(signedShape, 3) }),
    struct('holdfast/call/epoch-activated/v1', {}),
  ),
  /** Has this signer delete its share of an old epoch: `drill` proves that the recovery kit of the epoch in use rebuilds the key. Repeatable. */
  retireEpoch: call(
    'retire-epoch',
    struct('holdfast/call/retire-epoch/v1', { genesis, keyId: bytes(32), epoch: uint(), drill: bytes(undefined, 1 << 12) }),
    struct('holdfast/call/epoch-retired/v1', {}),
  ),
  attestKey: call('attest-key', struct('holdfast/call/attest-key/v1', { genesis, keyId: bytes(32), epoch: uint() }), signedShape),
  attestAddress: call(
    'attest-address',
    struct('holdfast/call/attest-address/v1', { genesis, keyId: bytes(32), epoch: uint(), path: list(uint(31), 8), chain: text(64) }),
    signedShape,
  ),
  /** An `addressesStatementShape` about `count` addresses of a sub-wallet from number `first` on. */
  attestAddresses: call(
    'attest-addresses',
    struct('holdfast/call/attest-addresses/v1', {
      genesis,
      keyId: bytes(32),
      epoch: uint(),
      chain: text(64),
      subWallet: uint(31),
      first: uint(31),
      count: uint(16),
    }),
    signedShape,
  ),
  /** What this signer makes of an order: an `orderStatementShape`, for the page of another signer. */
  attestOrder: call('attest-order', struct('holdfast/call/attest-order/v2', { genesis, intent: bytes(undefined, 1 << 20), challenge: bytes(32) }), signedShape),
  /**
   * Has this signer follow an approved order that changes no share. An export answers a `sealedShareShape` for the recipients the order names, a retirement a
   * `retiredStatementShape`. Repeatable while the order is open.
   */
  followKeyOrder: call('follow-key-order', struct('holdfast/call/follow-key-order/v2', { genesis, ...approvedFields, ...endorsedFields }), signedShape),
  /**
   * Has this signer follow an approved order to the signers. Repeatable while the order is open; an order that changes the whitelist also later, with a
   * fresh word of a signer that follows it.
   */
  followSignerOrder: call(
    'follow-signer-order',
    struct('holdfast/call/follow-signer-order/v1', { genesis, ...approvedFields, ...endorsedFields }),
    struct('holdfast/call/signer-order-followed/v1', {}),
  ),
  /**
   * Tells this signer that every step of the rule (`rule`) which decides on an order to pay is met. From the first time on the rule's delay counts here, by
   * this signer's own clock. Repeatable.
   */
  seeQuorum: call(
    'see-quorum',
    struct('holdfast/call/see-quorum/v1', { genesis, ...approvedFields, rule: text(64) }),
    struct('holdfast/call/quorum-seen/v1', { signableAtMs: uint(53), isSignable: bool() }),
  ),
  /** How far this signer is with the whitelist, and the order that made the version it has. */
  bookStatus: call(
    'book-status',
    struct('holdfast/call/book-status/v1', { genesis }),
    struct('holdfast/call/book-status-reply/v1', { version: uint(), hash: bytes(32), entries: uint(32) }),
  ),
  /** The standing orders that this signer follows, each in its newest version, and who stopped which. */
  standingOrders: call(
    'standing-orders',
    struct('holdfast/call/standing-orders/v1', { genesis }),
    struct('holdfast/call/standing-orders-reply/v1', {
      orders: list(
        struct('holdfast/call/standing-order/v1', { id: bytes(16), version: uint(53), hash: bytes(32), stoppedBy: optional(bytes(16)) }),
        STOPPED_MAX,
      ),
    }),
  ),
  /** Stops standing orders by the word of one person (`stopShape`), whom the signer checks itself. Repeatable. */
  stopStandingOrders: call(
    'stop-standing-orders',
    struct('holdfast/call/stop-standing-orders/v1', { genesis, stop: bytes(undefined, 1 << 14) }),
    struct('holdfast/call/standing-orders-stopped/v1', {}),
  ),
  /**
   * Tells this signer by whom somebody lets another decide in their place, or that nobody does any more (`delegationShape`), which the signer checks itself.
   * `sequence`: the highest number that it has heard of that person. Repeatable.
   */
  setDelegation: call(
    'set-delegation',
    struct('holdfast/call/set-delegation/v1', { genesis, delegation: bytes(undefined, 1 << 14) }),
    struct('holdfast/call/delegation-set/v1', { sequence: uint(53) }),
  ),
  /** Stops all signing of an organisation, by the word of one person (`freezeShape`), whom the signer checks itself. Repeatable. */
  freeze: call('freeze', struct('holdfast/call/freeze/v1', { genesis, freeze: bytes(undefined, 1 << 14) }), struct('holdfast/call/frozen/v1', {})),
  sealShare: call('seal-share', struct('holdfast/call/seal-share/v1', { genesis, keyId: bytes(32), epoch: uint() }), signedShape),
} as const

/** What a signer's approval page may ask of the server, by way of the signer. Bodies are JSON text. */
export const pageCall = call(
  'page',
  struct('holdfast/call/page/v1', { method: text(64), body: text(1 << 20) }),
  struct('holdfast/call/page-reply/v1', { status: uint(16), body: text(1 << 21) }),
)

/** How a call on the link fails. `refused` is a decision and carries the signed statement; the others are events. */
export const callErrorShape = struct('holdfast/call/error/v1', {
  kind: text(16),
  check: text(8),
  message: text(1000),
  statement: optional(signedShape),
})
export const CALL_ERROR_KINDS = ['refused', 'fault', 'cheat', 'unavailable'] as const
