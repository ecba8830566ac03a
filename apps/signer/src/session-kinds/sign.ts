import type { Effects } from '@holdfast/chain-core'
import { encode, equalBytes } from '@holdfast/encoding'
import { intentHash, movedBy } from '@holdfast/intent'
import { PeerError } from '@holdfast/link'
import {
  type EcdsaSignature,
  isEcdsa,
  type ProtocolContext,
  type Random,
  type SchnorrSignature,
  startFreshSigning,
  startFrostSigning,
  startInSequence,
  startSigning,
  type Step,
} from '@holdfast/mpc'
import { isAboveFirstTier } from '@holdfast/policy'
import { type Check, SET_UP_NEEDED, signatureResultShape, signatureStatementShape, signMessage } from '@holdfast/protocol'
import { at, known as knownToBe } from '@holdfast/units'
import { fitsBytes } from '../checks/fits-bytes.ts'
import { isUsedUp, type StoredSignature } from '../state/register.ts'
import { CHECKS_OF_REQUEST, checkStillGood, type ToSign, verifySignRequest } from '../checks/verify.ts'
import { asksOf, checkTogether } from '../checks/words.ts'
import type { Requested, Task, TaskContext } from './task.ts'

/** The checks a statement lists: those of the request, and the two made when the session started. */
const CHECKS_PASSED: readonly Check[] = [...CHECKS_OF_REQUEST, 'c12', 'c14']

/** Two signers sign a transaction. */
export function sign(request: Requested<'sign'>, { organisation, identity, nowMs, codecFor }: TaskContext): Task {
  const { party, register, fingerprint } = organisation
  const view = () => ({ party, register, codecFor, nowMs: nowMs() })
  const order = verifySignRequest(request, view())
  const peer = Number(request.parties.find((each) => each !== BigInt(party)))
  const { payment, key, toSign, known, codec } = order
  const policyVersion = organisation.policy.version
  // Both signers follow the version of the policy that the order names, so they decide the same, and the server decides nothing.
  // What a call moves nobody can count, nor what runs in the name of an account, so both are signed as large orders are.
  const isFresh = order.effects.call !== undefined || order.effects.authorizes !== undefined || isAboveFirstTier(organisation.policy, subjectOf(order.effects))
  const accepts = (signatures: StoredSignature[]) => fitsBytes(codec, payment.from, request.unsigned, signatures)
  const path = payment.path.map(Number)
  const approved = order.standingOrder ?? intentHash(order.decided)
  return {
    protocol: key.protocol,
    signs: true,
    joining: order.counted,
    anew: 0,
    approved: equalBytes(approved, order.intentHash) ? [approved] : [order.intentHash, approved],
    reservation: order.reservation,
    known,
    asks: asksOf(order, organisation.policy, nowMs()),
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
  movedBy(transfers) ?? { chain, contract: null, amount: knownToBe(stake, 'what the transaction does').amount }

const setUpNeeded = (reason: string): PeerError => new PeerError('unavailable', reason, { check: SET_UP_NEEDED })

type AnySignature = EcdsaSignature | SchnorrSignature | StoredSignature

/** A Schnorr signature is kept by its two halves: R, or its x coordinate, and the scalar. */
function storedOf(made: AnySignature): StoredSignature {
  if ('signature' in made) return { r: made.signature.slice(0, 32), s: made.signature.slice(32), recovery: 0n }
  return { r: made.r, s: made.s, recovery: BigInt(made.recovery) }
}
