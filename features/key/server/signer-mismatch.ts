/** The signers do not agree with one another or with the server. Nothing is used that not all of them attest; a person must look. */
export class SignerMismatchError extends Error {
  override name = 'SignerMismatchError'
}
