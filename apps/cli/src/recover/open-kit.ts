import { decode, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { type KeyShare, publicKeyOf, recoverSecret } from '@holdfast/mpc'
import { checkRecord, genesisRecordShape, type ProvenOrganisation, type SignerIdentity } from '@holdfast/policy'
import { readKits, type RecoveryKit, sealedShareShape } from '@holdfast/protocol'
import { type Examined, examineShare, publicPartOf } from './examine-share.ts'
import { recipientsOf } from './open-share.ts'
import type { Identity } from './recovery-identity.ts'

/** Why a kit proves nothing as a whole. `step` names what failed; faults of single shares are findings, not this. */
export class KitRefused extends Error {
  override name = 'KitRefused'
  readonly step: 'kit' | 'genesis' | 'rebuild' | 'public-key' | 'addresses' | 'drill'
  constructor(step: KitRefused['step'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.step = step
  }
}

export type KitInput = { kit: RecoveryKit; identities: readonly Identity[]; fingerprint?: string | undefined }

/** A kit whose shares are open as far as the identities go. */
export type OpenKit = {
  kit: RecoveryKit
  organisation: string
  fingerprint: Uint8Array
  shares: Examined[]
  /** Signers whose shares can be used, and those shares in the same order. */
  usable: SignerIdentity[]
  usableShares: KeyShare[]
  /** How many shares the key needs. */
  needs: number
  /** The files of identities that no share of this kit is sealed to. */
  strangers: string[]
}

/** The kits in a file, one for each key. Throws KitRefused. */
export const kitsIn = (encoded: Uint8Array): RecoveryKit[] => attempt('kit', () => readKits(encoded))

/**
 * Opens a recovery kit offline and hands it to `use`; afterwards the decrypted shares are overwritten. Throws KitRefused if kit or founding document do
 * not hold. What JavaScript keeps as integers lives until it is collected, so run this on a machine that is offline and is restarted afterwards.
 */
export async function withOpenKit<T>(input: KitInput, use: (open: OpenKit) => Promise<T> | T): Promise<T> {
  const { kit } = input
  const { genesis, fingerprint, signers } = provenBy(kit, input.fingerprint)
  const examined: Examined[] = []
  try {
    for (const signer of signers) examined.push(await examineShare(signer, { kit, fingerprint, identities: input.identities }))
    const shares = blameOdd(examined)
    const good = shares.flatMap((each) => (each.state === 'good' ? [each] : []))
    return await use({
      kit,
      organisation: genesis.name,
      fingerprint,
      shares,
      usable: good.map((each) => each.signer),
      usableShares: good.map((each) => each.share),
      needs: Number(genesis.threshold),
      strangers: strangersTo(kit, input.identities),
    })
  } finally {
    for (const each of examined) if (each.state === 'good') each.share.secretShare.fill(0)
  }
}

/** Rebuilds the whole secret from the usable shares. Throws KitRefused if they do not give the kit's public key. */
export function rebuildKey({ kit, usableShares }: OpenKit): bigint {
  const secret = attempt('rebuild', () => recoverSecret(usableShares))
  const publicKey = publicKeyOf(kit.protocol, secret)
  if (!equalBytes(publicKey, kit.publicKey)) {
    throw new KitRefused('public-key', `the shares rebuild the key ${toHex(publicKey)}, not the kit's ${toHex(kit.publicKey)}`)
  }
  return secret
}

export function attempt<T>(step: KitRefused['step'], act: () => T): T {
  try {
    return act()
  } catch (cause) {
    if (cause instanceof KitRefused) throw cause
    throw new KitRefused(step, cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** The record that was checked last: the kits of a file mostly hold the same one, and each version of a policy takes its time. */
let checked: { record: Uint8Array; proven: ProvenOrganisation } | undefined

/** The organisation of a kit, as its record proves it. Throws KitRefused unless the record holds, and is of the organisation that is trusted, if one is. */
export function provenBy({ genesisRecord: record }: RecoveryKit, trusted?: string): ProvenOrganisation {
  return attempt('genesis', () => {
    checked = checked && equalBytes(checked.record, record) ? checked : { record, proven: checkRecord(decode(genesisRecordShape, record)) }
    const { proven } = checked
    if (trusted !== undefined && !equalBytes(proven.fingerprint, fromHex(trusted))) {
      throw new Error(`the kit is of organisation ${toHex(proven.fingerprint)}, not of ${trusted}`)
    }
    return proven
  })
}

/** Where each share holds by itself but one differs from two that agree, the odd one is the faulty one. */
function blameOdd(shares: readonly Examined[]): Examined[] {
  const parts = shares.map((each) => (each.state === 'good' ? toHex(publicPartOf(each.share)) : null))
  const known = parts.filter((part) => part !== null)
  const common = known.find((part) => known.filter((each) => each === part).length >= 2)
  if (common === undefined) return [...shares]
  return shares.map((each, i) => {
    if (parts[i] === null || parts[i] === common) return each
    const { signer, officers, needs } = each
    return { signer, officers, needs, state: 'faulty', fault: 'other-public-data', detail: '' }
  })
}

/** A share that cannot be read names nobody, so while there is one no identity is called a stranger. */
function strangersTo(kit: RecoveryKit, identities: readonly Identity[]): string[] {
  try {
    const known = new Set(kit.shares.flatMap(({ message }) => recipientsOf(decode(sealedShareShape, message))))
    return [...new Set(identities.filter(({ recipient }) => !known.has(recipient)).map(({ path }) => path))]
  } catch {
    return []
  }
}
