import { isEcdsa, type PairSeeds, startPairSetup } from '@holdfast/mpc'
import { Refused } from '../checks/refused.ts'
import { checkEpoch, checkNotBurned, checkPair } from '../checks/verify.ts'
import { type Requested, signsNothing, type Task, type TaskContext } from './task.ts'

/** Two signers make what they need to sign with each other. */
export function pairSetup(request: Requested<'pairSetup'>, { organisation }: TaskContext): Task {
  const { register, party } = organisation
  const peer = checkPair(request.parties, party, register)
  const { keyId, epoch } = request
  const held = () => organisation.stagedOf(keyId, epoch) ?? checkEpoch(keyId, epoch, register)
  const { protocol } = held()
  if (!isEcdsa(protocol)) throw new Refused('c1', `a key of ${protocol} needs no set-up of pairs`)
  checkNotBurned(keyId, epoch, peer, register)
  return {
    ...signsNothing,
    protocol,
    recheck: () => void held(),
    prepare: async () => startPairSetup,
    keep: async (result) => {
      await organisation.putSeeds(result as PairSeeds)
      return []
    },
    answer: () => new Uint8Array(0),
  }
}
