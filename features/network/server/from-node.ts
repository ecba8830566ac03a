import { ChainError } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'

/** What a node answers. Throws `node_unavailable` where it does not. */
export async function fromNode<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof ChainError) throw new AppError('node_unavailable', { cause })
    throw cause
  }
}
