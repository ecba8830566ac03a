import { decode, fromHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { readWalletPins } from '@holdfast/features/network/server'
import { credentialShape } from '@holdfast/intent'
import { checkPolicy, type Genesis, NO_HASH, type Policy, type RecoveryRecipients } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { known, uuidToBytes } from '@holdfast/units'
import type { Draft } from './draft.ts'
import { policyOfTemplate } from './founding-template.ts'

const POLICY_LIFE_MS = 90 * 24 * 3_600_000
const PARTIES = [1, 2, 3]

/**
 * The genesis document of a draft whose members have all enrolled: people and keys, the three signers as they describe
 * themselves, and the first policy. Throws CoSignerError if a signer is away, PolicyRefused where it cannot stand.
 */
export async function buildGenesis(draft: Draft, context: ServerContext, nowMs: number): Promise<Genesis> {
  const descriptions = await Promise.all(PARTIES.map((party) => context.coSigners.call(party, signerCalls.describe, {})))
  const policy = await firstPolicy(draft, context, { origins: originsOf(context, descriptions), nowMs })
  checkPolicy(policy)
  return {
    organisationId: uuidToBytes(draft.organisationId),
    name: draft.name,
    createdAtMs: BigInt(nowMs),
    signers: descriptions.map(({ party, name, operator, signKey }) => ({ party, name, operator, signKey })),
    threshold: 2n,
    policy,
  }
}

/** Where approvals may come from: the page that members are led to, and every other page that a signer serves, so that one machine's loss stops nobody. */
function originsOf({ settings }: ServerContext, descriptions: readonly { approvalOrigin: string | null; approvalRpId: string | null }[]): Policy['origins'] {
  const first = { origin: settings.approvalOrigin, rpId: settings.approvalRpId }
  const others = descriptions.flatMap(({ approvalOrigin: origin, approvalRpId: rpId }) => (origin !== null && rpId !== null ? [{ origin, rpId }] : []))
  return [first, ...others.filter(({ origin }) => origin !== first.origin)]
}

/**
 * Everybody may ask, `threshold` of everybody must approve, never the person who asks; the same people govern the policy. With a template, it has the third form,
 * the rules of that, and a wait for what loosens them.
 */
async function firstPolicy(draft: Draft, { networks }: ServerContext, { origins, nowMs }: { origins: Policy['origins']; nowMs: number }): Promise<Policy> {
  const people = draft.members.map((member) => ({
    id: uuidToBytes(member.personId),
    name: member.name,
    credentials: [decode(credentialShape, fromHex(known(member.credential, `the passkey of ${member.name}`)))],
  }))
  const everybody = people.map((person) => person.id)
  const threshold = BigInt(draft.threshold)
  const assets = networks.list().flatMap((network) => [...network.assets, ...(network.collections ?? [])])
  const first: Policy = {
    kind: 'foundingSigners',
    genesis: NO_HASH,
    version: 1n,
    previous: NO_HASH,
    issuedAtMs: BigInt(nowMs),
    expiresAtMs: BigInt(nowMs + POLICY_LIFE_MS),
    people,
    origins,
    assets: [
      ...assets.map(({ chain, contract, symbol, decimals }) => ({ chain, contract, symbol, decimals: BigInt(decimals) })),
      ...(await readWalletPins(networks, assets)),
    ],
    rules: [
      { kind: 'transfer', id: 'payments', chain: null, asset: null, maxAmount: null, window: null, initiators: everybody, approvers: everybody, threshold },
    ],
    governance: { approvers: everybody, threshold },
    recovery: draft.recovery.map((recipients, i) => recoveryOf(BigInt(i + 1), recipients, BigInt(draft.recoveryThreshold ?? 1))),
  }
  return draft.template ? policyOfTemplate(first, draft.template, threshold) : first
}

const recoveryOf = (party: bigint, recipients: string[], threshold: bigint): RecoveryRecipients =>
  threshold === 1n ? { kind: 'single', party, recipients } : { kind: 'quorum', party, threshold, recipients }
