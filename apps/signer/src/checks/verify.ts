import { type ChainCodec, type Effects, SIGNATURES_MAX } from '@holdfast/chain-core'
import { decode, equalBytes, toHex } from '@holdfast/encoding'
import {
  actDone,
  type BatchIntent,
  askersOf,
  type DelegatedApproval,
  delegatedIn,
  faultOf,
  freezeShape,
  type Intent,
  intentHash,
  intentShape,
  isCancellation,
  isSpending,
  judgedAs,
  type KeyChangeIntent,
  type KeyOrderIntent,
  type MachineSignature,
  movesOf,
  originalOf,
  readSpoken,
  type SignerOrderIntent,
  type SpendingIntent,
  type TransactionIntent,
  type Vote,
} from '@holdfast/intent'
import { signatureKindOf } from '@holdfast/mpc'
import {
  askedAs,
  type Asking,
  countApprovals,
  describesPinnedAssets,
  evaluateAct,
  evaluateOrder,
  faultOfTokenWallets,
  findPerson,
  type Needs,
  neededIn,
  type Outcome,
  type PaidTo,
  type Policy,
  policyHash,
  readScreenings,
  type Screened,
  type Screening,
  type Speaker,
  type Tally,
  UNSCREENED,
} from '@holdfast/policy'
import { besidesOf, type Check, digestToSign, mismatchOf, type SignRequest } from '@holdfast/protocol'
import { CLOCK_TOLERANCE_MS, countedIn, faultOfMoment, MOMENT_FAULTS } from '../state/approver-counters.ts'
import { type Batched, readBatched } from './batch.ts'
import { checkLog } from './check-log.ts'
import { checkNotEnded, checkStillDelegated, endedBy } from './delegated/delegations.ts'
import { checkDelay } from './delay.ts'
import { factsOf } from './destinations.ts'
import { fitsBytes } from './fits-bytes.ts'
import type { JournalEvent, TellingReservation } from '../state/journal-events.ts'
import { readOr } from './read-or.ts'
import { Refused } from './refused.ts'
import { checkCovered, checkStillStanding } from './standing/covered.ts'
import { type Key, pairKeyOf, type Register, signatureKeyOf, type StoredSignature } from '../state/register.ts'
import { checkReplacementFee, checkLimits, checkRemembered, checkSlot, reservationOf } from './verify-reservation.ts'

/** What a signer decides by: its own register, its own clock, its own decoders. */
export type SignerView = { party: number; register: Register; nowMs: number; codecFor(chain: string): ChainCodec | undefined }

/** One thing to sign, computed from the bytes, and the digest by which register and statements name it. */
export type ToSign = { message: Uint8Array; digest: Uint8Array }

/**
 * An order that may be signed: what the bytes do, by which rule, and what of them is signed: one signature each of `toSign`, in this order. `known` are the
 * signatures made before for the same key, path and digests.
 */
export type SignOrder = {
  intent: SpendingIntent
  /** The order to pay that it is, or is about. */
  payment: TransactionIntent
  intentHash: Uint8Array
  /** What people approved or covered: the order itself, or the batch of which it is a part. */
  decided: SpendingIntent | BatchIntent
  effects: Effects
  needs: Needs
  /** Why the rule, or the standing order, does not let the same bytes through at another time; undefined if it does. */
  deniedAt(atMs: number): string | undefined
  /** The hash of the standing order that covers it; null where people approved. */
  standingOrder: Uint8Array | null
  key: Key
  codec: ChainCodec
  toSign: ToSign[]
  known: StoredSignature[] | undefined
  reservation: TellingReservation
  /** What was said in the place of others. */
  delegated: DelegatedApproval[]
  /** What the approvals show: the counters of passkeys, and which statements are the newest of those for whom others decide. */
  counted: JournalEvent[]
}

/** The checks a `SignOrder` has passed here; c12 and c14 follow when the session starts. */
export const CHECKS_OF_REQUEST: readonly Check[] = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10', 'c11', 'c13']

/**
 * The heart of the product: whether this signer takes part in signing these bytes. It believes nothing in the request that it has
 * not checked itself, and the first check that fails decides. Throws Refused naming it. Changes nothing.
 */
export function verifySignRequest(request: SignRequest, view: SignerView): SignOrder {
  const { register, nowMs } = view
  const policy = register.policy
  const key = checkParties(request, view)
  const { intent, payment } = readIntent(request.intent)
  const batched = readBatched(request, intent)
  const decided = batched?.batch ?? intent
  checkOrganisation(request, intent, register)
  checkNotFrozen(register)
  const known = knownSignatures(request, payment, key, view)
  if (!known) checkInUse(key.keyId, register)
  checkPolicyVersion(intent, policy, known ? 0 : nowMs)
  checkTime(intent, known ? Number(intent.notBeforeMs) : nowMs)
  checkAssets(payment, policy)
  const { codec, effects } = readTransaction(request, { intent, payment }, view)
  const { needs, deniedAt, tally, approvals, machines } = checkQuorum(request, intent, view, { effects, known, batched })
  checkVetoes(decided, needs, tally.rejectedBy, register)
  const delegated = delegatedIn(approvals)
  if (!known) checkStillDelegated(delegated, nowMs)
  if (!known) checkNotEnded(delegated, register)
  if (!known) checkDelay(decided, needs, view)
  checkTransaction(request, { intent, payment }, effects, key, codec)
  if (!known) checkWallets(effects, policy)
  const reservation = reservationOf(request, { intent, payment, effects, needs }, policy)
  if (!known) checkLimits(reservation, needs, register, nowMs)
  checkSlot(reservation, view)
  if (!known) checkReplacementFee(reservation, view)
  checkRemembered([...approvals, ...machines], needs, view)
  checkLog(request, register)
  return {
    intent,
    payment,
    intentHash: intentHash(intent),
    decided,
    effects,
    needs,
    deniedAt,
    standingOrder: request.standingOrder,
    key,
    codec,
    toSign: readToSign(request, codec),
    known,
    reservation,
    delegated,
    counted: [...countedIn(approvals, register), ...statementsIn(delegated, register)],
  }
}

const statementsIn = (delegated: readonly DelegatedApproval[], register: Register): JournalEvent[] =>
  endedBy(
    delegated.map(({ delegation }) => delegation.statement),
    register,
  )

type Ordered = Pick<SignOrder, 'intent' | 'payment'>

/** What may have changed between the join and the first message: the policy, the time, a rejection, a lock. Throws Refused. */
export function checkStillGood(
  { intent, decided, needs, deniedAt, standingOrder, delegated, key, known }: SignOrder,
  peer: number,
  { register, nowMs }: SignerView,
): void {
  checkPolicyVersion(intent, register.policy, known ? 0 : nowMs)
  checkNotFrozen(register)
  checkTime(intent, known ? Number(intent.notBeforeMs) : nowMs)
  checkEpoch(key.keyId, key.epoch, register)
  if (!known) checkInUse(key.keyId, register)
  checkVetoes(decided, needs, [], register)
  if (!known) checkStillDelegated(delegated, nowMs)
  if (!known) checkNotEnded(delegated, register)
  if (!known) checkStillStanding(standingOrder, intent, register)
  const denied = known ? undefined : deniedAt(nowMs)
  if (denied !== undefined) throw new Refused('c5', `rule ${needs.rule.id} does not let this through any more: ${denied}`)
  checkNotBurned(key.keyId, key.epoch, peer, register)
}

/** c1: two signers of this organisation, of which we are one, with a key both hold, and no cheating between them (c15). */
function checkParties(request: SignRequest, { party, register }: SignerView): Key {
  const { keyId, epoch } = request
  const peer = checkPair(request.parties, party, register)
  const key = checkEpoch(keyId, epoch, register)
  checkNotBurned(keyId, epoch, peer, register)
  return key
}

/** c1: the epoch this signer signs with, and no other: shares of two epochs make no signature. */
export function checkEpoch(keyId: Uint8Array, epoch: bigint, register: Register): Key {
  const key = register.keys.get(toHex(keyId))
  if (key && key.epoch !== epoch) throw new Refused('c1', `this signer signs with epoch ${key.epoch} of key ${toHex(keyId)}; the request is for epoch ${epoch}`)
  if (!key) throw new Refused('c1', `this signer holds no share of key ${toHex(keyId)} in epoch ${epoch}`)
  return key
}

/** c6: the people have not taken the key out of use. */
export function checkInUse(keyId: Uint8Array, register: Register): void {
  if (register.outOfUse.has(toHex(keyId))) throw new Refused('c6', `key ${toHex(keyId)} is retired: nothing is signed with it any more`)
}

/** c6: nobody has stopped all signing, at this signer's page or at another's, without that those who govern lifted it. */
export function checkNotFrozen(register: Register): void {
  const [hash, freeze] = [...register.freezes][0] ?? []
  if (!freeze) return
  const { person, reason } = decode(freezeShape, freeze).statement
  const name = findPerson(register.policy, person)?.name ?? toHex(person)
  throw new Refused('c6', `frozen by ${name}: ${reason === '' ? 'no reason given' : reason} (freeze ${hash})`)
}

/**
 * The signatures made here before for this very order. They exist, so giving them again gives nothing away, however late they are asked for. Undefined if
 * there are none, or where the bytes cannot be read: then the checks after this say why. Undefined also where the network would refuse them, as it would some
 * that were made before the recovery id was checked: they are made anew then, by the rules for what is made anew.
 */
function knownSignatures(request: SignRequest, intent: TransactionIntent, key: Key, view: SignerView): StoredSignature[] | undefined {
  const order = toHex(intentHash(intent))
  const codec = view.codecFor(intent.asset.chain)
  if (!codec || !view.register.bindings.get(order)?.committed) return undefined
  try {
    const found = readToSign(request, codec).map(({ digest }) => view.register.signatures.get(signatureKeyOf(key.keyId, intent.path, digest)))
    return found.every((each) => each !== undefined) && fitsBytes(codec, intent.from, request.unsigned, found) ? found : undefined
  } catch (cause) {
    if (cause instanceof Refused) return undefined
    throw cause
  }
}

/** The peer in a pair of parties given in ascending order. Throws Refused c1 for anything else. */
export function checkPair(parties: readonly bigint[], me: number, register: Register): number {
  const [low = 0n, high = 0n] = parties
  const known = parties.every((party) => register.signers.some((signer) => signer.party === party))
  if (parties.length !== 2 || !known || !(low < high)) throw new Refused('c1', 'the parties are not two signers of this organisation, in ascending order')
  if (!parties.includes(BigInt(me))) throw new Refused('c1', 'this signer is not one of the parties')
  return Number(low === BigInt(me) ? high : low)
}

/** c15: a pair in which one cheated never signs again with the same secrets. */
export function checkNotBurned(keyId: Uint8Array, epoch: bigint, peer: number, register: Register): void {
  const burn = register.burns.get(pairKeyOf(keyId, epoch, peer))
  if (burn) throw new Refused('c15', `locked with party ${peer}: ${burn.reason}`)
}

/** c4, first half: the bytes are one order to pay, or one about such an order, in the one form it has. */
function readIntent(encoded: Uint8Array): { intent: SpendingIntent; payment: TransactionIntent } {
  const intent = readOr('c4', 'the order', () => decode(intentShape, encoded))
  if (!isSpending(intent)) throw new Refused('c4', 'not an order to pay')
  return { intent, payment: readOr('c4', 'the order', () => originalOf(intent)) }
}

/** c2: the request and the order belong to the organisation whose document is pinned here. */
export function checkOrganisation(request: Pick<SignRequest, 'genesis'>, intent: Intent, register: Register): void {
  if (!equalBytes(request.genesis, register.fingerprint)) throw new Refused('c2', 'the request is for another organisation')
  if (!equalBytes(intent.genesis, register.fingerprint)) throw new Refused('c2', 'the order was made for another organisation')
}

/** c3: made under the version in force here, which is the newest this signer has seen, and which has not expired. */
export function checkPolicyVersion(intent: Intent, policy: Policy, nowMs: number): void {
  if (intent.policyVersion !== policy.version) {
    throw new Refused('c3', `made under policy version ${intent.policyVersion}; version ${policy.version} is in force`)
  }
  if (!equalBytes(intent.policyHash, policyHash(policy))) throw new Refused('c3', `names another policy than the one of version ${policy.version}`)
  if (BigInt(nowMs) >= policy.expiresAtMs) throw new Refused('c3', 'the policy has expired: accept its next version')
}

/** c4, second half: open by our own clock. */
export function checkTime(intent: Intent, nowMs: number): void {
  if (BigInt(nowMs) < intent.notBeforeMs) throw new Refused('c4', 'the order is not open yet')
  if (BigInt(nowMs) > intent.expiresAtMs) throw new Refused('c4', 'the order has expired')
}

/**
 * c4, third: symbol and decimals, in which people read the amounts, are those the policy pins, and not the order's own; and its recipients make up its
 * amount.
 */
export function checkAssets(intent: TransactionIntent | BatchIntent, policy: Policy): void {
  if (!describesPinnedAssets(intent, policy)) throw new Refused('c4', 'the order describes an asset as the policy does not')
  const fault = faultOf(intent)
  if (fault) throw new Refused('c4', fault)
}

/** c7, first half, before the people are counted: the policy is judged by what the bytes do, so they must be understood whole. */
function readTransaction(request: SignRequest, { intent, payment }: Ordered, view: SignerView): { codec: ChainCodec; effects: Effects } {
  const { chain } = payment.asset
  const codec = view.codecFor(chain)
  if (!codec) throw new Refused('c7', `this signer cannot read transactions of ${chain}`)
  const effects = readOr('c7', 'the transaction', () => codec.decode(request.unsigned))
  const besides = besidesOf(effects, request.standingOrder !== null)
  if (besides !== undefined) throw new Refused('c7', besides)
  const does = effects.transfers.length + (effects.call ? 1 : 0) + (effects.stake ? 1 : 0) + (effects.authorizes ? 1 : 0)
  const ordered = isCancellation(intent) ? { count: 1, assets: 1 } : movesOf(payment)
  if (does !== ordered.count) throw new Refused('c7', `the transaction makes ${does} transfers or calls where the order has ${ordered.count}`)
  const contracts = new Set(effects.transfers.map(({ asset }) => asset.contract))
  if (contracts.size > ordered.assets) throw new Refused('c7', 'the transaction moves several assets')
  return { codec, effects }
}

/** c7: a token's order goes to the payer's own wallet of it, of the code that the people pinned with the token. */
function checkWallets(effects: Effects, policy: Policy): void {
  const fault = faultOfTokenWallets(policy, effects)
  if (fault) throw new Refused('c7', fault.reason)
}

/**
 * c5: the rule for what the bytes do, and enough distinct people, never one who asked, each with a valid assertion. A cancellation does nothing: it is
 * for those to approve who may approve the payment.
 */
function checkQuorum(
  request: SignRequest,
  intent: SpendingIntent,
  view: SignerView,
  { effects, known, batched }: { effects: Effects; known: SignOrder['known']; batched: Batched | undefined },
): { needs: Needs; deniedAt: SignOrder['deniedAt'] } & Said {
  const { register, nowMs } = view
  if (request.standingOrder) return { ...checkCovered(request, { intent, effects }, view, known !== undefined), tally: NOBODY, approvals: [], machines: [] }
  // What was signed before is not decided again, and what pays nobody may be signed at any time.
  const isDecided = known !== undefined || isCancellation(intent)
  const { policy } = register
  const facts = factsOf(request, view)
  const said = readOr('c5', 'an approval', () => screeningsIn(request, batched?.batch ?? intent, policy))
  const judge = (atMs: number, screened: Screened = { said, atMs: [atMs] }) => {
    const asking = { by: request.rule, ...(!isDecided && { atMs, screened, destination: (to: PaidTo) => facts(to, atMs) }) }
    // That the bytes are this part of the batch c7 finds later; what they do by themselves is less than what people approved as a whole.
    if (batched) return evaluateOrder(policy, batched.judged, asking)
    return isCancellation(intent) ? evaluateOrder(policy, intent, asking) : askedAs(outcomeOf(judgedAs(intent), policy, effects, asking), intent)
  }
  const outcome = judge(nowMs)
  if (outcome.kind === 'deny') {
    const isForScreening = judge(nowMs, UNSCREENED).kind !== 'deny'
    throw new Refused(
      'c5',
      `the policy denies what the transaction does: ${outcome.reason}${isForScreening ? ', by what screeners said, or have not said' : ''}`,
    )
  }
  const { tally, approvals, machines } = tallyOf(request, batched?.batch ?? intent, view, { ...outcome, isDecided })
  const needed = neededIn(outcome.steps)
  if (tally.missing > 0) throw new Refused('c5', `${tally.missing} approval(s) missing of the ${needed} that rule ${outcome.rule.id} asks for`)
  const deniedAt = (atMs: number) => {
    const then = judge(atMs)
    return then.kind === 'deny' ? then.reason : undefined
  }
  return { needs: outcome, deniedAt, tally, approvals, machines }
}

/** What screeners said of what people decide: their words stand among the approvals. */
const screeningsIn = ({ approvals }: Pick<SignRequest, 'approvals'>, decided: SpendingIntent | BatchIntent, policy: Policy): Screening[] =>
  readScreenings(readSpoken(approvals).screenings, { genesis: decided.genesis, intentHash: intentHash(decided) }, policy)

/** What people and machines said of an order, and how that counts. */
type Said = { tally: Tally; approvals: Vote[]; machines: MachineSignature[] }

/** What people said of a transfer that a standing order covers. */
const NOBODY: Tally = { met: true, missing: 0, approvedBy: [], rejectedBy: [], filled: [] }

/** What the policy says of what the bytes do. That they do it to those whom the order names, c7 finds later. */
function outcomeOf(intent: TransactionIntent, policy: Policy, effects: Effects, asking: Asking): Outcome {
  const act = actDone(intent, effects)
  if (!act) throw new Refused('c7', 'the transaction calls a contract, is about stake or is an authorization, the order is something else')
  return evaluateAct(policy, act, asking)
}

/** c5: what distinct people said of an order, each word valid, at a moment that fits what this signer has seen of the key. */
export function tallyOf(
  request: Pick<SignRequest, 'approvals'>,
  intent: Intent,
  view: Pick<SignerView, 'register' | 'nowMs'>,
  quorum: Pick<Needs, 'steps'> & Partial<Pick<Needs, 'mayStop'>> & { isDecided?: boolean },
): Said {
  const { approvals, machines } = readOr('c5', 'an approval', () => readSpoken(request.approvals))
  const { steps, mayStop, isDecided } = quorum
  // What was signed before stays signed, also where the machine that asked has expired since.
  const counted = { policy: view.register.policy, intent, approvals, machines, steps, ...(mayStop && { mayStop }), ...(!isDecided && { atMs: view.nowMs }) }
  const tally = readOr('c5', 'an approval', () => countApprovals(counted))
  if (machines.some(({ signedAtMs }) => signedAtMs > BigInt(view.nowMs + CLOCK_TOLERANCE_MS)))
    throw new Refused('c5', `an approval: ${MOMENT_FAULTS['moment-to-come']}`)
  const fault = approvals.map((each) => faultOfMoment(each, view)).find((each) => each !== undefined)
  if (fault) throw new Refused('c5', `an approval: ${MOMENT_FAULTS[fault]}`)
  return { approvals, machines, tally }
}

/** c6: one eligible person's no is enough, whether it came with the request or was given at this signer's own page. */
export function checkVetoes(intent: Intent, { mayStop }: Pick<Needs, 'mayStop'>, rejectedBy: readonly Speaker[], register: Register): void {
  const rejecting = rejectedBy[0]
  if (rejecting) throw new Refused('c6', `rejected by ${rejecting.name}`)
  refuseVetoed(intent, mayStop, register)
}

/** c6: nobody who counts has said no at this signer's own page. */
export function checkOwnVetoes(intent: KeyChangeIntent | KeyOrderIntent | SignerOrderIntent, approvers: readonly Uint8Array[], register: Register): void {
  const askers = askersOf(intent)
  const eligible = approvers.filter((id) => !askers.some((asker) => equalBytes(id, asker)))
  refuseVetoed(intent, eligible, register)
}

function refuseVetoed(intent: Intent, eligible: readonly Uint8Array[], register: Register): void {
  const vetoes = register.vetoes.get(toHex(intentHash(intent))) ?? []
  if (vetoes.some((person) => eligible.some((id) => equalBytes(id, person)))) throw new Refused('c6', "rejected at a signer's approval page")
}

/** c7 and c8: the bytes are the order and nothing more; chain, fee and slot rule are right. */
function checkTransaction({ standingOrder }: SignRequest, { intent, payment: { asset } }: Ordered, effects: Effects, key: Key, codec: ChainCodec): void {
  const kind = signatureKindOf(key.protocol)
  if (!codec.signatureKinds.includes(kind)) {
    throw new Refused('c7', `${asset.chain} takes signatures of kind ${codec.signatureKinds.join(' or ')}; this key makes ${kind}`)
  }
  const mismatch = mismatchOf(intent, effects, key, codec, standingOrder !== null)
  if (mismatch) throw new Refused(mismatch.check, mismatch.reason)
}

/** c13: what is signed is computed here, from the bytes that were judged. */
function readToSign(request: SignRequest, codec: ChainCodec): ToSign[] {
  const messages = readOr('c13', 'the transaction', () => codec.sighashes(request.unsigned))
  if (messages.length < 1 || messages.length > SIGNATURES_MAX) {
    throw new Refused('c13', `the transaction needs ${messages.length} signatures; a session makes 1 to ${SIGNATURES_MAX}`)
  }
  return messages.map((message) => ({ message, digest: digestToSign(message) }))
}
