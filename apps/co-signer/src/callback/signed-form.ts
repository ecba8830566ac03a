import { bytes, encode, EncodingFault, fromHex, struct, text, toHex } from '@holdfast/encoding'
import { signEd25519, verifyEd25519 } from '@holdfast/encoding/ed25519'
import { sha256 } from '@noble/hashes/sha2.js'
import * as z from 'zod'
import type { CoSignerKey } from '../state/sealed-key.ts'
import type { CallbackAnswer } from './ask-callback.ts'
import { type CallbackEvent, fieldBody, requestIdOf } from './field-form.ts'

/*
 * Our own form, signed both ways with Ed25519.
 *
 *   asked     POST, JSON body { id, sent_at, event, … }; headers Holdfast-Key and Holdfast-Signature
 *   signed    the canonical bytes of { bodyHash = SHA-256 of the body }, under the co-signer's key
 *   answered  200, JSON { decision: approve | refuse, reason, signature }
 *   signed    the canonical bytes of { bodyHash, decision, reason }, under the callback's key
 *
 * The hash of the body binds an answer to the one question it answers: `sent_at` differs at each try, `id` does not.
 */

const askedShape = struct('holdfast/callback/asked/v1', { bodyHash: bytes(32) })
const answeredShape = struct('holdfast/callback/answered/v1', { bodyHash: bytes(32), decision: text(8), reason: text(500) })
const SIGNED_FORM_VERSION = 1

export type SignedRequest = { body: Uint8Array; bodyHash: Uint8Array; headers: Record<string, string> }

/** An event with the co-signer's signature over it. */
export function signedRequest(event: CallbackEvent, { secretKey, publicKey }: CoSignerKey, nowMs: number): SignedRequest {
  const asked = { version: SIGNED_FORM_VERSION, id: requestIdOf(event), sent_at: Math.floor(nowMs), event: fieldBody(event) }
  const body = new TextEncoder().encode(JSON.stringify(asked))
  const bodyHash = sha256(body)
  const signature = signEd25519(encode(askedShape, { bodyHash }), secretKey)
  return { body, bodyHash, headers: { 'Holdfast-Key': toHex(publicKey), 'Holdfast-Signature': toHex(signature) } }
}

/** For a callback: whether a body is from the co-signer of this key. */
export const isAskedBy = (body: Uint8Array, signature: string, publicKey: Uint8Array): boolean =>
  /^[0-9a-f]{128}$/.test(signature) && verifyEd25519(fromHex(signature), encode(askedShape, { bodyHash: sha256(body) }), publicKey)

/** For a callback: an answer to a body, signed. */
export function signAnswer(body: Uint8Array, { decision, reason }: { decision: 'approve' | 'refuse'; reason: string }, secretKey: Uint8Array) {
  const signature = signEd25519(encode(answeredShape, { bodyHash: sha256(body), decision, reason }), secretKey)
  return { decision, reason, signature: toHex(signature) }
}

const answerSchema = z.object({ decision: z.string(), reason: z.string(), signature: z.string().regex(/^[0-9a-f]{128}$/) })

/** What an answer says. One that the callback's key has not signed for this very question is from somebody else, and says nothing. */
export function readSignedAnswer({ status, body }: { status: number; body: Uint8Array }, { bodyHash }: SignedRequest, key: Uint8Array): CallbackAnswer {
  const said = readJson(body)
  if (status !== 200 || !said) return { kind: 'none', reason: `what came instead of a signed answer: ${status}, ${body.length} bytes` }
  const { decision, reason, signature } = said
  if (!isSigned(bodyHash, said, fromHex(signature), key)) return { kind: 'none', reason: "an answer that the callback's key did not sign for this question" }
  if (decision === 'approve') return { kind: 'yes' }
  return { kind: 'no', reason: `the callback refuses: ${reason === '' ? 'it gives no reason' : reason}` }
}

function isSigned(bodyHash: Uint8Array, { decision, reason }: { decision: string; reason: string }, signature: Uint8Array, key: Uint8Array): boolean {
  try {
    return verifyEd25519(signature, encode(answeredShape, { bodyHash, decision, reason }), key)
  } catch (cause) {
    // What is too long for its place was signed by nobody.
    if (cause instanceof EncodingFault) return false
    throw cause
  }
}

function readJson(body: Uint8Array): z.output<typeof answerSchema> | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(new TextDecoder().decode(body))).data
  } catch {
    return undefined
  }
}
