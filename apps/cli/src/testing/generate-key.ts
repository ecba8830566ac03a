import { type KeyShare, PROTOCOL, startKeyGeneration, startResharing } from '@holdfast/mpc'
import { contextOf, runParties, seededRandom } from '../../../../packages/mpc/src/testing/run-parties.ts'
import type { Organisation } from './test-organisation.ts'

const PARTIES = [1, 2, 3]

/** For tests: a key of an organisation as three signers generate it, in the signers' order. */
export function generateKey({ fingerprint, keyId }: Organisation, seed: string, protocol = PROTOCOL): KeyShare[] {
  const place = { genesis: fingerprint, keyId, protocol }
  const made = runParties(new Map(PARTIES.map((me) => [me, startKeyGeneration(contextOf(me, PARTIES, seed, place), seededRandom(`${seed}/${me}`))])))
  return PARTIES.map((party) => made.get(party)!)
}

/** For tests: the shares of the same key in its next epoch, as a refresh makes them. */
export function refreshKey(shares: readonly KeyShare[], seed: string): KeyShare[] {
  const { genesis, keyId, protocol, epoch } = shares[0]!
  const made = runParties(
    new Map(
      PARTIES.map((me) => {
        const context = contextOf(me, PARTIES, seed, { genesis, keyId, protocol, epoch: epoch + 1n })
        return [me, startResharing({ context, key: shares[0]!, dealers: PARTIES, receivers: PARTIES, share: shares[me - 1]! }, seededRandom(`${seed}/${me}`))]
      }),
    ),
  )
  return PARTIES.map((party) => made.get(party)!)
}
