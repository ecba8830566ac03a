import { decode, EncodingError, equalBytes, toHex } from '@holdfast/encoding'
import { checkGenesis, type Genesis, GenesisRefused, genesisRecordShape, PolicyRefused } from '@holdfast/policy'
import { createOrganisation, type Organisation } from './organisation.ts'
import { Refused } from './refused.ts'
import { placeOf, type Signer } from './signer.ts'

/**
 * Pins an organisation: from now on this signer serves it, under this document and no other. Pinning it again changes nothing.
 * Throws Refused c2 unless the document stands by itself, the owner of this signer allows it, and it names this signer
 * and the peers it was told of.
 */
export async function pinGenesis(signer: Signer, record: Uint8Array): Promise<Organisation> {
  const { genesis, fingerprint } = readGenesis(record)
  const mine = signer.pinning.then(async () => {
    const pinned = signer.organisation(fingerprint)
    if (pinned) return pinned
    checkAllowed(signer, genesis, fingerprint)
    const name = toHex(fingerprint)
    const organisation = await createOrganisation(signer.options.ports, placeOf(signer.options, name), record)
    signer.organisations.set(name, organisation)
    return organisation
  })
  signer.pinning = mine.catch(() => {})
  return mine
}

function readGenesis(encoded: Uint8Array): { genesis: Genesis; fingerprint: Uint8Array } {
  try {
    const record = decode(genesisRecordShape, encoded)
    return { genesis: record.genesis, fingerprint: checkGenesis(record) }
  } catch (cause) {
    const known = [EncodingError, GenesisRefused, PolicyRefused].some((kind) => cause instanceof kind)
    if (known) throw new Refused('c2', `the genesis document: ${(cause as Error).message}`, { cause })
    throw cause
  }
}

function checkAllowed(signer: Signer, genesis: Genesis, fingerprint: Uint8Array): void {
  const { config, identity } = signer.options
  const { genesisPins, party, peers } = config
  if (genesisPins !== 'any' && !genesisPins.some((pin) => equalBytes(pin, fingerprint))) {
    throw new Refused('c2', `the owner of this signer has not allowed organisation ${toHex(fingerprint)}: add it to SIGNER_GENESIS_PINS`)
  }
  const named = genesis.signers.find((each) => each.party === BigInt(party))
  if (!named || !equalBytes(named.signKey, identity.publicKey)) {
    throw new Refused('c2', `the document does not name this signer, ${toHex(identity.publicKey)}, as party ${party}`)
  }
  const others = genesis.signers.filter((each) => each !== named)
  const stranger = peers && others.find((each) => !peers.some((key) => equalBytes(key, each.signKey)))
  if (stranger) throw new Refused('c2', `party ${stranger.party} has key ${toHex(stranger.signKey)}, which is not in SIGNER_PEERS`)
  for (const other of signer.organisations.values()) {
    if (equalBytes(other.genesis.organisationId, genesis.organisationId)) {
      throw new Refused('c2', `another document is pinned for this organisation: ${toHex(other.fingerprint)}`)
    }
  }
}
