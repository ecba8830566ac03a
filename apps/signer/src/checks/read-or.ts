import { ChainError } from '@holdfast/chain-core'
import { EncodingFault } from '@holdfast/encoding'
import { CheckpointRefused } from '@holdfast/log'
import { ApprovalRefused } from '@holdfast/policy'
import type { Check } from '@holdfast/protocol'
import { Refused } from './refused.ts'

/** What is read, or Refused where its bytes or its signatures are not what they must be. Any other error is a bug and stays one. */
export function readOr<T>(check: Check, what: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const known = [EncodingFault, ChainError, ApprovalRefused, CheckpointRefused].some((kind) => cause instanceof kind)
    if (known) throw new Refused(check, `${what}: ${(cause as Error).message}`, { cause })
    throw cause
  }
}
