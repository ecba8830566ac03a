import type { ChainCodec, Effects } from '@holdfast/chain-core'
import { encode, equalBytes, toHex } from '@holdfast/encoding'
import {
  type EcdsaSignature,
  isEcdsa,
  keyPublicDigest,
  type KeyShare,
  type PairSeeds,
  type ProtocolContext,
  PROTOCOLS,
  type Random,
  type SchnorrSignature,
  startFreshSigning,
  startFrostSigning,
  startInSequence,
  startKeyGeneration,
  startPairSetup,
  startResharing,
  startShareCheck,
  startSigning,
  type Step,
} from '@holdfast/mpc'
import { movedBy } from '@holdfast/intent'
import { CallError } from '@holdfast/link'
import { isAboveFirstTier } from '@holdfast/policy'
import {
  type Asks,
  type Check,
  keyStatementShape,
  requestHash,
  SET_UP_NEEDED,
  type SessionRequest,
  signatureResultShape,
  signatureStatementShape,
  signedShape,
  signMessage,
  type Word,
} from '@holdfast/protocol'
import { at, known } from '@holdfast/units'
import { fitsBytes } from './fits-bytes.ts'
import type { Identity } from './identity.ts'
import type { JournalEvent, Reservation } from './journal-events.ts'
import type { Organisation } from './organisation.ts'
import { Refused } from './refused.ts'
import { isUsedUp, type Key, type StoredSignature, type Stood } from './register.ts'
import { checkEpoch, checkNotBurned, checkPair, CHECKS_OF_REQUEST, checkStillGood, type ToSign, verifySignRequest, checkNotFrozen } from './verify.ts'
import { checkEverybody, verifyKeyChange } from './verify-key-change.ts'
import { asksOf, checkTogether } from './words.ts'

/** One kind of session: what its protocol is and what becomes of its result. */
export type Task = {
  /** The kind of key it is about. */
  protocol: string
  /** What the journal holds of it beside that it was opened. */
  joining: JournalEvent[]
  /** The signer that begins anew with this session, or 0. */
  anew: number
  /** What this signer sets aside from the moment it joins. */
  reservation: Reservation | null
  /** Signatures made before for the same key, path and digests: they are given again, and nothing new is made. */
  known: StoredSignature[] | undefined
  /** What every signer must say before this one begins; null where nothing is signed, or all of them take part. */
  asks: Asks | null
  /** Whether this signer still takes part: time has passed since it joined, and others have said what they know. Throws Refused. */
  recheck(words: readonly Word[]): void
  /** Reads the secrets it needs. Called before the first message leaves. What begins the protocol draws all its randomness from `random`. */
  prepare(): Promise<(context: ProtocolContext, random: Random) => Step<unknown>>
  /** Whether signatures handed over by a peer that had them already are those of this session. */
  accepts(signatures: StoredSignature[]): boolean
  /** Puts the result where it is kept and says what the journal must hold before the answer may leave. */
  keep(result: unknown): Promise<JournalEvent[]>
  /** What the caller gets, once the journal holds it. */
  answer(result: unknown, atMs: number, under: Under): Uint8Array
}

/** The session a result is of, and what stood behind it. */
export type Under = { session: Uint8Array; stood: Stood }

export type TaskContext = {
  organisation: Organisation
  identity: Identity
  nowMs(): number
  codecFor(chain: string): ChainCodec | undefined
}

/** Decides whether this signer takes part, and how. Throws Refused. */
export function takeOn(request: SessionRequest, context: TaskContext): Task {
  if (request.kind === 'sign') return signTask(request, context)
  if (request.kind === 'reshare') return reshareTask(request, context)
  if (request.kind === 'shareCheck') return shareCheckTask(request, context)
  return request.kind === 'generateKey' ? generateKeyTask(request, context) : pairSetupTask(request, context)
}

type Requested<K extends SessionRequest['kind']> = Extract<SessionRequest, { kind: K }>

const nothingKnown = { joining: [], anew: 0, reservation: null, known: undefined, asks: null, accepts: () => false, recheck: () => {} }

function generateKeyTask(request: Requested<'generateKey'>, context: TaskContext): Task {
  const { organisation, nowMs } = context
  const { policy, register, party } = organisation
  checkEverybody(request, register)
  if (!PROTOCOLS.includes(request.protocol)) throw new Refused('c1', `this signer makes no keys of ${request.protocol}, only of ${PROTOCOLS.join(', ')}`)
  if (register.keys.has(toHex(request.keyId))) throw new Refused('c1', 'this key was made before')
  if (request.epoch !== 0n) throw new Refused('c1', 'a new key begins with epoch 0')
  if (BigInt(nowMs()) >= policy.expiresAtMs) throw new Refused('c3', 'the policy has expired: accept its next version')
  checkNotFrozen(register)
  const recovery = policy.recovery.find((each) => each.party === BigInt(party))
  if (!recovery || recovery.recipients.length === 0) throw new Refused('c3', 'the policy names nobody to whom this signer could seal its recovery share')
  return {
    ...nothingKnown,
    protocol: request.protocol,
    prepare: async () => startKeyGeneration,
    keep: async (result) => {
      const share = result as KeyShare
      await organisation.putShare(share)
      const { keyId, epoch, protocol, curve, publicKey, chainCode } = share
      return [{ kind: 'keyOfKindMade', keyId, epoch, protocol, curve, publicKey, chainCode }]
    },
    answer: (result, atMs) => keyStatement(context, result as KeyShare, atMs),
  }
}

/** This signer's word on a key it holds a share of. */
function keyStatement({ organisation, identity }: TaskContext, key: Omit<Key, 'curve'>, atMs: number): Uint8Array {
  const { keyId, epoch, protocol, publicKey, chainCode } = key
  const { fingerprint: genesis } = organisation
  const party = BigInt(organisation.party)
  const statement = { genesis, party, keyId, epoch, protocol, publicKey, chainCode, atMs: BigInt(atMs) }
  return encode(signedShape, signMessage(keyStatementShape, statement, party, identity.secretKey))
}

function reshareTask(request: Requested<'reshare'>, { organisation, nowMs }: TaskContext): Task {
  const { party, register } = organisation
  const verify = () => verifyKeyChange(request, { party, register, nowMs: nowMs() })
  const { key, dealers, anew, intentHash } = verify()
  const { keyId } = request
  return {
    ...nothingKnown,
    protocol: key.protocol,
    joining: [{ kind: 'keyChangeBegan', requestHash: requestHash(request), keyId, intentHash, anew: BigInt(anew) }],
    anew,
    recheck: () => void verify(),
    prepare: async () => {
      const share = dealers.includes(party) ? await organisation.share(known(register.keys.get(toHex(keyId)), 'the share that this signer deals from')) : null
      if (share && !equalBytes(keyPublicDigest(share), keyPublicDigest(key))) {
        throw new Refused('c1', 'what the request describes is not the epoch of the key that this signer holds')
      }
      return (context, random) => startResharing({ context, key, dealers, receivers: request.parties.map(Number), share }, random)
    },
    keep: async (result) => {
      const share = result as KeyShare
      // Only what is set up from here on counts for these shares, and not what was for those of a run before.
      await organisation.forgetSeeds(share)
      await organisation.putShare(share)
      const { epoch, protocol, curve, publicKey, chainCode } = share
      const received = !dealers.includes(party)
      return [{ kind: 'keyStaged', keyId, epoch, protocol, curve, publicKey, chainCode, key: keyPublicDigest(share), intentHash, received }]
    },
    answer: () => new Uint8Array(0),
  }
}

function shareCheckTask(request: Requested<'shareCheck'>, context: TaskContext): Task {
  const { organisation } = context
  const { register } = organisation
  checkEverybody(request, register)
  const key = checkEpoch(request.keyId, request.epoch, register)
  return {
    ...nothingKnown,
    protocol: key.protocol,
    recheck: () => void checkEpoch(request.keyId, request.epoch, register),
    prepare: async () => {
      const share = await organisation.share(key)
      return (begin, random) => startShareCheck({ context: begin, share }, random)
    },
    keep: async () => [],
    answer: (_, atMs) => keyStatement(context, key, atMs),
  }
}

function pairSetupTask(request: Requested<'pairSetup'>, { organisation }: TaskContext): Task {
  const { register, party } = organisation
  const peer = checkPair(request.parties, party, register)
  const { keyId, epoch } = request
  const held = () => organisation.stagedOf(keyId, epoch) ?? checkEpoch(keyId, epoch, register)
  const { protocol } = held()
  if (!isEcdsa(protocol)) throw new Refused('c1', `a key of ${protocol} needs no set-up of pairs`)
  checkNotBurned(keyId, epoch, peer, register)
  return {
    ...nothingKnown,
    protocol,
    recheck: () => void held(),
    prepare: async () => startPairSetup,
    keep: async (result) => {
      await organisation.putSeeds(result as PairSeeds)
      return []
    },
    answer: () => new Uint8Array(0),
  }
}

/** The checks a statement lists: those of the request, and the two made when the session started. */
const CHECKS_PASSED: readonly Check[] = [...CHECKS_OF_REQUEST, 'c12', 'c14']

function signTask(request: Requested<'sign'>, { organisation, identity, nowMs, codecFor }: TaskContext): Task {
  const { party, register, fingerprint } = organisation
  const view = () => ({ party, register, codecFor, nowMs: nowMs() })
  const order = verifySignRequest(request, view())
  const peer = Number(request.parties.find((each) => each !== BigInt(party)))
  const { payment, key, toSign, known, codec } = order
  const policyVersion = organisation.policy.version
  // Both signers follow the version of the policy that the order names, so they decide the same, and the server decides nothing.
  // What a call moves nobody can count, so it is signed as large orders are.
  const isFresh = order.effects.call !== undefined || isAboveFirstTier(organisation.policy, subjectOf(order.effects))
  const accepts = (signatures: StoredSignature[]) => fitsBytes(codec, payment.from, request.unsigned, signatures)
  const path = payment.path.map(Number)
  return {
    protocol: key.protocol,
    joining: order.counted,
    anew: 0,
    reservation: order.reservation,
    known,
    asks: asksOf(order, nowMs()),
    accepts,
    recheck: (words) => {
      checkStillGood(order, peer, view())
      if (!known) checkTogether(order, words, view())
    },
    prepare: async () => {
      const share = await organisation.share(key)
      type Start = (context: ProtocolContext, toSign: ToSign, random: Random) => Step<AnySignature>
      const oneByOne = (start: Start) => (context: ProtocolContext, random: Random) =>
        startInSequence(
          context,
          toSign.map((each) => (part: ProtocolContext) => start(part, each, random)),
        )
      if (!isEcdsa(key.protocol)) return oneByOne((part, { message }, random) => startFrostSigning({ context: part, share, path, message }, random))
      const digests = toSign.map(({ digest }) => digest)
      if (isFresh) return (context, random) => startFreshSigning({ context, share, path, digests }, random)
      if (isUsedUp(register, key, peer)) throw setUpNeeded(`the pair set-up with party ${peer} was cut off too often to be used: make a new one first`)
      const seeds = await organisation.seeds(key, peer)
      if (!seeds) throw setUpNeeded(`no pair set-up with party ${peer}: make one first`)
      return oneByOne((part, { digest }, random) => startSigning({ context: part, share, seeds, path, digest }, random))
    },
    keep: async (result) => {
      const made = (result as AnySignature[]).map(storedOf)
      // The protocol has verified them. What the journal holds is given again for ever, so the network's own rule is asked as well before it is.
      if (!accepts(made)) throw new Error('the signatures that were made are not those of these bytes')
      return made.map((signature, i) => {
        const { digest } = at(toSign, i)
        return { kind: 'signed', intentHash: order.intentHash, keyId: key.keyId, path: payment.path, digest, signature }
      })
    },
    answer: (result, atMs, { session, stood }) => {
      const statement = {
        kind: 'witnessed' as const,
        genesis: fingerprint,
        party: BigInt(party),
        session,
        ...stood,
        intentHash: order.intentHash,
        unsigned: request.unsigned,
        digests: toSign.map(({ digest }) => digest),
        policyVersion,
        checks: [...CHECKS_PASSED],
        atMs: BigInt(atMs),
      }
      const signatures = (result as AnySignature[]).map(storedOf)
      return encode(signatureResultShape, { signatures, statement: signMessage(signatureStatementShape, statement, BigInt(party), identity.secretKey) })
    },
  }
}

/** How much of what a transaction is about that calls nothing. */
const subjectOf = ({ chain, transfers, stake }: Effects) =>
  movedBy(transfers) ?? { chain, contract: null, amount: known(stake, 'what the transaction does').amount }

const setUpNeeded = (reason: string): CallError => new CallError('unavailable', reason, { check: SET_UP_NEEDED })

type AnySignature = EcdsaSignature | SchnorrSignature | StoredSignature

/** A Schnorr signature is kept by its two halves: R, or its x coordinate, and the scalar. */
function storedOf(made: AnySignature): StoredSignature {
  if ('signature' in made) return { r: made.signature.slice(0, 32), s: made.signature.slice(32), recovery: 0n }
  return { r: made.r, s: made.s, recovery: BigInt(made.recovery) }
}

/** The context every protocol message of a session is bound to. */
export function protocolContext(organisation: Organisation, request: SessionRequest, protocol: string, session: Uint8Array): ProtocolContext {
  const { keyId, epoch, parties } = request
  return { protocol, genesis: organisation.fingerprint, keyId, epoch, session, me: organisation.party, parties: parties.map(Number) }
}
