import { toHex } from '@holdfast/encoding'
import { type KeyShare, PROTOCOLS, startKeyGeneration } from '@holdfast/mpc'
import { Refused } from '../checks/refused.ts'
import { checkNotFrozen } from '../checks/verify.ts'
import { checkEverybody } from '../checks/verify-key-change.ts'
import { keyStatement, type Requested, signsNothing, type Task, type TaskContext } from './task.ts'

/** All three signers make a key together. */
export function generateKey(request: Requested<'generateKey'>, context: TaskContext): Task {
  const { organisation, nowMs } = context
  const { policy, register, party } = organisation
  checkEverybody(request, register)
  if (!PROTOCOLS.includes(request.protocol)) throw new Refused('c1', `this signer makes no keys of ${request.protocol}, only of ${PROTOCOLS.join(', ')}`)
  if (register.keys.has(toHex(request.keyId))) throw new Refused('c1', 'this key was made before')
  if (request.epoch !== 0n) throw new Refused('c1', 'a new key begins with epoch 0')
  if (BigInt(nowMs()) >= policy.expiresAtMs) throw new Refused('c3', 'the policy has expired: accept its next version')
  checkNotFrozen(register)
  const recovery = policy.recovery.find((each) => each.party === BigInt(party))
  if (!recovery || recovery.recipients.length === 0) throw new Refused('c3', 'the policy names nobody to whom this signer could seal its recovery share')
  return {
    ...signsNothing,
    protocol: request.protocol,
    prepare: async () => startKeyGeneration,
    keep: async (result) => {
      const share = result as KeyShare
      await organisation.putShare(share)
      const { keyId, epoch, protocol, curve, publicKey, chainCode } = share
      return [{ kind: 'keyOfKindMade', keyId, epoch, protocol, curve, publicKey, chainCode }]
    },
    answer: (result, atMs) => keyStatement(context, result as KeyShare, atMs),
  }
}
