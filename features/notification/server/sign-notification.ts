import type { SigningKey } from './webhook-keys.ts'

const toBytes = (text: string) => new TextEncoder().encode(text)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** The bytes that are sent: the stored body with the number of the try, which comes last and is the only thing that differs between tries. */
export function bodyOfAttempt(body: string, attempt: number): string {
  return JSON.stringify({ ...(JSON.parse(body) as object), attempt })
}

/**
 * The headers of one try. Both signatures are Ed25519 (RFC 8032) in base64: `X-Signature` over the raw body, and
 * `X-Holdfast-Signature` over the time in `X-Holdfast-Timestamp` (milliseconds since 1970), a full stop and the raw body, so that
 * an endpoint can refuse what was recorded and is sent again later.
 */
export function signatureHeaders(
  key: SigningKey,
  { notifyId, event, attempt, nowMs, raw }: { notifyId: string; event: string; attempt: number; nowMs: number; raw: string },
): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Holdfast-Notifications/1',
    'X-Holdfast-Notify-Id': notifyId,
    'X-Holdfast-Event': event,
    'X-Holdfast-Attempt': String(attempt),
    'X-Holdfast-Timestamp': String(nowMs),
    'X-Holdfast-Key-Id': key.keyId,
    'X-Holdfast-Signature': base64(key.sign(toBytes(`${nowMs}.${raw}`))),
    'X-Signature': base64(key.sign(toBytes(raw))),
  }
}
