/** A transaction that no block may hold: it is refused, and costs nothing. */
export class Invalid extends Error {
  override name = 'Invalid'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
