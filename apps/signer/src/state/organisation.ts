import { decode, encode, equalBytes, toHex } from '@holdfast/encoding'
import { checkKeyShare, CURVE, isEcdsa, keyPublicDigest, type KeyShare, keyShareShape, type PairSeeds, pairSeedsShape, PROTOCOL } from '@holdfast/mpc'
import type { Ports } from '@holdfast/ports'
import { type Genesis, type Policy, policyHash, type SignerIdentity } from '@holdfast/policy'
import { Journal } from './journal.ts'
import { Refusals } from './refusals.ts'
import type { Key, Register, Staged } from './register.ts'
import { type BlobLabel, Vault } from './vault.ts'
import { VaultError, type VaultKeys } from './vault-key.ts'

type OpenPorts = Pick<Ports, 'disk' | 'clock' | 'random'>
type Place = { folder: string; keys: VaultKeys; party: number }

/** One organisation this signer serves: what it must not forget, and its secrets. */
export class Organisation {
  readonly party: number
  readonly journal: Journal
  readonly refusals = new Refusals()
  readonly #vault: Vault
  readonly #folder: string

  constructor(party: number, journal: Journal, place: { folder: string; vault: Vault }) {
    this.party = party
    this.journal = journal
    this.#vault = place.vault
    this.#folder = place.folder
  }

  get register(): Register {
    return this.journal.register
  }

  get fingerprint(): Uint8Array {
    return this.register.fingerprint
  }

  get genesis(): Genesis {
    return this.register.genesis
  }

  /** The newest policy this signer has accepted. */
  get policy(): Policy {
    return this.register.policy
  }

  /** The version of this hash, where this signer has accepted it: the one in force, or one before it. */
  acceptedPolicy(hash: Uint8Array): Policy | undefined {
    return [this.policy, ...this.register.formerPolicies].find((policy) => equalBytes(policyHash(policy), hash))
  }

  /** The three signers by that policy. */
  get signers(): readonly SignerIdentity[] {
    return this.register.signers
  }

  /** The Ed25519 key of a party, or undefined if there is no such party. */
  signKeyOf(party: number | bigint): Uint8Array | undefined {
    return this.signers.find((signer) => signer.party === BigInt(party))?.signKey
  }

  keyOf(keyId: Uint8Array, epoch: bigint): Key | undefined {
    const key = this.register.keys.get(toHex(keyId))
    return key?.epoch === epoch ? key : undefined
  }

  /** The next epoch of a key, where its share is in the vault and it is not signed with yet. */
  stagedOf(keyId: Uint8Array, epoch: bigint): Staged | undefined {
    const staged = this.register.staged.get(toHex(keyId))
    return staged?.epoch === epoch ? staged : undefined
  }

  /** Whether everything that signing with this epoch needs is on disk: the share that was staged, and for ECDSA the set-up with each peer. */
  async isComplete(staged: Staged): Promise<boolean> {
    if (!equalBytes(keyPublicDigest(await this.share(staged)), staged.key)) return false
    if (!isEcdsa(staged.protocol)) return true
    for (const peer of this.#peers) if (!(await this.seeds(staged, peer))) return false
    return true
  }

  /** Takes the secrets of an epoch off the disk, once the journal says that it is given up. */
  async forgetEpoch(key: Key): Promise<void> {
    await this.#vault.remove(this.#label('share', key, 0))
    await this.forgetSeeds(key)
  }

  /** Takes the seeds shared with these peers off the disk: what is burned, or was made for shares that another run has replaced, serves nobody but a thief. */
  async forgetSeeds(key: Pick<Key, 'keyId' | 'epoch'>, peers: readonly number[] = this.#peers): Promise<void> {
    const label = { ...key, protocol: PROTOCOL, curve: CURVE }
    for (const peer of peers) await this.#vault.remove(this.#label('pair-seeds', label, peer))
  }

  get #peers(): number[] {
    return this.signers.map((signer) => Number(signer.party)).filter((party) => party !== this.party)
  }

  async putShare(share: KeyShare): Promise<void> {
    await this.#vault.put(this.#label('share', share, 0), encode(keyShareShape, share))
  }

  /** The share of a key. Throws VaultError if it is gone or damaged. */
  async share(key: Key): Promise<KeyShare> {
    const label = this.#label('share', key, 0)
    const stored = await this.#vault.get(label)
    if (!stored) throw new VaultError(this.#vault.pathOf(label), 'the share is missing: put back a whole copy of the folder')
    return decode(keyShareShape, stored)
  }

  async putSeeds(seeds: PairSeeds): Promise<void> {
    await this.#vault.put(this.#label('pair-seeds', seeds, Number(seeds.peer)), encode(pairSeedsShape, seeds))
  }

  /** The seeds shared with a peer, or undefined if the pair was never set up. Throws VaultError if they are damaged. */
  async seeds(key: Key, peer: number): Promise<PairSeeds | undefined> {
    const stored = await this.#vault.get(this.#label('pair-seeds', key, peer))
    return stored && decode(pairSeedsShape, stored)
  }

  /** Reads every secret and checks that each share is the one the journal speaks of. Throws VaultError. */
  async checkShares(): Promise<void> {
    if (this.register.founded.genesis === null) {
      throw new VaultError(this.#folder, 'the journal in it is empty, though a folder is made only with a first record: put back a whole copy of the folder')
    }
    const { keys, staged, former, retired } = this.register
    for (const key of [...keys.values(), ...[...former.values()].flat()]) await this.#checkShareOf(key)
    for (const next of staged.values()) {
      const share = await this.#checkShareOf(next)
      if (!equalBytes(keyPublicDigest(share), next.key))
        throw new VaultError(this.#pathOfShare(next), 'is the share of another run than the one in the journal')
    }
    for (const key of retired) await this.forgetEpoch(key)
    for (const burn of this.register.burns.values()) await this.forgetSeeds(burn, [burn.peer])
  }

  async #checkShareOf(key: Key): Promise<KeyShare> {
    // Seeds that do not open would be noticed in the middle of a session; here the file is named before anything begins.
    for (const peer of this.#peers) await this.seeds(key, peer)
    const share = await this.share(key)
    checkKeyShare(share)
    if (!equalBytes(share.publicKey, key.publicKey)) throw new VaultError(this.#pathOfShare(key), 'is the share of another public key')
    return share
  }

  #pathOfShare(key: Key): string {
    return this.#vault.pathOf(this.#label('share', key, 0))
  }

  #label(kind: BlobLabel['kind'], of: Pick<Key, 'keyId' | 'epoch' | 'protocol' | 'curve'>, peer: number): BlobLabel {
    const { keyId, epoch, protocol, curve } = of
    return { kind, protocol, curve, genesis: this.fingerprint, keyId, epoch, party: this.party, peer }
  }
}

/** Opens an organisation's folder, or an empty one for a new organisation. Throws JournalError or VaultError. */
export async function openOrganisation(ports: OpenPorts, { folder, keys, party }: Place): Promise<Organisation> {
  const journal = await Journal.open(ports, { folder, key: keys.journal, party })
  const organisation = new Organisation(party, journal, { folder, vault: new Vault(ports, `${folder}/vault`, keys.shares) })
  try {
    await organisation.checkShares()
    if (journal.register.hasSessionsUnderWay) await journal.write([{ kind: 'restarted' }])
    return organisation
  } catch (cause) {
    await journal.close()
    throw cause
  }
}

/**
 * Makes the folder of a newly pinned organisation. It gets its name only when the journal in it says what was pinned, so
 * that there is never a folder that looks like an organisation and is none.
 */
export async function createOrganisation(ports: OpenPorts, place: Place, record: Uint8Array): Promise<Organisation> {
  const unfinished = `${place.folder}.new`
  await ports.disk.remove(unfinished)
  await ports.disk.makeFolder(`${unfinished}/vault`)
  const journal = await Journal.open(ports, { folder: unfinished, key: place.keys.journal, party: place.party })
  await journal.write([{ kind: 'pinned', record }])
  await journal.close()
  await ports.disk.move(unfinished, place.folder)
  return openOrganisation(ports, place)
}
