import { decode, EncodingFault, equalBytes, toHex } from '@holdfast/encoding'
import {
  ApprovalRefused,
  checkRecord,
  genesisHash,
  GenesisRefused,
  genesisRecordShape,
  PolicyRefused,
  type ProvenOrganisation,
  type SignerIdentity,
} from '@holdfast/policy'
import { createOrganisation, type Organisation } from '../state/organisation.ts'
import { Refused } from '../checks/refused.ts'
import { placeOf, type Signer } from '../signer.ts'

/**
 * Pins an organisation: from now on this signer serves it, under this document and no other. Pinning it again changes nothing.
 * Throws Refused c2 unless the document stands by itself, the owner of this signer allows it, and it names this signer
 * and the peers it was told of. A signer that takes the place of another is named by a later policy: it is given every version up to that one.
 */
export async function pinGenesis(signer: Signer, record: Uint8Array): Promise<Organisation> {
  const read = believed(() => decode(genesisRecordShape, record))
  const fingerprint = genesisHash(read.genesis)
  const mine = signer.pinning.then(async () => {
    const pinned = signer.organisation(fingerprint)
    if (pinned) return pinned
    const proven = believed(() => checkRecord(read))
    checkAllowed(signer, proven)
    const name = toHex(fingerprint)
    const organisation = await createOrganisation(signer.options.ports, placeOf(signer.options, name), record)
    signer.organisations.set(name, organisation)
    return organisation
  })
  signer.pinning = mine.catch(() => {})
  return mine
}

function believed<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const known = [EncodingFault, GenesisRefused, PolicyRefused, ApprovalRefused].some((kind) => cause instanceof kind)
    if (known) throw new Refused('c2', `the genesis document: ${(cause as Error).message}`, { cause })
    throw cause
  }
}

function checkAllowed(signer: Signer, { genesis, fingerprint, signers }: ProvenOrganisation): void {
  const { config, identity } = signer.options
  const { genesisPins, party } = config
  if (genesisPins !== 'any' && !genesisPins.some((pin) => equalBytes(pin, fingerprint))) {
    throw new Refused('c2', `the owner of this signer has not allowed organisation ${toHex(fingerprint)}: add it to SIGNER_GENESIS_PINS`)
  }
  const named = signers.find((each) => each.party === BigInt(party))
  if (!named || !equalBytes(named.signKey, identity.publicKey)) {
    throw new Refused('c2', `the document does not name this signer, ${toHex(identity.publicKey)}, as party ${party}`)
  }
  checkPeers(signer, signers)
  for (const other of signer.organisations.values()) {
    if (equalBytes(other.genesis.organisationId, genesis.organisationId)) {
      throw new Refused('c2', `another document is pinned for this organisation: ${toHex(other.fingerprint)}`)
    }
  }
}

/** c2: the other signers are those the owner of this one has allowed, where the owner names any. */
export function checkPeers({ options: { config } }: Signer, signers: readonly SignerIdentity[]): void {
  const { peers, party } = config
  const stranger = peers && signers.find((each) => each.party !== BigInt(party) && !peers.some((key) => equalBytes(key, each.signKey)))
  if (stranger) throw new Refused('c2', `party ${stranger.party} has key ${toHex(stranger.signKey)}, which is not in SIGNER_PEERS`)
}
