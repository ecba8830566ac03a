import type { ChainCodec } from '@holdfast/chain-core'
import { encode } from '@holdfast/encoding'
import type { ProtocolContext, Random, Step } from '@holdfast/mpc'
import { type Asks, keyStatementShape, type SessionRequest, signedShape, signMessage, type Word } from '@holdfast/protocol'
import type { Identity } from '../state/identity.ts'
import type { JournalEvent, Reservation } from '../state/journal-events.ts'
import type { Organisation } from '../state/organisation.ts'
import type { Key, StoredSignature, Stood } from '../state/register.ts'

/** A session that this signer takes on: what its protocol is and what becomes of its result. */
export type Task = {
  /** The kind of key it is about. */
  protocol: string
  /** Whether signatures come of it: then what fails in it can tell something of a share, and what becomes of it is written down with what stood behind it. */
  signs: boolean
  /** What the journal holds of it beside that it was opened. */
  joining: JournalEvent[]
  /** The signer that begins anew with this session, or 0. */
  anew: number
  /** The order that is signed and, where it is one of many that people approved at once, what they approved. Nothing where nothing is signed. */
  approved: readonly Uint8Array[]
  /** What this signer sets aside from the moment it joins. */
  reservation: Reservation | null
  /** Signatures made before for the same key, path and digests: they are given again, and nothing new is made. */
  known: StoredSignature[] | undefined
  /** What every signer must say before this one begins; null if nothing is signed, or all of them take part. */
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

/** A request for a session of one kind. */
export type Requested<K extends SessionRequest['kind']> = Extract<SessionRequest, { kind: K }>

/** What sessions have in common that sign nothing. */
export const signsNothing = {
  signs: false,
  joining: [],
  anew: 0,
  approved: [],
  reservation: null,
  known: undefined,
  asks: null,
  accepts: () => false,
  recheck: () => {},
}

/** This signer's word on a key it holds a share of. */
export function keyStatement({ organisation, identity }: TaskContext, key: Omit<Key, 'curve'>, atMs: number): Uint8Array {
  const { keyId, epoch, protocol, publicKey, chainCode } = key
  const { fingerprint: genesis } = organisation
  const party = BigInt(organisation.party)
  const statement = { genesis, party, keyId, epoch, protocol, publicKey, chainCode, atMs: BigInt(atMs) }
  return encode(signedShape, signMessage(keyStatementShape, statement, party, identity.secretKey))
}
