/** The text by which two calls of one endpoint are the same: every field, and of a file what tells it from others. */
export function sameCall(input: object): string {
  return JSON.stringify(input, (_, value) => (value instanceof File ? [value.name, value.size, value.type, value.lastModified] : value))
}
