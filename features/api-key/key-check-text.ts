/**
 * What is signed to check a pair of keys. It begins as nothing else does that a key signs: a call of a program begins with a quotation mark, what a machine
 * says of an order with the length of its tag. So a signature of it opens nothing.
 */
export const keyCheckText = (keyId: string, nonce: string): string => `Holdfast key check: ${keyId}, ${nonce}`

/** What signs the text where the private half is, and prints the signature in base64: of P-256 in DER. */
export const keyCheckCommand = (text: string): string =>
  `printf %s '${text}' > check.txt
openssl pkeyutl -sign -rawin -inkey key.pem -in check.txt | base64 | tr -d '\\n'`
