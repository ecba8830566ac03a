/** A transaction that no block may hold: it is refused, and costs nothing. */
export class TransactionRefused extends Error {
  override name = 'TransactionRefused'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
