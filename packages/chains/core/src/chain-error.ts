/** Thrown by a codec for bytes it refuses and by a node for answers it cannot use. */
export class ChainError extends Error {
  override name = 'ChainError'
}
