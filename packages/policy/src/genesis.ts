import { bytes, digest, equalBytes, type Infer, list, struct, text, toHex, uint } from '@holdfast/encoding'
import { type acceptanceShape, acceptGenesisChallenge, AssertionRefused, verifyAssertion } from '@holdfast/intent'
import { checkPolicy } from './check-policy.ts'
import { findPerson, FIRST_VERSION, NO_HASH, policyShape } from './policy.ts'
import { faultOfSigners, namedIn, signerShape } from './signers.ts'

/** The root of all trust of one organisation. Its hash is in every share, message, policy, intent and log entry. */
export const genesisShape = struct('holdfast/genesis/v1', {
  organisationId: bytes(16),
  name: text(200),
  createdAtMs: uint(),
  signers: list(signerShape, 3),
  /** How many signers make a signature. */
  threshold: uint(8),
  policy: policyShape,
})

export type Genesis = Infer<typeof genesisShape>
type Acceptance = Infer<typeof acceptanceShape>

/** Why a genesis document cannot be pinned. */
export class GenesisRefused extends Error {
  override name = 'GenesisRefused'
}

/** The organisation's fingerprint: SHA-256 of the genesis document's canonical bytes. */
export function genesisHash(genesis: Genesis): Uint8Array {
  return digest(genesisShape, genesis)
}

/**
 * Checks a genesis document with the founding members' signatures: three distinct signers of which two sign, a policy of version 1 that stands by itself,
 * and the acceptance of every founding member with a key the document itself names. Returns the fingerprint.
 * Throws GenesisRefused or PolicyRefused.
 */
export function checkGenesis({ genesis, acceptances }: { genesis: Genesis; acceptances: readonly Acceptance[] }): Uint8Array {
  const fault = faultOfSigners(genesis.signers)
  if (fault) throw new GenesisRefused(fault)
  if (genesis.threshold !== 2n) throw new GenesisRefused('needs three signers of which two sign')
  const { policy } = genesis
  if (namedIn(policy)) throw new GenesisRefused('names its signers twice')
  if (policy.version !== FIRST_VERSION || !equalBytes(policy.previous, NO_HASH) || !equalBytes(policy.genesis, NO_HASH)) {
    throw new GenesisRefused('its policy is not a first version')
  }
  checkPolicy(policy)
  const fingerprint = genesisHash(genesis)
  const accepted = new Set<string>()
  for (const acceptance of acceptances) {
    checkAcceptance(acceptance, genesis, fingerprint)
    accepted.add(toHex(acceptance.person))
  }
  const missing = policy.people.filter((person) => !accepted.has(toHex(person.id)))
  if (missing.length > 0) throw new GenesisRefused(`not yet accepted by ${missing.map((person) => person.name).join(', ')}`)
  return fingerprint
}

function checkAcceptance(acceptance: Acceptance, genesis: Genesis, fingerprint: Uint8Array): void {
  const person = findPerson(genesis.policy, acceptance.person)
  if (!person) throw new GenesisRefused('accepted by somebody who is not in it')
  if (!equalBytes(acceptance.genesis, fingerprint)) throw new GenesisRefused(`${person.name} accepted another document`)
  const credential = person.credentials.find((each) => equalBytes(each.id, acceptance.assertion.credentialId))
  if (!credential) throw new GenesisRefused(`${person.name} accepted with a key that is not in the document`)
  try {
    verifyAssertion({
      assertion: acceptance.assertion,
      credential,
      challenge: acceptGenesisChallenge(fingerprint, acceptance.person),
      origins: genesis.policy.origins,
    })
  } catch (cause) {
    if (cause instanceof AssertionRefused) throw new GenesisRefused(`${person.name}'s acceptance: ${cause.message}`, { cause })
    throw cause
  }
}
