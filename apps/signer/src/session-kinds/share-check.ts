import { startShareCheck } from '@holdfast/mpc'
import { checkEpoch } from '../checks/verify.ts'
import { checkEverybody } from '../checks/verify-key-change.ts'
import { keyStatement, type Requested, signsNothing, type Task, type TaskContext } from './task.ts'

/** All three signers show that their shares of a key fit together. */
export function shareCheck(request: Requested<'shareCheck'>, context: TaskContext): Task {
  const { organisation } = context
  const { register } = organisation
  checkEverybody(request, register)
  const key = checkEpoch(request.keyId, request.epoch, register)
  return {
    ...signsNothing,
    protocol: key.protocol,
    recheck: () => void checkEpoch(request.keyId, request.epoch, register),
    prepare: async () => {
      const share = await organisation.share(key)
      return (begin, random) => startShareCheck({ context: begin, share }, random)
    },
    keep: async () => [],
    answer: (_, atMs) => keyStatement(context, key, atMs),
  }
}
