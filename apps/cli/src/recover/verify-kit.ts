import { faultOfOwnPath, pathText } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { equalBytes, toHex } from '@holdfast/encoding'
import { childSecret, derivePublicKey, signAlone, verifyByRootKey, verifyingKeyOf } from '@holdfast/mpc'
import type { SignerIdentity } from '@holdfast/policy'
import { type Drill, drillDigest, type DrillRecord, kitHash, type RecoveryKit } from '@holdfast/protocol'
import { type Examined, isSound } from './examine-share.ts'
import { exampleCodec, familiesOf } from './networks.ts'
import { attempt, type KitInput, type OpenKit, rebuildKey, withOpenKit } from './open-kit.ts'

/** An address, or where this tool knows no network for the kind of key the child's public key, and the path that leads there. */
type Derived = { path: number[]; name: string; network: string | null }

export type KitReport = {
  organisation: string
  fingerprint: string
  kit: RecoveryKit
  shares: Examined[]
  strangers: string[]
  /** Signers whose shares rebuilt the key; fewer than two where it could not be tried. */
  rebuiltBy: SignerIdentity[]
  addressesChecked: number
  /** What was derived from the rebuilt secret, m/0/0 first. */
  derived: Derived[]
  /** The proof, signed by the rebuilt key. Null unless the key was rebuilt and no share of the kit is faulty. */
  drill: DrillRecord | null
}

type Input = KitInput & { nowMs: number; addresses?: number }

/** How many of a kit's addresses are reached from the secret itself; all of them are derived from its public key. */
const FROM_SECRET = 100
/** How many children of the key are derived from secret and public key alike where nobody asks for more: a kit may name no address yet. */
export const CHILDREN_DERIVED = 10

/**
 * Examines a recovery kit offline: opens the shares it has identities for, rebuilds the key from them, derives the kit's addresses and the first `addresses`
 * children from it, and lets it sign a drill record. Throws KitRefused if kit, founding document or rebuilt key do not hold.
 */
export function verifyKit(input: Input): Promise<KitReport> {
  return withOpenKit(input, (open): KitReport => {
    const { kit, organisation, fingerprint, shares, strangers, usable } = open
    const report = { organisation, fingerprint: toHex(fingerprint), kit, shares, strangers, rebuiltBy: usable }
    if (usable.length < open.needs) return { ...report, addressesChecked: 0, derived: [], drill: null }
    const secret = rebuildKey(open)
    const addressesChecked = attempt('addresses', () => checkAddresses(kit, secret))
    const derived = attempt('addresses', () => deriveChildren(kit, secret, input.addresses ?? CHILDREN_DERIVED))
    const drill = shares.every(isSound) ? attempt('drill', () => signDrill(open, secret, addressesChecked, input.nowMs)) : null
    return { ...report, addressesChecked, derived, drill }
  })
}

function checkAddresses(kit: RecoveryKit, secret: bigint): number {
  kit.addresses.forEach(({ path, chain, address }, i) => {
    const codec = codecFor(chain)
    if (!codec) throw new Error(`this tool does not know the network ${chain}, so it cannot check ${address}`)
    const indices = path.map(Number)
    const far = faultOfOwnPath(indices)
    // Whoever loses the kit must find the address again by trying. The sweep moves what it holds all the same.
    if (far !== undefined) throw new Error(`${address} is at ${pathText(indices)}, which ${far}: let nobody pay to it, and sweep what it holds`)
    const derived = codec.addressFromKey(i < FROM_SECRET ? childOf(kit, secret, indices) : publicChildOf(kit, indices))
    if (derived !== address) throw new Error(`m/${indices.join('/')} leads to ${derived}, but the kit says ${address}`)
  })
  return kit.addresses.length
}

/** The children that the product gives to sub-wallets, one after the other: m/0/0, m/1/0 and so on. */
function deriveChildren(kit: RecoveryKit, secret: bigint, count: number): Derived[] {
  const families = familiesOf(kit.protocol)
  return Array.from({ length: count }, (_, i) => [i, 0]).flatMap((path): Derived[] => {
    const child = childOf(kit, secret, path)
    if (families.length === 0) return [{ path, name: toHex(child), network: null }]
    return families.map((family) => ({ path, name: exampleCodec(family).addressFromKey(child), network: family.example.split(':')[0] ?? null }))
  })
}

const publicChildOf = (kit: RecoveryKit, path: number[]): Uint8Array => derivePublicKey(kit.protocol, kit.publicKey, kit.chainCode, path)

/** The public key of a child as its secret gives it. Throws where the key's public half leads elsewhere. */
function childOf(kit: RecoveryKit, secret: bigint, path: number[]): Uint8Array {
  const publicKey = publicChildOf(kit, path)
  if (!equalBytes(verifyingKeyOf(kit.protocol, childSecret(kit.protocol, secret, kit.chainCode, path)), publicKey)) {
    throw new Error(`the secret at m/${path.join('/')} does not belong to its public key`)
  }
  return publicKey
}

function signDrill({ kit, fingerprint }: OpenKit, secret: bigint, addressesChecked: number, nowMs: number): DrillRecord {
  const drill: Drill = {
    genesis: fingerprint,
    keyId: kit.keyId,
    epoch: kit.epoch,
    kitHash: kitHash(kit),
    addressesChecked: BigInt(addressesChecked),
    atMs: BigInt(nowMs),
  }
  const digest = drillDigest(drill)
  const { signature } = signAlone(kit.protocol, secret, digest)
  if (!verifyByRootKey(kit.protocol, signature, digest, kit.publicKey)) throw new Error('the rebuilt key made a signature that does not verify')
  return { drill, signature }
}
