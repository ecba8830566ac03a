/** The private key of an API key, from PEM (PKCS #8, as `openssl genpkey -algorithm ed25519` writes it). It signs and cannot be taken out again. */
export function importKey(pem: string): Promise<CryptoKey> {
  const text = pem.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
  return crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', false, ['sign'])
}
