import { bytes, digest, type Infer, struct } from '@holdfast/encoding'
import { assertionShape } from './assertion.ts'

/** A founding member's signature under the genesis document. */
export const acceptanceShape = struct('holdfast/acceptance/v1', { genesis: bytes(32), person: bytes(16), assertion: assertionShape })

const challengeShape = struct('holdfast/accept-genesis/v1', { genesis: bytes(32), person: bytes(16) })

export type Acceptance = Infer<typeof acceptanceShape>

/** The 32-byte challenge a founding member signs to accept the genesis document of this hash. */
export function acceptGenesisChallenge(genesis: Uint8Array, person: Uint8Array): Uint8Array {
  return digest(challengeShape, { genesis, person })
}
