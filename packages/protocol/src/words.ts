import { bool, bytes, type Infer, list, optional, struct, text, uint, union } from '@holdfast/encoding'

/** The highest position of a peer's journal that a signer has seen. */
export const seenShape = struct('holdfast/seen/v1', { party: uint(8), journal: uint(53) })

/** In the place of an asset: all of them together, by what they are worth in cents of a US dollar by the policy of whoever counts. */
export const CENTS = 'cents'

/**
 * What a limit of a rule counts since when: orders under the rule, of one asset, of any, or what they are worth (`CENTS`), and of those all, or those of one asker, to one destination or from
 * one paying address (`of`).
 */
const countShape = struct('holdfast/asks/count/v1', { rule: text(64), asset: optional(text(256)), each: text(16), of: text(128), sinceMs: uint() })

export const COUNTS_MAX = 256

/**
 * What a party of a signing session must hear from every signer before it begins. `orders`: the order to pay, and the one about it by which people allowed
 * the bytes, where that is another. `counts`: what the limits of the rule count that lets it through.
 */
export const asksShape = struct('holdfast/asks/v3', {
  orders: list(bytes(32), 2),
  counts: list(countShape, COUNTS_MAX),
  /** The standing order under which a transfer is to be signed that nobody approves. */
  standingOrder: optional(bytes(16)),
})

/** Amounts of single orders that a word holds for one count; what is older is one sum, which counts against the limit whole. */
export const SPENDS_MAX = 4096
export const FROZEN_MAX = 16

const wordFields = {
  genesis: bytes(32),
  party: uint(8),
  session: bytes(32),
  policyVersion: uint(),
  policyHash: bytes(32),
  logSize: uint(53),
  journal: uint(53),
  seen: list(seenShape, 3),
  /** Freezes in force here (`freezeShape`), each with the person's own signature. */
  frozen: list(bytes(undefined, 1 << 14), FROZEN_MAX),
  /** Who has said no to which of the orders. */
  vetoes: list(struct('holdfast/word/veto/v1', { order: bytes(32), person: bytes(16) }), 256),
  /** The slot of the order to pay. `committed`: bytes may have been signed in it, the latest with the hash `unsigned`; `cancelled`: they pay nobody. */
  binding: optional(struct('holdfast/word/binding/v1', { slot: text(512), committed: bool(), cancelled: bool(), unsigned: optional(bytes(32)) })),
  atMs: uint(),
}

const spendsShape = list(struct('holdfast/word/spend/v1', { order: bytes(32), amount: uint(256), atMs: uint() }), SPENDS_MAX)

/** What this signer let through of what is counted, without the order that is asked about. */
const countedShape = struct('holdfast/word/counted/v1', { spends: spendsShape, older: uint(256), olderCount: uint(53) })

/** The words of before counted under one rule, and in one asset. */
const { atMs, ...earlierFields } = wordFields
const windowFields = { ...earlierFields, spends: spendsShape, older: uint(256), atMs }

/** Changes of the policy of which a word says who approved them. */
export const VOTED_MAX = 256
/**
 * What people said at a signer's page of a change of the policy in force. `governors` with their `threshold` are those who are to govern, where they are others
 * than now; otherwise there are none.
 */
const votedShape = struct('holdfast/word/voted/v1', {
  change: bytes(32),
  initiator: bytes(16),
  governors: list(bytes(16), 256),
  threshold: uint(8),
  approvedBy: list(bytes(16), 512),
  rejectedBy: list(bytes(16), 512),
})

const fourthFields = {
  ...wordFields,
  voted: list(votedShape, VOTED_MAX),
  counted: list(countedShape, COUNTS_MAX),
  /** The whitelist as this signer has it: its version, and the order that made it. */
  book: struct('holdfast/word/book/v1', { version: uint(), hash: bytes(32) }),
}

const fifthFields = {
  ...fourthFields,
  /** The standing order that is asked about, as this signer has it: its version, its order, and who stopped it. Absent where it has none. */
  standingOrder: optional(struct('holdfast/word/standing-order/v1', { version: uint(53), hash: bytes(32), stoppedBy: optional(bytes(16)) })),
}

/**
 * A signer's word on one session: what it knows that counts for the orders which the joins ask about. The session id hashes the joins of both parties, so
 * a word is given after both have opened it, answers exactly what they ask, and serves for no other session; `counted` answers their counts in the same order.
 * Words of earlier forms, which evidence holds, say nothing of who decides for whom; those before the fifth nothing of standing orders; those before the
 * fourth nothing of the whitelist; the first two count under one rule, and the very first say nothing of changes of the policy.
 */
export const wordShape = union({
  word: struct('holdfast/word/v6', {
    ...fifthFields,
    /** The highest number under which each person has said who decides in their place, as this signer has heard it: what is lower has ended (ADR 53). */
    ended: list(struct('holdfast/word/ended/v1', { person: bytes(16), sequence: uint(53) }), 256),
  }),
  fifth: struct('holdfast/word/v5', fifthFields),
  fourth: struct('holdfast/word/v4', fourthFields),
  third: struct('holdfast/word/v3', { ...wordFields, voted: list(votedShape, VOTED_MAX), counted: list(countedShape, COUNTS_MAX) }),
  second: struct('holdfast/word/v2', { ...windowFields, voted: list(votedShape, VOTED_MAX) }),
  first: struct('holdfast/word/v1', windowFields),
})

/**
 * A signer says that it would follow an order now, by everything it checks before it does: a change of the policy, an order about a key, an order to
 * the signers.
 * From then on it takes no rejection of it. `subject` is the order's hash, `kind` that of its intent.
 */
export const endorsementShape = struct('holdfast/endorsement/v1', {
  genesis: bytes(32),
  party: uint(8),
  kind: text(16),
  subject: bytes(32),
  policyVersion: uint(),
  policyHash: bytes(32),
  atMs: uint(),
})

export type Asks = Infer<typeof asksShape>
export type Count = Asks['counts'][number]
/** A word as signers give it now. */
export type Word = Extract<Infer<typeof wordShape>, { kind: 'word' }>
/** A word of any form that evidence may hold. */
export type AnyWord = Infer<typeof wordShape>
export type Voted = Infer<typeof votedShape>
export type Endorsement = Infer<typeof endorsementShape>
