/** What a machine can sign with, as people call it. */
export type KeyAlgorithm = 'Ed25519' | 'P-256'
/** A public key as the policy has it: 64 hexadecimal digits of Ed25519, or the compressed point of P-256 in 66. */
export type ReadKey = { hex: string; algorithm: KeyAlgorithm }
/** Why a text is no public key that can be taken: it is none, it is the private half, it is of another algorithm, or no point of its curve. */
export type KeyFault = 'unread' | 'private' | 'other' | 'point'

/** The algorithm of a key as the policy has it. */
export const algorithmOfHex = (hex: string): KeyAlgorithm => (hex.length === 66 ? 'P-256' : 'Ed25519')

/** What stands before a key in its SubjectPublicKeyInfo (RFC 8410; RFC 5480). */
const OF_ED25519 = '302a300506032b6570032100'
const OF_P256 = ['3059301306072a8648ce3d020106082a8648ce3d030107034200', '3039301306072a8648ce3d020106082a8648ce3d030107032200']

/** A public key in PEM, as a JSON Web Key, or in hexadecimal digits, as programs and key services print it. */
export function readPublicKey(text: string): ReadKey | { fault: KeyFault } {
  const given = text.trim()
  if (/PRIVATE KEY/.test(given)) return { fault: 'private' }
  if (given.startsWith('{')) return readJwk(given)
  if (given.startsWith('-----')) return readPem(given)
  return readDigits(given.replaceAll(/\s/g, '').toLowerCase())
}

function readDigits(hex: string): ReadKey | { fault: KeyFault } {
  if (/^(?:0[23])?[0-9a-f]{64}$/.test(hex)) return { hex, algorithm: algorithmOfHex(hex) }
  return /^04[0-9a-f]{128}$/.test(hex) ? compressed(hex.slice(2, 66), hex.slice(66)) : { fault: 'unread' }
}

function readPem(pem: string): ReadKey | { fault: KeyFault } {
  const [, text = ''] = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----$/.exec(pem) ?? []
  const der = hexOf(text)
  if (der === undefined || der === '') return { fault: 'unread' }
  const prefix = [OF_ED25519, ...OF_P256].find((each) => der.startsWith(each))
  const read = prefix === undefined ? ({ fault: 'other' } as const) : readDigits(der.slice(prefix.length))
  return 'fault' in read || (prefix === OF_ED25519) === (read.algorithm === 'Ed25519') ? read : { fault: 'unread' }
}

function readJwk(text: string): ReadKey | { fault: KeyFault } {
  let jwk: Record<string, unknown>
  try {
    jwk = JSON.parse(text) as Record<string, unknown>
  } catch {
    return { fault: 'unread' }
  }
  if ('d' in jwk) return { fault: 'private' }
  const [x, y] = [jwk['x'], jwk['y']].map((each) => (typeof each === 'string' ? hexOf(each.replaceAll('-', '+').replaceAll('_', '/')) : undefined))
  if (jwk['kty'] === 'OKP' && jwk['crv'] === 'Ed25519') return x?.length === 64 ? { hex: x, algorithm: 'Ed25519' } : { fault: 'unread' }
  if (jwk['kty'] !== 'EC' || jwk['crv'] !== 'P-256') return { fault: 'other' }
  return x?.length === 64 && y?.length === 64 ? compressed(x, y) : { fault: 'unread' }
}

const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** A point of P-256 by both coordinates. One that the digits of y do not fit would become another key by leaving them out. */
function compressed(x: string, y: string): ReadKey | { fault: KeyFault } {
  const [a, b] = [BigInt(`0x${x}`), BigInt(`0x${y}`)]
  if (a >= P || b >= P || (b * b - (a * a * a - 3n * a + B)) % P !== 0n) return { fault: 'point' }
  return { hex: `${b % 2n === 0n ? '02' : '03'}${x}`, algorithm: 'P-256' }
}

/** The bytes of base64, with or without what it is filled up with, as hexadecimal digits; undefined where it is none. */
function hexOf(base64: string): string | undefined {
  try {
    return [...atob(base64.replaceAll(/\s/g, ''))].map((letter) => (letter.codePointAt(0) ?? 0).toString(16).padStart(2, '0')).join('')
  } catch {
    return undefined
  }
}
