import { bitcoinChain } from '@holdfast/chain-bitcoin/codec'
import { encode } from '@holdfast/encoding'
import type { Asset } from '@holdfast/intent'
import { type Genesis, genesisHash, genesisRecordShape, inThirdForm, NO_HASH, type Policy, type ThirdForm, type Who, withDeputies } from '@holdfast/policy'
import { sha256 } from '@noble/hashes/sha2.js'
import { accept, type Member, ORIGIN, RP_ID } from './people.ts'

export const CHAIN = 'eip155:31337'
export const COIN: Asset = { chain: CHAIN, contract: null, symbol: 'ETH', decimals: 18n }
export const TOKEN: Asset = { chain: CHAIN, contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDC', decimals: 6n }
export const TRX: Asset = { chain: 'tron:0x2b6653dc', contract: null, symbol: 'TRX', decimals: 6n }
/** The coin of Bitcoin's regtest. */
export const BTC: Asset = { chain: bitcoinChain('regtest'), contract: null, symbol: 'BTC', decimals: 8n }
/** The coin of TON. */
export const TON: Asset = { chain: 'ton:-239', contract: null, symbol: 'TON', decimals: 9n }
/** A collection, as a policy pins it. */
export const ART: Asset = { chain: CHAIN, contract: 'erc721:0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', symbol: 'ART', decimals: 0n }
export const NOW_MS = 1_750_000_000_000
export const DAY_MS = 86_400_000

export type TestOrganisation = { members: Member[]; genesis: Genesis; policy: Policy; fingerprint: Uint8Array; record: Uint8Array }

/** A founding document that everybody has accepted: everyone may ask, everyone may approve, `threshold` must. */
export function organisationOf(options: {
  name?: string
  members: Member[]
  signKeys: Uint8Array[]
  threshold?: number
  nowMs?: number
  /** A policy with rules that have names is one of the third form. */
  policy?: Partial<Omit<ThirdForm, 'kind'>> & { deputies?: Who[] }
}): TestOrganisation {
  const { name = 'Acme', members, signKeys, threshold = 2, nowMs = NOW_MS } = options
  const everyone = members.map((member) => member.person.id)
  const first = {
    kind: 'foundingSigners' as const,
    genesis: NO_HASH,
    version: 1n,
    previous: NO_HASH,
    issuedAtMs: BigInt(nowMs - DAY_MS),
    expiresAtMs: BigInt(nowMs + 365 * DAY_MS),
    people: members.map((member) => member.person),
    origins: [{ origin: ORIGIN, rpId: RP_ID }],
    assets: [COIN, TOKEN, ART, TRX, BTC, TON],
    rules: [
      {
        kind: 'transfer',
        id: 'payments',
        chain: null,
        asset: null,
        maxAmount: null,
        window: null,
        initiators: everyone,
        approvers: everyone,
        threshold: BigInt(threshold),
      },
    ],
    governance: { approvers: everyone, threshold: BigInt(threshold) },
    recovery: [1n, 2n, 3n].map((party) => ({ kind: 'single' as const, party, recipients: [RECIPIENT] })),
  } as Policy
  const isThird = options.policy?.rules?.some(({ kind }) => kind === 'named') ?? false
  const formed = isThird ? inThirdForm(first) : first
  const policy = { ...(options.policy?.deputies ? withDeputies(inThirdForm(first), options.policy.deputies) : formed), ...options.policy } as Policy
  const signers = signKeys.map((signKey, i) => ({ party: BigInt(i + 1), name: `signer ${i + 1}`, operator: `Operator ${i + 1}`, signKey }))
  const genesis: Genesis = {
    organisationId: sha256(new TextEncoder().encode(name)).slice(0, 16),
    name,
    createdAtMs: BigInt(nowMs),
    signers,
    threshold: 2n,
    policy,
  }
  const fingerprint = genesisHash(genesis)
  const record = encode(genesisRecordShape, { kind: 'founding', genesis, acceptances: members.map((member) => accept(member, fingerprint)) })
  return { members, genesis, policy, fingerprint, record }
}

/** An age recipient whose identity nobody kept. */
const RECIPIENT = 'age1cy0su9fwf3gf9mw868g5yut09p6nytfmmnktexz2ya5uqg9vl9sss4euqm'
