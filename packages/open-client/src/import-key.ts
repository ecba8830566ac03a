/** What names the algorithm in PKCS #8 (RFC 8410; RFC 5480 and the curve): the bytes of its AlgorithmIdentifier. */
const ALGORITHMS = [
  { names: '300506032b6570', how: 'Ed25519' },
  { names: '301306072a8648ce3d020106082a8648ce3d030107', how: { name: 'ECDSA', namedCurve: 'P-256' } },
] as const

/**
 * The private key of an API key, Ed25519 or P-256, from PEM (PKCS #8, as `openssl genpkey` writes it). It signs and cannot be taken out again. Throws TypeError
 * where it is of another algorithm, or in another form.
 */
export async function importKey(pem: string): Promise<CryptoKey> {
  const [, text] = /^-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/.exec(pem.trim()) ?? []
  if (text === undefined) throw new TypeError('the key must be PEM that begins with BEGIN PRIVATE KEY: openssl pkcs8 -topk8 -nocrypt makes it of other forms')
  const bytes = Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (each) => each.charCodeAt(0))
  const hex = [...bytes.subarray(0, 40)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const found = ALGORITHMS.find(({ names }) => hex.includes(names))
  if (!found) throw new TypeError('the key must be of Ed25519 or of P-256')
  return crypto.subtle.importKey('pkcs8', bytes, found.how, false, ['sign'])
}
