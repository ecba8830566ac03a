import { equalBytes, toHex } from '@holdfast/encoding'
import { keyPublicDigest, type KeyShare, startResharing } from '@holdfast/mpc'
import { requestHash } from '@holdfast/protocol'
import { known } from '@holdfast/units'
import { Refused } from '../checks/refused.ts'
import { verifyKeyChange } from '../checks/verify-key-change.ts'
import { type Requested, signsNothing, type Task, type TaskContext } from './task.ts'

/** All three signers get new shares of a key. */
export function reshare(request: Requested<'reshare'>, { organisation, nowMs }: TaskContext): Task {
  const { party, register } = organisation
  const verify = () => verifyKeyChange(request, { party, register, nowMs: nowMs() })
  const { key, dealers, anew, intentHash } = verify()
  const { keyId } = request
  return {
    ...signsNothing,
    protocol: key.protocol,
    joining: [{ kind: 'keyChangeBegan', requestHash: requestHash(request), keyId, intentHash, anew: BigInt(anew) }],
    anew,
    recheck: () => void verify(),
    prepare: async () => {
      const share = dealers.includes(party) ? await organisation.share(known(register.keys.get(toHex(keyId)), 'the share that this signer deals from')) : null
      if (share && !equalBytes(keyPublicDigest(share), keyPublicDigest(key))) {
        throw new Refused('c1', 'what the request describes is not the epoch of the key that this signer holds')
      }
      return (context, random) => startResharing({ context, key, dealers, receivers: request.parties.map(Number), share }, random)
    },
    keep: async (result) => {
      const share = result as KeyShare
      // Only what is set up from here on counts for these shares, and not what was for those of a run before.
      await organisation.forgetSeeds(share)
      await organisation.putShare(share)
      const { epoch, protocol, curve, publicKey, chainCode } = share
      const received = !dealers.includes(party)
      return [{ kind: 'keyStaged', keyId, epoch, protocol, curve, publicKey, chainCode, key: keyPublicDigest(share), intentHash, received }]
    },
    answer: () => new Uint8Array(0),
  }
}
