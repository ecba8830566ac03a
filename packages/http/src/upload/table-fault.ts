/**
 * A file that is no table. The message says what to change and can be shown to the person who chose the file; `where` names the part of the file that it is
 * about, such as `cell B2`, if it is not about the whole.
 */
export class TableFault extends Error {
  override name = 'TableFault'
  readonly where: string | undefined

  constructor(message: string, { where, ...options }: ErrorOptions & { where?: string } = {}) {
    super(message, options)
    this.where = where
  }
}
