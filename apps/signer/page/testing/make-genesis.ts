import type { Asset, Credential } from '@holdfast/intent'
import { checkPolicy, type Genesis, NO_HASH, type Policy } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import { uuidToBytes } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'

export const ETH: Asset = { chain: 'eip155:11155111', contract: null, symbol: 'ETH', decimals: 18n }
export const USDC: Asset = { chain: 'eip155:11155111', contract: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', symbol: 'USDC', decimals: 6n }

/** The secret half of a signer's key, by its number. */
export const signSecretOf = (party: number): Uint8Array => sha256(Uint8Array.of(9, party))

/** The genesis document of a founding whose members have all enrolled. */
export function genesisOf(
  founding: { name: string; members: { id: string; name: string; credential?: Credential }[]; threshold: bigint },
  origin: string,
): Genesis {
  const nowMs = BigInt(nodePorts.clock.nowMs())
  const people = founding.members.map((member) => ({ id: uuidToBytes(member.id), name: member.name, credentials: [member.credential!] }))
  const everybody = people.map((person) => person.id)
  const policy: Policy = {
    kind: 'foundingSigners',
    genesis: NO_HASH,
    version: 1n,
    previous: NO_HASH,
    issuedAtMs: nowMs,
    expiresAtMs: nowMs + 31_536_000_000n,
    people,
    origins: [{ origin, rpId: new URL(origin).hostname }],
    assets: [ETH, USDC],
    rules: [
      {
        kind: 'transfer',
        id: 'payments',
        chain: null,
        asset: null,
        maxAmount: null,
        window: null,
        initiators: everybody,
        approvers: everybody,
        threshold: founding.threshold,
      },
    ],
    governance: { approvers: everybody, threshold: founding.threshold },
    recovery: [1n, 2n, 3n].map((party) => ({ kind: 'single', party, recipients: ['age1pq1examplerecipient'] })),
  }
  checkPolicy(policy)
  const signers = ['North', 'East', 'West'].map((name, i) => ({
    party: BigInt(i + 1),
    name,
    operator: `${name} Data Ltd`,
    signKey: ed25519.getPublicKey(signSecretOf(i + 1)),
  }))
  return {
    organisationId: sha256(new TextEncoder().encode(founding.name)).slice(0, 16),
    name: founding.name,
    createdAtMs: nowMs,
    signers,
    threshold: 2n,
    policy,
  }
}
