/** Thrown by a codec for bytes it refuses and by a node for answers it cannot use. */
export class ChainError extends Error {
  override name = 'ChainError'
}

/** Why no bytes can be made for an order, in a form that can be told in any language. Amounts are base units of the network's own coin. */
export type BuildObstacle =
  | { kind: 'dust'; amount: bigint; least: bigint }
  | { kind: 'fee_cap'; cap: bigint; needed: bigint }
  | { kind: 'coins_missing'; missing: bigint }
  | { kind: 'coins_small' | 'proofs_large' | 'token_refuses' }

/** Thrown where bytes for an order cannot be made, and it is known why. */
export class BuildError extends ChainError {
  override name = 'BuildError'
  readonly obstacle: BuildObstacle

  constructor(message: string, obstacle: BuildObstacle, options?: ErrorOptions) {
    super(message, options)
    this.obstacle = obstacle
  }
}
