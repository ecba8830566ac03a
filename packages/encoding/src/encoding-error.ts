/** Thrown for every value that has no canonical form and for every byte string that is not one. */
export class EncodingFault extends Error {
  override name = 'EncodingFault'
}
