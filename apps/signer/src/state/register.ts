import { decode, toHex } from '@holdfast/encoding'
import { freezeHash, freezeShape } from '@holdfast/intent'
import {
  checkPolicyChange,
  checkRecord,
  emptyBook,
  type Genesis,
  genesisHash,
  genesisRecordShape,
  type Policy,
  policyChangeRecordShape,
  replacedSigners,
  type SignerIdentity,
  signersOf,
  type StandingOrders,
  stopStandingOrders,
} from '@holdfast/policy'
import type { Voted } from '@holdfast/protocol'
import { known } from '@holdfast/units'
import { type Counted, keepCounter } from './approver-counters.ts'
import { keepQuorum } from './keep-quorum.ts'
import type { JournalEvent, Reservation } from './journal-events.ts'
import { Spends, spentWith } from './spends.ts'
import { keepBook } from './keep-book.ts'
import { activateEpoch, retireEpoch, stagedOf } from './keep-epochs.ts'
import { keepStandingOrder } from './keep-standing-order.ts'
import { keepEnded } from '../checks/delegated/delegations.ts'
import { keepLoosening, keepVeto, keepVote } from '../checks/voted.ts'

/** What is public of a key this signer has a share of. */
export type Key = { keyId: Uint8Array; epoch: bigint; protocol: string; curve: string; publicKey: Uint8Array; chainCode: Uint8Array }
export type StoredSignature = { r: Uint8Array; s: Uint8Array; recovery: bigint }
export type Burn = { keyId: Uint8Array; epoch: bigint; peer: number; reason: string }
/** A session under way. `marks`: how far each peer said it was when this session started. */
type Session = {
  kind: string
  keyId: Uint8Array
  epoch: bigint
  parties: bigint[]
  reservation: Reservation | null
  state: 'opened' | 'started'
  marks: { party: bigint; mark: bigint }[]
  /** The signer that begins anew with this session, or 0. */
  anew: number
}
/**
 * The next epoch of a key: its share is in the vault, and it is not signed with yet. `key` is the digest of what is public of it. `received`: this signer had no
 * share of the epoch before. `attested`: another signer may count on it. `signers` are those that made it together, by whose words it becomes
 * active.
 */
export type Staged = Key & { key: Uint8Array; intentHash: Uint8Array; received: boolean; attested: boolean; signers: readonly SignerIdentity[] }
/**
 * An order's slot. `validUntilMs` of its bytes is null if they do not end by themselves. `committed` once a protocol message left: from then on a signature may exist. `bytes` says what would be signed and until when, where the
 * journal holds it. `before` is the dead order that had the slot, with the same bytes. `cancelled`: bytes that pay nobody may have been signed for it.
 */
type Binding = { slotKey: string; committed: boolean; bytes: OrderBytes | null; cancelled: boolean; before: string | null }
/** By what the bytes of an order were signed last: the word of a third signer, or an order that it is away. */
export type Stood = { witness: bigint | null; absence: Uint8Array | null }
/** A signer of which people said that it is away. */
export type Absence = { party: number; intentHash: Uint8Array; untilMs: number }
/** The bytes that were to be signed last. `feeMax` is the most that any may cost, null if the journal does not say; time and version are the latest of all. */
type OrderBytes = { unsigned: Uint8Array; feeMax: bigint | null; expiresAtMs: bigint; policyVersion: bigint; validUntilMs: bigint | null }
/** Checkpoints against which proofs are still taken. */
const CHECKPOINTS_KEPT = 256
/**
 * Signing sessions with one peer that may be cut off by a crash of this process. Each could have been a failed check that was not answered, which can tell a
 * cheater one bit of the pair's set-up. After more than these it is used up and signs nothing; a new one can be made at once, which has nothing of the old.
 */
export const INTERRUPTIONS_MAX = 16

/** The state that follows from the journal of one organisation, and from nothing else. Mutated by `applyEvent` only. */
export class Register {
  /** Nothing until a founding document is pinned. */
  readonly founded: { genesis: Genesis | null; policy: Policy | null } = { genesis: null, policy: null }
  fingerprint = new Uint8Array(32)
  genesisRecord = new Uint8Array(0)
  /** Every version that was in force before, oldest first: orders that name one can still be read. */
  readonly formerPolicies: Policy[] = []
  checkpoints: { size: number; root: Uint8Array }[] = []
  readonly bindings = new Map<string, Binding>()
  readonly slots = new Map<string, string>()
  readonly spends = new Spends()
  readonly stood = new Map<string, Stood>()
  /** The sessions under way, by their requests: never more than a few, so that each question about them is short however long a signer lives. */
  readonly sessions = new Map<string, Session>()
  /** Every request that there was a session of. Each serves once. */
  readonly requests = new Set<string>()
  readonly signatures = new Map<string, StoredSignature>()
  /** The epoch of each key that this signer signs with. */
  readonly keys = new Map<string, Key>()
  readonly staged = new Map<string, Staged>()
  /** Epochs from before, still kept: the recovery kit of the one in use has not been proven. */
  readonly former = new Map<string, Key[]>()
  /** Epochs given up. What of their files is left goes at the next start. */
  readonly retired: Key[] = []
  /** Keys that nothing is signed with any more, by an approved order. */
  readonly outOfUse = new Set<string>()
  /** Orders by which a share was exported. */
  readonly exports = new Set<string>()
  /** Keys of which a share was exported. */
  readonly exportedKeys = new Set<string>()
  /** The approved order by which each key's shares are being changed, and those that another one came after. */
  readonly keyChanges = new Map<string, string>()
  readonly supersededChanges = new Set<string>()
  pinnedAtMs = 0
  /** When this register began, where it is not the first of this signer: what was before is forgotten. Null if nothing is. */
  beganAnewAtMs: number | null = null
  readonly burns = new Map<string, Burn>()
  readonly interruptions = new Map<string, number>()
  readonly seen = new Map<number, number>()
  readonly vetoes = new Map<string, Uint8Array[]>()
  readonly counters = new Map<string, Counted>()
  /** The signer that is away, if people said so of one. It may have ended by its time: ask `absenceAt`. */
  absence: Absence | null = null
  /** Orders by which a signer was said to be away. Each serves once. */
  readonly absences = new Set<string>()
  /** Freezes in force, by their hash, as they were signed; and those that were lifted or replaced, which count no more wherever they come from. */
  readonly freezes = new Map<string, Uint8Array>()
  readonly lifted = new Set<string>()
  readonly book = emptyBook()
  /** The newest version of every standing order that this signer follows. */
  readonly standingOrders: StandingOrders = new Map()
  /** The highest number under which each person has said who decides in their place. */
  readonly ended = new Map<string, bigint>()
  /** When this signer first saw that the steps of a rule were met for an order, by order and rule. */
  readonly quorums = new Map<string, number>()
  /** Orders that this signer said it would follow. */
  readonly endorsed = new Set<string>()
  /** Changes of the policy in force that loosen it, each with the time before which it is not followed here. */
  readonly loosenings = new Map<string, number>()
  /** The latest time of any record: a clock that was put back makes nothing earlier than that. */
  latestMs = 0
  /** What people said at this signer's page of changes of the policy in force, by change. */
  readonly votes = new Map<string, Voted>()

  /** The founding document that is pinned here. */
  get genesis(): Genesis {
    return known(this.founded.genesis, 'the founding document of this register')
  }

  set genesis(genesis: Genesis) {
    this.founded.genesis = genesis
  }

  /** The version of the policy in force here. */
  get policy(): Policy {
    return known(this.founded.policy, 'the policy of this register')
  }

  set policy(policy: Policy) {
    this.founded.policy = policy
  }

  /** The signer that is away at a time, by the word of people. */
  absenceAt(nowMs: number): Absence | null {
    return this.absence && nowMs < this.absence.untilMs ? this.absence : null
  }

  /** The three signers, by the policy in force here. */
  get signers(): readonly SignerIdentity[] {
    return signersOf(this.genesis, this.policy)
  }

  /** Entries of the log this signer has found consistent. */
  get logSize(): number {
    return this.checkpoints.at(-1)?.size ?? 0
  }

  get hasSessionsUnderWay(): boolean {
    return this.sessions.size > 0
  }
}

export const slotKeyOf = (reservation: Pick<Reservation, 'chain' | 'from' | 'slot'>): string => `${reservation.chain}|${reservation.from}|${reservation.slot}`
export const pairKeyOf = (keyId: Uint8Array, epoch: bigint, peer: number): string => `${toHex(keyId)}|${epoch}|${peer}`
/** Joined, and no template: that would be kept for ever as a chain of all the parts it was made of, which takes many times the memory. */
export const signatureKeyOf = (keyId: Uint8Array, path: readonly bigint[], digest: Uint8Array): string =>
  [toHex(keyId), path.join('/'), toHex(digest)].join('|')

/** Whether so many sessions with a peer were cut off that their set-up must not be used any more. */
export const isUsedUp = (register: Register, { keyId, epoch }: Pick<Key, 'keyId' | 'epoch'>, peer: number): boolean =>
  (register.interruptions.get(pairKeyOf(keyId, epoch, peer)) ?? 0) > INTERRUPTIONS_MAX

/** Carries one event of the journal into the register. `me` is this signer's party. Throws where the event does not follow from those before. */
export function applyEvent(register: Register, event: JournalEvent, atMs: number, me: number): void {
  register.latestMs = Math.max(register.latestMs, atMs)
  switch (event.kind) {
    case 'pinned':
      return pin(register, event.record, atMs)
    case 'policyAccepted':
      return acceptPolicy(register, event.record)
    case 'checkpointSigned':
      register.checkpoints = [...register.checkpoints, { size: Number(event.size), root: event.root }].slice(-CHECKPOINTS_KEPT)
      return
    case 'sessionOpened':
      return openSession(register, event)
    case 'sessionStarted':
      return startSession(register, event, null)
    case 'signingStarted':
      return startSession(register, event, event)
    case 'sessionEnded':
      return endSession(register, event, me)
    case 'keyMade':
    case 'keyOfKindMade':
      register.keys.set(toHex(event.keyId), event)
      return
    case 'keyChangeBegan':
      return beginKeyChange(register, event)
    case 'keyStaged':
      register.staged.set(toHex(event.keyId), { ...event, attested: false, signers: register.signers })
      return
    case 'epochAttested':
      stagedOf(register, event.keyId).attested = true
      return
    case 'epochActivated':
      return activateEpoch(register, event.keyId, atMs)
    case 'epochRetired':
      return retireEpoch(register, event)
    case 'keyRetired':
      register.outOfUse.add(toHex(event.keyId))
      return
    case 'shareExported':
      register.exports.add(toHex(event.intentHash))
      register.exportedKeys.add(toHex(event.keyId))
      return
    case 'signed':
      register.signatures.set(signatureKeyOf(event.keyId, event.path, event.digest), event.signature)
      return
    case 'burned':
      return burn(register, event)
    case 'vetoed':
      return keepVeto(register, event)
    case 'counted':
      return keepCounter(register, event)
    case 'absenceAccepted': {
      const { intentHash, party, untilMs } = event
      register.absence = { party: Number(party), intentHash, untilMs: Number(untilMs) }
      register.absences.add(toHex(intentHash))
      return
    }
    case 'signerBack':
      if (register.absence?.party === Number(event.party)) register.absence = null
      return
    case 'frozen':
      register.freezes.set(toHex(freezeHash(decode(freezeShape, event.freeze).statement)), event.freeze)
      return
    case 'freezesLifted':
      return liftFreezes(register, event)
    case 'bookChanged':
      return keepBook(register, event)
    case 'standingOrderFollowed':
      return keepStandingOrder(register.standingOrders, event, atMs)
    case 'standingOrdersStopped':
      return stopStandingOrders(register.standingOrders, event)
    case 'delegationEnded':
      return keepEnded(register, event)
    case 'policyVoted':
      return keepVote(register, event)
    case 'looseningHeard':
      return keepLoosening(register, event)
    case 'quorumSeen':
      return keepQuorum(register, event)
    case 'endorsed':
      register.endorsed.add(toHex(event.intentHash))
      return
    case 'refused':
    case 'refusalsLeftOut':
      return
    case 'restarted':
      return interruptSessions(register, me)
  }
}

function pin(register: Register, encoded: Uint8Array, atMs: number): void {
  const record = decode(genesisRecordShape, encoded)
  const { genesis } = record
  register.genesis = genesis
  register.fingerprint = new Uint8Array(genesisHash(genesis))
  register.genesisRecord = new Uint8Array(encoded)
  register.policy = genesis.policy
  register.pinnedAtMs = atMs
  if (record.kind === 'founding') return
  const { policies, policy } = checkRecord(record)
  register.policy = policy
  register.formerPolicies.push(...policies.slice(0, -1))
  // Whoever comes later knows nothing of what its predecessor bound and let through.
  register.beganAnewAtMs = atMs
}

function acceptPolicy(register: Register, encoded: Uint8Array): void {
  const [former, before] = [register.policy, register.signers]
  const founding = { genesis: register.genesis, fingerprint: register.fingerprint }
  register.policy = checkPolicyChange(decode(policyChangeRecordShape, encoded), former, founding)
  register.formerPolicies.push(former)
  register.votes.clear()
  register.loosenings.clear()
  // What a replaced signer had come to is not asked of the one in its place, which begins anew.
  for (const { party } of replacedSigners(before, register.signers)) {
    register.seen.delete(Number(party))
    if (register.absence?.party === Number(party)) register.absence = null
    for (const session of register.sessions.values()) session.marks = session.marks.filter((mark) => mark.party !== party)
    // What it did is not laid on the one in its place, which has none of its secrets and needs new shares and a new set-up before it signs.
    for (const [pair, burn] of register.burns) if (burn.peer === Number(party)) register.burns.delete(pair)
  }
}

const sessionOf = ({ sessions }: Register, requestHash: Uint8Array): Session =>
  known(sessions.get(toHex(requestHash)), `the session of request ${toHex(requestHash)}`)

function openSession(register: Register, event: Extract<JournalEvent, { kind: 'sessionOpened' }>): void {
  const { requestHash, session, keyId, epoch, parties, reservation } = event
  const request = toHex(requestHash)
  register.requests.add(request)
  register.sessions.set(request, { kind: session, keyId, epoch, parties, reservation, state: 'opened', marks: [], anew: 0 })
  if (!reservation) return
  const order = toHex(reservation.intentHash)
  const slotKey = slotKeyOf(reservation)
  const bound = register.bindings.get(order)
  const holder = register.slots.get(slotKey)
  const before = bound?.before ?? (holder === order ? null : (holder ?? null))
  const { committed = false, bytes = null, cancelled = false } = bound ?? {}
  register.bindings.set(order, { slotKey, committed, bytes, cancelled, before })
  register.slots.set(slotKey, order)
  register.spends.set(order, spentWith(register.spends.get(order), reservation, register.latestMs))
}

type Started = Extract<JournalEvent, { kind: 'sessionStarted' | 'signingStarted' }>

function startSession(register: Register, { requestHash, seen }: Pick<Started, 'requestHash' | 'seen'>, stood: Stood | null): void {
  const session = sessionOf(register, requestHash)
  session.state = 'started'
  if (session.reservation) {
    const order = toHex(session.reservation.intentHash)
    commit(known(register.bindings.get(order), `the slot of order ${order}`), session.reservation)
    if (stood) register.stood.set(order, { witness: stood.witness, absence: stood.absence })
  }
  session.marks = seen
}

function liftFreezes(register: Register, { freezes }: Extract<JournalEvent, { kind: 'freezesLifted' }>): void {
  for (const hash of freezes.map(toHex)) {
    register.freezes.delete(hash)
    register.lifted.add(hash)
  }
}

/** A message of the protocol leaves: from here on the bytes may be signed. */
function commit(binding: Binding, reservation: Reservation): void {
  binding.committed = true
  if (!('unsigned' in reservation)) return
  const { bytes: before } = binding
  const most = (a: bigint, b: bigint) => (a > b ? a : b)
  binding.cancelled ||= 'cancels' in reservation && reservation.cancels
  binding.bytes = {
    unsigned: reservation.unsigned,
    feeMax: 'feeMax' in reservation ? most(reservation.feeMax, before?.feeMax ?? 0n) : null,
    expiresAtMs: most(reservation.expiresAtMs, before?.expiresAtMs ?? 0n),
    policyVersion: most(reservation.policyVersion, before?.policyVersion ?? 0n),
    validUntilMs: reservation.kind === 'order' ? null : reservation.validUntilMs,
  }
}

function endSession(register: Register, event: Extract<JournalEvent, { kind: 'sessionEnded' }>, me: number): void {
  const session = sessionOf(register, event.requestHash)
  if (session.state === 'opened') release(register, session)
  register.sessions.delete(toHex(event.requestHash))
  // Only a session that ended well shows that the peer accepted what we had seen of it before. Believing an earlier one would
  // let a signer that was put back to an older copy replace our memory of its lost records by asking again and again.
  if (event.outcome === 'signed' || event.outcome === 'made') {
    for (const { party, mark } of session.marks) {
      const before = Number(party) === session.anew ? 0 : (register.seen.get(Number(party)) ?? 0)
      register.seen.set(Number(party), Math.max(Number(mark), before))
    }
  }
  if (session.kind === 'pairSetup' && event.outcome === 'made') register.interruptions.delete(pairKeyOf(session.keyId, session.epoch, peerOf(session, me)))
}

/**
 * Gives a slot back where no message of the protocol has left for this order, and no other session waits to send one: then no signature of this signer can
 * exist, nor come to be.
 */
function release(register: Register, session: Session): void {
  const { reservation } = session
  if (!reservation) return
  const order = toHex(reservation.intentHash)
  const binding = register.bindings.get(order)
  if (binding?.committed || isHeldBeside(register, session, order)) return
  register.bindings.delete(order)
  register.spends.delete(order)
  const slotKey = slotKeyOf(reservation)
  // In journals from before another order may have the slot of one that two sessions held.
  if (register.slots.get(slotKey) !== order) return
  // The order before it may have a signature: the slot is its again.
  if (binding?.before) register.slots.set(slotKey, binding.before)
  else register.slots.delete(slotKey)
}

/** Whether another session is open for the order. */
const isHeldBeside = ({ sessions }: Register, session: Session, order: string): boolean =>
  [...sessions.values()].some((each) => each !== session && each.state === 'opened' && each.reservation && toHex(each.reservation.intentHash) === order)

function beginKeyChange(register: Register, { requestHash, keyId, intentHash, anew }: Extract<JournalEvent, { kind: 'keyChangeBegan' }>): void {
  const key = toHex(keyId)
  const earlier = register.keyChanges.get(key)
  if (earlier !== undefined && earlier !== toHex(intentHash)) register.supersededChanges.add(earlier)
  register.keyChanges.set(key, toHex(intentHash))
  register.staged.delete(key)
  const session = sessionOf(register, requestHash)
  session.anew = Number(anew)
  // Nothing was signed with the epoch that is made here, so no check of it that failed before can have told anything of what will be.
  for (const [pair, burn] of register.burns) if (toHex(burn.keyId) === key && burn.epoch >= session.epoch) register.burns.delete(pair)
}

function burn(register: Register, { keyId, epoch, peer, reason }: { keyId: Uint8Array; epoch: bigint; peer: bigint; reason: string }): void {
  register.burns.set(pairKeyOf(keyId, epoch, Number(peer)), { keyId, epoch, peer: Number(peer), reason })
}

function interruptSessions(register: Register, me: number): void {
  for (const [request, session] of register.sessions) {
    if (session.state === 'opened') release(register, session)
    register.sessions.delete(request)
    if (session.state === 'opened' || session.kind !== 'sign') continue
    const pair = pairKeyOf(session.keyId, session.epoch, peerOf(session, me))
    register.interruptions.set(pair, (register.interruptions.get(pair) ?? 0) + 1)
  }
}

function peerOf(session: Session, me: number): number {
  return Number(session.parties.find((party) => party !== BigInt(me)))
}
