import { p256 } from '@noble/curves/nist.js'
import type { PushKey } from './push-key.ts'

/** A device that was switched off for longer is told nothing: its owner looks anyway. */
const KEPT_SECONDS = 86_400
/** Push services take a token of at most a day. */
const TOKEN_SECONDS = 3_600

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')

/**
 * The headers of a push without payload (RFC 8030): it replaces an earlier one that the device has not had yet. The token (RFC 8292) says who pushes, to that
 * push service alone.
 */
export function pushHeaders({ publicKey, secret }: PushKey, { endpoint, subject, nowMs }: { endpoint: string; subject: string; nowMs: number }) {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(nowMs / 1000) + TOKEN_SECONDS, sub: subject }
  const signed = `${base64url(JSON.stringify({ typ: 'JWT', alg: 'ES256' }))}.${base64url(JSON.stringify(claims))}`
  const signature = p256.sign(new TextEncoder().encode(signed), secret, { lowS: false })
  return {
    TTL: String(KEPT_SECONDS),
    Urgency: 'high',
    Topic: 'holdfast-waiting',
    Authorization: `vapid t=${signed}.${base64url(signature)}, k=${base64url(publicKey)}`,
  }
}
