import { decode, equalBytes } from '@holdfast/encoding'
import { recipientFingerprint } from '@holdfast/policy'
import { combineParts, type RecoveryPart, recoveryPartShape, type SealedShare, type SecretPart } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { Decrypter } from 'age-encryption'
import type { Identity } from './recovery-identity.ts'

/**
 * What became of the part of one officer of a signer: opened; not given, where no identity of that officer is here; damaged, where it does not open or does
 * not fit the others; of another kit, where it opens and says so.
 */
export type OfficerPart = { fingerprint: string; state: 'opened' | 'not-given' | 'damaged' | 'other-kit'; detail: string }

/** What opening a sealed share gave. `plain` is a share package, to be overwritten after use; it is null if the share stayed shut. */
type Opened = { plain: Uint8Array | null; officers: OfficerPart[]; needs: number; fault: string | null }

export const recipientsOf = (sealed: SealedShare): string[] =>
  sealed.kind === 'single' ? sealed.recipients : sealed.officers.map(({ recipient }) => recipient)

/** Opens a sealed share with the identities that are here. Never throws for what is wrong with it. */
export async function openSealed(sealed: SealedShare, identities: readonly Identity[]): Promise<Opened> {
  if (sealed.kind === 'quorum') return openTogether(sealed, identities)
  const fitting = identities.filter((identity) => sealed.recipients.includes(identity.recipient))
  const officers = sealed.recipients.map((recipient): OfficerPart => ({ fingerprint: recipientFingerprint(recipient), state: 'not-given', detail: '' }))
  if (fitting.length === 0) return { plain: null, officers, needs: 1, fault: null }
  try {
    return { plain: await unseal(sealed.sealed, fitting), officers: [], needs: 1, fault: null }
  } catch (cause) {
    return { plain: null, officers: [], needs: 1, fault: messageOf(cause) }
  }
}

type Quorum = Extract<SealedShare, { kind: 'quorum' }>
type Part = { at: number; part: SecretPart }

async function openTogether(sealed: Quorum, identities: readonly Identity[]): Promise<Opened> {
  const needs = Number(sealed.threshold)
  const looked = await Promise.all(sealed.officers.map((officer, at) => openPart(sealed, officer, at, identities)))
  const officers = looked.map(({ verdict }) => verdict)
  const parts = looked.flatMap(({ part }, at) => (part ? [{ at, part }] : []))
  try {
    if (parts.length < needs) {
      const isBroken = officers.some(({ state }) => state === 'damaged' || state === 'other-kit')
      return { plain: null, officers, needs, fault: isBroken ? `${parts.length} of ${needs} parts needed could be used` : null }
    }
    const found = await combine(sealed, parts, needs)
    if (!found) return { plain: null, officers, needs, fault: `no ${needs} of the ${parts.length} opened parts fit together` }
    for (const { at: index, part } of parts) {
      if (!equalBytes(combineParts(found.used, part.x), part.y))
        officers[index] = { ...at(officers, index), state: 'damaged', detail: 'it does not fit the other parts' }
    }
    return { plain: found.plain, officers, needs, fault: null }
  } finally {
    for (const { part } of parts) part.y.fill(0)
  }
}

async function openPart(sealed: Quorum, officer: Quorum['officers'][number], at: number, identities: readonly Identity[]) {
  const own = identities.filter(({ recipient }) => recipient === officer.recipient)
  const verdict = (state: OfficerPart['state'], detail = ''): OfficerPart => ({ fingerprint: recipientFingerprint(officer.recipient), state, detail })
  if (own.length === 0) return { verdict: verdict('not-given'), part: null }
  let part: RecoveryPart
  try {
    const plain = await unseal(officer.sealed, own)
    part = decode(recoveryPartShape, plain)
    plain.fill(0)
  } catch (cause) {
    return { verdict: verdict('damaged', messageOf(cause)), part: null }
  }
  const strange = strangeIn(part, sealed)
  if (strange !== null) return { verdict: verdict('other-kit', strange), part: null }
  if (part.x !== BigInt(at + 1)) return { verdict: verdict('damaged', 'it is the part of another officer'), part: null }
  return { verdict: verdict('opened'), part: { x: at + 1, y: part.y } }
}

/** What tells that a part is of another sealing, or null if it is of this one. */
function strangeIn(part: RecoveryPart, sealed: Quorum): string | null {
  if (!equalBytes(part.genesis, sealed.genesis)) return 'it is of another organisation'
  if (!equalBytes(part.keyId, sealed.keyId)) return 'it is of another key'
  if (part.epoch !== sealed.epoch) return `it is of epoch ${part.epoch}`
  if (part.party !== sealed.party) return `it is of signer ${part.party}`
  return equalBytes(part.sealing, sha256(sealed.sealed)) ? null : 'it belongs to another sealing of this share'
}

/** The most choices of officers that are tried where some parts do not fit: more than there are among eight of sixteen. */
const CHOICES_MAX = 13_000

/** The first choice of parts that open the share. One is enough unless a part is wrong, which only its signer could have made so. */
async function combine(sealed: Quorum, parts: readonly Part[], needs: number): Promise<{ plain: Uint8Array; used: SecretPart[] } | undefined> {
  let tried = 0
  for (const chosen of choices(parts, needs)) {
    if (++tried > CHOICES_MAX) return undefined
    const used = chosen.map(({ part }) => part)
    const text = combineParts(used)
    try {
      const secret = new TextDecoder('utf-8', { fatal: true }).decode(text)
      const decrypter = new Decrypter()
      decrypter.addIdentity(secret)
      return { plain: await decrypter.decrypt(sealed.sealed), used: used.map(({ x, y }) => ({ x, y: y.slice() })) }
    } catch {
      // These parts give no identity, or one that does not open it: the next choice may.
    } finally {
      text.fill(0)
    }
  }
  return undefined
}

function* choices<T>(items: readonly T[], count: number): Generator<T[]> {
  if (count === 0) return yield []
  for (let i = 0; i <= items.length - count; i++) for (const rest of choices(items.slice(i + 1), count - 1)) yield [at(items, i), ...rest]
}

async function unseal(sealed: Uint8Array, identities: readonly Identity[]): Promise<Uint8Array> {
  const decrypter = new Decrypter()
  for (const { secret } of identities) decrypter.addIdentity(secret)
  return decrypter.decrypt(sealed)
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
