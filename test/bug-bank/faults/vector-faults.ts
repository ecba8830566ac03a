import type { PlantedFault } from '../planted-faults.ts'

const VECTORS = 'test/vectors/mpc-vectors.test.ts'
const SAME_BYTES = 'the protocols still make the committed transcripts, byte for byte'

/**
 * Faults that both parties of a run share, so that they agree with each other and every signature is right: only another implementation, or a transcript
 * from before, sees them.
 */
export const vectorFaults: PlantedFault[] = [
  {
    file: 'packages/mpc/src/round/transcript.ts',
    original: '{ session: session.id, use, from: BigInt(from), to: BigInt(to), data }',
    replacement: '{ session: session.id, use, from: 0n, to: 0n, data }',
    claimedBy: VECTORS,
    test: SAME_BYTES,
    why: 'the hashes of both directions have one prefix, so that a message can be reflected to its sender',
  },
  {
    file: 'packages/mpc/src/sign/sign.ts',
    original: '(session.me < peer ? zero : -zero)',
    replacement: '(session.me < peer ? -zero : zero)',
    claimedBy: VECTORS,
    test: SAME_BYTES,
    why: 'the share of zero has the other sign: two implementations of the document cannot sign with each other',
  },
  {
    file: 'packages/mpc/src/transfer/rvole.ts',
    original: 'digest(noncesShape, { bob: nonces.bob, alice: nonces.alice })',
    replacement: 'digest(noncesShape, { bob: nonces.bob, alice: nonces.bob })',
    claimedBy: VECTORS,
    test: SAME_BYTES,
    why: "pads are bound to one party's commitment alone: a session that the other repeats has the same ones",
  },
]
