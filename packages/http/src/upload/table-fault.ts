/** A file that is no table. The message says what to change and can be shown to the person who chose the file. */
export class TableFault extends Error {
  override name = 'TableFault'
}
