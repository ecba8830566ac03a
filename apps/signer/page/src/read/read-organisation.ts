import { decode, fromHex, toHex } from '@holdfast/encoding'
import { type Genesis, genesisHash, genesisShape, type Policy, policyShape } from '@holdfast/policy'
import { PageError } from '../page-error.ts'

export type Organisation = { genesis: Genesis; policy: Policy }

/** The organisation out of the signer's answer: the founding document must have the fingerprint of the link. Throws PageError. */
export function readOrganisation(fingerprint: string, reply: Record<'genesis' | 'policy', string>, origin: string): Organisation {
  try {
    const genesis = decode(genesisShape, fromHex(reply.genesis))
    if (toHex(genesisHash(genesis)) !== fingerprint) throw new PageError('badDocument')
    const policy = decode(policyShape, fromHex(reply.policy))
    if (!policy.origins.some((each) => each.origin === origin)) throw new PageError('otherOrigin', origin)
    return { genesis, policy }
  } catch (cause) {
    throw cause instanceof PageError ? cause : new PageError('badDocument', '', { cause })
  }
}
