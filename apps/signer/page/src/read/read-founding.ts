import { decode, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { checkPolicy, FIRST_VERSION, findPerson, type Genesis, genesisHash, genesisShape, NO_HASH, type Person } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import type { KeyRecord } from '../keys/key-store.ts'
import { PageError } from '../page-error.ts'
import type { Member, Setup } from './signer-api.ts'

/** A founding document that stands by itself, with the fingerprint computed here. */
export type Founding = { genesis: Genesis; fingerprint: Uint8Array }

/**
 * Reads the founding document of a set-up, or null while there is none. Checks that it stands by itself, that it takes
 * approvals at this origin, and that the server reports the fingerprint it really has. Throws PageError.
 */
export function readFounding(setup: Setup, origin: string): Founding | null {
  if (setup.genesis === null) return null
  let genesis: Genesis
  try {
    genesis = decode(genesisShape, fromHex(setup.genesis))
    checkDocument(genesis)
  } catch (cause) {
    throw new PageError('badDocument', '', { cause })
  }
  const fingerprint = genesisHash(genesis)
  if (setup.fingerprint !== null && setup.fingerprint.toLowerCase() !== toHex(fingerprint)) throw new PageError('fingerprintDiffers')
  if (!genesis.policy.origins.some((each) => each.origin === origin)) throw new PageError('otherOrigin', origin)
  return { genesis, fingerprint }
}

// The same demands as checkGenesis has, but for the acceptances, which are what is still to be given.
function checkDocument(genesis: Genesis): void {
  const { signers, policy } = genesis
  const numbered = signers.length === 3 && signers.every((signer, i) => signer.party === BigInt(i + 1))
  const distinct = new Set(signers.map((signer) => toHex(signer.signKey))).size === 3
  if (!numbered || !distinct || genesis.threshold !== 2n) throw new PageError('badDocument')
  if (policy.version !== FIRST_VERSION || !equalBytes(policy.previous, NO_HASH) || !equalBytes(policy.genesis, NO_HASH)) throw new PageError('badDocument')
  checkPolicy(policy)
}

/** A member who can accept here: the person as the document has them, and the key made in this browser. */
export type Founder = { person: Person; key: KeyRecord }

/**
 * The founder a member is in the document. Throws PageError unless the document gives this person exactly the key that
 * was made in this browser: one key more would be somebody else's hand in this name.
 */
export function founderOf(founding: Founding, member: Member, keys: readonly KeyRecord[]): Founder {
  const person = findPerson(founding.genesis.policy, uuidToBytes(member.person_id))
  if (!person) throw new PageError('personMissing', member.name)
  const own = keys.filter((key) => key.personId === member.person_id)
  if (own.length === 0) throw new PageError('keyElsewhere', member.name)
  const keyOf = (credential: Person['credentials'][number]) => own.find((key) => isSame(key, credential))
  const [credential] = person.credentials
  if (!credential) throw new PageError('ownKeyMissing', member.name)
  const first = keyOf(credential)
  if (!first) throw new PageError(person.credentials.some(keyOf) ? 'foreignKey' : 'ownKeyMissing', member.name)
  if (person.credentials.some((each) => !keyOf(each))) throw new PageError('foreignKey', member.name)
  return { person, key: first }
}

function isSame(key: KeyRecord, { id, kind, publicKey, backupEligible }: Person['credentials'][number]): boolean {
  return key.id === toHex(id) && key.kind === kind && key.publicKey === toHex(publicKey) && key.backupEligible === backupEligible
}
