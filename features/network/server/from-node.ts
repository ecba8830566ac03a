import { ChainError } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import { networkErrors } from '../errors.ts'

/** What a node answers. Throws `node_unavailable` if it does not. */
export async function fromNode<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof ChainError) throw new AppError(networkErrors.node_unavailable, { cause })
    throw cause
  }
}
