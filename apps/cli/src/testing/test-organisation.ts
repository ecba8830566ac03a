import { encode } from '@holdfast/encoding'
import { acceptGenesisChallenge, type Assertion, deviceMessage } from '@holdfast/intent'
import { CURVE, type KeyShare, PROTOCOL } from '@holdfast/mpc'
import { type Genesis, genesisHash, type GenesisRecord, genesisRecordShape, NO_HASH, type Policy } from '@holdfast/policy'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** For tests: bytes that differ for every name. */
export const seed = (name: string): Uint8Array => sha256(new TextEncoder().encode(name))

export const CHAIN = 'eip155:11155111'
export const ETH = { chain: CHAIN, contract: null, symbol: 'ETH', decimals: 18n }
export const USDC = { chain: CHAIN, contract: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', symbol: 'USDC', decimals: 6n }
export const ORIGIN = 'https://approve.acme.example'
const NAMES = ['Anna', 'Bo', 'Cem']

export type Organisation = ReturnType<typeof foundOrganisation>

/** For tests: an organisation of three people and three signers, founded as the product founds one, with all its secrets. */
export function foundOrganisation(name = 'Acme Treasury', recipients: string[][] = [['a'], ['b'], ['c']]) {
  const signerSecrets = [1, 2, 3].map((party) => seed(`${name}/signer/${party}`))
  const personSecrets = NAMES.map((person) => seed(`${name}/person/${person}`))
  const people = NAMES.map((person, i) => ({
    id: seed(`${name}/id/${person}`).slice(0, 16),
    name: person,
    credentials: [
      { id: seed(`${name}/credential/${person}`), kind: 'device', publicKey: p256.getPublicKey(personSecrets[i]!, true), backupEligible: false, label: 'test' },
    ],
  }))
  const everybody = people.map((person) => person.id)
  const policy: Policy = {
    kind: 'foundingSigners',
    genesis: NO_HASH,
    version: 1n,
    previous: NO_HASH,
    issuedAtMs: 1_000n,
    expiresAtMs: 9_000_000n,
    people,
    origins: [{ origin: ORIGIN, rpId: 'approve.acme.example' }],
    assets: [ETH, USDC],
    rules: [
      { kind: 'transfer', id: 'payments', chain: null, asset: null, maxAmount: null, window: null, initiators: everybody, approvers: everybody, threshold: 2n },
    ],
    governance: { approvers: everybody, threshold: 2n },
    recovery: recipients.map((each, i) => ({ kind: 'single', party: BigInt(i + 1), recipients: each })),
  }
  const signers = ['North', 'East', 'West'].map((signer, i) => ({
    party: BigInt(i + 1),
    name: signer,
    operator: `${signer} Ltd`,
    signKey: ed25519.getPublicKey(signerSecrets[i]!),
  }))
  const genesis: Genesis = { organisationId: seed(name).slice(0, 16), name, createdAtMs: 1_000n, signers, threshold: 2n, policy }
  const fingerprint = genesisHash(genesis)
  const assertAs = (i: number, challenge: Uint8Array): Assertion => ({
    kind: 'device',
    credentialId: people[i]!.credentials[0]!.id,
    origin: ORIGIN,
    signature: p256.sign(deviceMessage(challenge, ORIGIN), personSecrets[i]!, { lowS: false }),
  })
  const acceptances = people.map((person, i) => ({
    genesis: fingerprint,
    person: person.id,
    assertion: assertAs(i, acceptGenesisChallenge(fingerprint, person.id)),
  }))
  const record: GenesisRecord = { kind: 'founding', genesis, acceptances }
  return {
    genesis,
    policy: genesis.policy,
    people,
    fingerprint,
    signerSecrets,
    assertAs,
    genesisRecord: encode(genesisRecordShape, record),
    keyId: seed(`${name}/key`),
    chainCode: seed(`${name}/chain-code`),
  }
}

const { Fn, BASE } = secp256k1.Point
const scalar = (name: string) => Fn.create(BigInt(`0x${Buffer.from(seed(name)).toString('hex')}`))

/** For tests: the shares of a key dealt by one hand, which no signer ever does. The first value is the whole secret. */
export function dealShares(organisation: Organisation, epoch = 0n, name = 'key'): { secret: bigint; shares: KeyShare[] } {
  const secret = scalar(`${name}/secret`)
  const slope = scalar(`${name}/slope/${epoch}`)
  const point = (value: bigint) => BASE.multiply(value).toBytes(true)
  const at = (party: bigint) => Fn.create(secret + slope * party)
  const parties = [1n, 2n, 3n]
  const common = {
    protocol: PROTOCOL,
    curve: CURVE,
    genesis: organisation.fingerprint,
    keyId: organisation.keyId,
    epoch,
    parties,
    threshold: 2n,
    publicKey: point(secret),
    verifyingShares: parties.map((party) => point(at(party))),
    commitments: [point(secret), point(slope)],
    chainCode: organisation.chainCode,
  }
  return { secret, shares: parties.map((party) => ({ ...common, party, secretShare: Fn.toBytes(at(party)) })) }
}
