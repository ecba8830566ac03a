import { hedgedRandom, type Random } from '@holdfast/mpc'
import type { Ports } from '@holdfast/ports'
import type { Identity } from '../state/identity.ts'

/**
 * All randomness of a session's protocol, from three sources: one stream keyed by the other. The generator of this process and the kernel's together are as
 * good as the better of both: a memory that was copied, or set back, repeats what the first gives and not what the second does. The identity's secret makes
 * even two stuck ones give each signer and each session bytes of their own, as RFC 6979 section 3.6 has it for nonces. Throws ProtocolFault if either
 * gives too little, or only zeros.
 */
export function sessionRandomness({ random, kernelRandom }: Pick<Ports, 'random' | 'kernelRandom'>, identity: Identity, session: Uint8Array): Random {
  const ofProcess = hedgedRandom((length) => random.bytes(length), identity.secretKey, session)
  return hedgedRandom((length) => kernelRandom.bytes(length), ofProcess(32), session)
}
