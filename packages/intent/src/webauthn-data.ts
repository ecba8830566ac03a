import { at } from '@holdfast/units'
import { AssertionRefused } from './assertion-refused.ts'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10
/** Bits 1 and 5, which nobody may set yet; attested credential data, of a registration alone; extension data, which the page asks for none of. */
const NEVER_SET = 0x02 | 0x20 | 0x40 | 0x80
/** The hash of the relying party, the flags, the counter: an assertion without extensions has nothing else. */
const LENGTH = 37

export type AuthenticatorData = { rpIdHash: Uint8Array; backupEligible: boolean /** 0 if the authenticator does not count. */; counter: number }

/** Reads the authenticator data of an assertion (WebAuthn Level 3, section 6.1). Throws AssertionRefused if anything in it is not as it must be. */
export function readAuthenticatorData(data: Uint8Array): AuthenticatorData {
  if (data.length < LENGTH) throw new AssertionRefused({ code: 'authenticator-cut-short' })
  const flags = at(data, 32)
  if ((flags & USER_PRESENT) === 0) throw new AssertionRefused({ code: 'authenticator-nobody-present' })
  if ((flags & USER_VERIFIED) === 0) throw new AssertionRefused({ code: 'authenticator-nobody-verified' })
  if ((flags & NEVER_SET) !== 0) throw new AssertionRefused({ code: 'authenticator-odd-flags' })
  if ((flags & BACKED_UP) !== 0 && (flags & BACKUP_ELIGIBLE) === 0) throw new AssertionRefused({ code: 'authenticator-odd-backup' })
  if (data.length !== LENGTH) throw new AssertionRefused({ code: 'authenticator-too-long' })
  const counter = new DataView(data.buffer, data.byteOffset + 33, 4).getUint32(0)
  return { rpIdHash: data.subarray(0, 32), backupEligible: (flags & BACKUP_ELIGIBLE) !== 0, counter }
}

/**
 * Reads client data of an assertion and checks all of it but the challenge and the origin, which it returns. Browsers may add members of their own, and some do
 * so at random to keep readers honest, so unknown ones pass; each may stand there once, and none may say that the page was framed. Throws AssertionRefused.
 */
export function readClientData(json: Uint8Array): { challenge: string; origin: string } {
  const client = parseOnce(json)
  if (client.type !== 'webauthn.get') throw new AssertionRefused({ code: 'client-other-act' })
  if (client.crossOrigin !== undefined && client.crossOrigin !== false) throw new AssertionRefused({ code: 'client-framed' })
  if (client.topOrigin !== undefined) throw new AssertionRefused({ code: 'client-framed-page' })
  const { challenge, origin } = client
  if (typeof challenge !== 'string' || typeof origin !== 'string') throw new AssertionRefused({ code: 'client-incomplete' })
  return { challenge, origin }
}

function parseOnce(bytes: Uint8Array): Record<string, unknown> {
  try {
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const parsed: unknown = JSON.parse(json)
    // Without an escape but that of a slash no text holds a quotation mark, so these are all names there are.
    const names = [...json.matchAll(/"([^"]*)"\s*:/g)].map((match) => match[1])
    const isPlain = !/\\(?!\/)/.test(json) && new Set(names).size === names.length
    if (isPlain && parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed)) return parsed as Record<string, unknown>
  } catch {
    // Falls through to the refusal below.
  }
  throw new AssertionRefused({ code: 'client-not-plain' })
}
