import { bool, bytes, decode, encode, equalBytes, type Infer, list, optional, type Shape, struct, text, uint, union } from '@holdfast/encoding'
import { signEd25519, verifyEd25519 } from '@holdfast/encoding/ed25519'
import { BATCH_BYTES_MAX } from '@holdfast/intent'
import { GENESIS_RECORD_BYTES_MAX, POLICY_CHANGE_BYTES_MAX } from '@holdfast/policy'
import { signedShape } from './session.ts'
import type { CallDefinition } from './signer-calls.ts'

const call = <Q extends Shape, A extends Shape>(name: string, request: Q, reply: A): CallDefinition<Q, A> => ({ name, request, reply })

const genesis = bytes(32)

const markShape = struct('holdfast/co-signer/mark/v1', { genesis, position: uint(53), seal: bytes(32) })

/** How far a co-signer's journal has come, signed by its key: whoever keeps it can show the co-signer that its folder was put back. */
export const signedMarkShape = struct('holdfast/co-signer/signed-mark/v1', { mark: markShape, signature: bytes(64) })

export type Mark = Infer<typeof markShape>
export type SignedMark = Infer<typeof signedMarkShape>

export const signMark = (mark: Mark, secretKey: Uint8Array): SignedMark => ({ mark, signature: signEd25519(encode(markShape, mark), secretKey) })

/** Whether a mark is of this organisation, by this key. */
export const isMarkOf = ({ mark, signature }: SignedMark, of: { genesis: Uint8Array; publicKey: Uint8Array }): boolean =>
  equalBytes(mark.genesis, of.genesis) && verifyEd25519(signature, encode(markShape, mark), of.publicKey)

/** The mark in bytes that were kept. Throws EncodingFault. */
export const readMark = (kept: Uint8Array): SignedMark => decode(signedMarkShape, kept)

/** What a co-signer says of an order: what it signed, or why it says nothing now, and when to ask again. */
const answerShape = union({
  decided: struct('holdfast/co-signer/decided/v1', { spoken: bytes(undefined, 1 << 14), reason: text(1000), mark: signedMarkShape }),
  later: struct('holdfast/co-signer/later/v1', { reason: text(1000), afterMs: uint(32) }),
})
export type CoSignerAnswer = Infer<typeof answerShape>

/** One thing that was looked at, and how it is. */
const stepShape = struct('holdfast/co-signer/examined/v1', { name: text(32), ok: bool(), message: text(1000), ms: uint(32) })
export type ExaminedStep = Infer<typeof stepShape>

/** What the server may ask of a co-signer, which dials in as a signer does. Nothing here has it sign what it has not read itself. */
export const coSignerCalls = {
  /** Begins with an organisation: its founding document, and the newest mark that the server was given. */
  begin: call(
    'co-signer-begin',
    struct('holdfast/co-signer/begin/v1', { genesis, genesisRecord: bytes(undefined, GENESIS_RECORD_BYTES_MAX), mark: optional(signedMarkShape) }),
    struct('holdfast/co-signer/begun/v1', { version: text(64), policyVersion: uint(), mark: signedMarkShape }),
  ),
  /** The next version of the policy, as a record of the change that made it. */
  follow: call(
    'co-signer-follow',
    struct('holdfast/co-signer/follow/v1', { genesis, change: bytes(undefined, POLICY_CHANGE_BYTES_MAX) }),
    struct('holdfast/co-signer/followed/v1', { policyVersion: uint() }),
  ),
  /** Asks for its decision on an order. `unsigned` and `keyStatements` are there where the bytes exist. The same order again is answered the same. */
  decide: call(
    'co-signer-decide',
    struct('holdfast/co-signer/decide/v1', {
      genesis,
      intent: bytes(undefined, BATCH_BYTES_MAX),
      approvals: list(bytes(undefined, 1 << 16), 256),
      rule: optional(text(64)),
      unsigned: optional(bytes(undefined, 1 << 18)),
      keyStatements: list(signedShape, 3),
    }),
    answerShape,
  ),
  /** Says that an order is signed and sent. What the callback is told of it, it cannot change any more. */
  sent: call(
    'co-signer-sent',
    struct('holdfast/co-signer/sent/v1', { genesis, intent: bytes(undefined, 1 << 16), txid: text(128) }),
    struct('holdfast/co-signer/sent-reply/v1', { isTold: bool() }),
  ),
  /** Looks at everything that it needs: limits, callback, journal. */
  examine: call(
    'co-signer-examine',
    struct('holdfast/co-signer/examine/v1', { genesis }),
    struct('holdfast/co-signer/examined-reply/v1', { version: text(64), steps: list(stepShape, 16) }),
  ),
  /** Asked by the co-signer: what the server sees of it. */
  seenAs: call(
    'co-signer-seen-as',
    struct('holdfast/co-signer/seen-as/v1', {}),
    struct('holdfast/co-signer/seen-as-reply/v1', { address: text(64), atMs: uint(53), organisations: list(bytes(32), 64) }),
  ),
} as const

export type DecideRequest = Infer<typeof coSignerCalls.decide.request>
