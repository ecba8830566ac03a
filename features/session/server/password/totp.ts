import type { Random } from '@holdfast/ports'
import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
const SECRET_BYTES = 20
/** One step before and after: for clocks that differ and fingers that are slow. */
const WINDOW_STEPS = 1

function totpOf(secret: Uint8Array, account = '', issuer = 'Holdfast'): TOTP {
  return new TOTP({ issuer, label: account, algorithm: 'SHA1', digits: 6, period: PERIOD_S, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })
}

/** A new secret for an authenticator app (RFC 6238: 20 bytes for HMAC-SHA-1). */
export function newTotpSecret(random: Random): Uint8Array {
  return random.bytes(SECRET_BYTES)
}

/** The secret as apps take it: typed (base32) and scanned (otpauth URI). */
export function describeTotp(secret: Uint8Array, account: string, organisation: string): { secret: string; uri: string } {
  const totp = totpOf(secret, account, `Holdfast ${organisation}`)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The time step whose code this is, within one step of now, or undefined. A step may be used once: the caller keeps the last one. */
export function totpStep(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_S) + delta
}
