import { equalBytes } from '@holdfast/encoding'
import {
  type Approval,
  approvalChallenge,
  acceptGenesisChallenge,
  type Credential,
  type Decision,
  type DelegatedApproval,
  type Delegation,
  delegationHash,
  type DelegationStatement,
  deviceMessage,
  type Intent,
  intentHash,
  renderFor,
  renderHash,
  renderIntent,
  type TransferIntent,
  voteChallenge,
} from '@holdfast/intent'
import { p256 } from '@noble/curves/nist.js'
import { approvalContext, genesisHash, type GenesisRecord, NO_HASH, type Policy, policyHash } from '../index.ts'

export const ORIGIN = 'http://approve.localhost:7020'
export const CHAIN = 'eip155:31337'
export const ETH = { chain: CHAIN, contract: null, symbol: 'ETH', decimals: 18n }

/** A person of a test organisation with the secret key of the device they approve with. */
export type Member = { id: Uint8Array; name: string; secretKey: Uint8Array; credential: Credential }

export function member(number: number): Member {
  const secretKey = new Uint8Array(32).fill(number + 1)
  const credential = {
    id: new Uint8Array(16).fill(0x80 + number),
    kind: 'device',
    publicKey: p256.getPublicKey(secretKey, true),
    backupEligible: false,
    label: 'test',
  }
  return { id: new Uint8Array(16).fill(number + 1), name: `Person ${number + 1}`, secretKey, credential }
}

type FirstForm = Extract<Policy, { kind: 'foundingSigners' }>

export function samplePolicy(members: Member[], threshold: number, changes: Partial<FirstForm> = {}): FirstForm {
  const everybody = members.map((each) => each.id)
  return {
    kind: 'foundingSigners',
    genesis: NO_HASH,
    version: 1n,
    previous: NO_HASH,
    issuedAtMs: 1_000n,
    expiresAtMs: 4_000_000_000_000n,
    people: members.map(({ id, name, credential }) => ({ id, name, credentials: [credential] })),
    origins: [{ origin: ORIGIN, rpId: 'approve.localhost' }],
    assets: [ETH],
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
        threshold: BigInt(threshold),
      },
    ],
    governance: { approvers: everybody, threshold: BigInt(threshold) },
    recovery: [1n, 2n, 3n].map((party) => ({ kind: 'single', party, recipients: ['age1test'] })),
    ...changes,
  }
}

export function sampleGenesis(members: Member[], threshold: number, signKeys: Uint8Array[]): GenesisRecord {
  const genesis = {
    organisationId: new Uint8Array(16).fill(9),
    name: 'Test organisation',
    createdAtMs: 1_000n,
    signers: signKeys.map((signKey, i) => ({ party: BigInt(i + 1), name: `signer-${i + 1}`, operator: `Operator ${i + 1}`, signKey })),
    threshold: 2n,
    policy: samplePolicy(members, threshold),
  }
  const fingerprint = genesisHash(genesis)
  const acceptances = members.map((each) => ({
    genesis: fingerprint,
    person: each.id,
    assertion: deviceAssertion(each, acceptGenesisChallenge(fingerprint, each.id)),
  }))
  return { kind: 'founding', genesis, acceptances }
}

export function sampleTransfer(policy: Policy, initiator: Uint8Array, changes: Partial<TransferIntent> = {}): TransferIntent {
  return {
    kind: 'transfer',
    genesis: new Uint8Array(32).fill(5),
    orderId: new Uint8Array(16).fill(6),
    keyId: new Uint8Array(32).fill(7),
    path: [0n, 0n],
    from: '0x9fB29AAc15b9A4B7F17c3385939b007540f4d791',
    to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    memo: null,
    asset: ETH,
    amount: 1_500_000_000_000_000_001n,
    feeAsset: ETH,
    feeCap: 2_100_000_000_000_000n,
    slotRule: 'account-nonce',
    notBeforeMs: 10_000n,
    expiresAtMs: 3_000_000_000_000n,
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    initiator,
    screening: null,
    remark: 'test',
    nonce: new Uint8Array(32).fill(8),
    ...changes,
  }
}

export function deviceAssertion(by: Member, challenge: Uint8Array, origin = ORIGIN) {
  const signature = p256.sign(deviceMessage(challenge, origin), by.secretKey, { lowS: false })
  return { kind: 'device' as const, credentialId: by.credential.id, origin, signature }
}

export function sampleApproval(by: Member, intent: Intent, policy: Policy, decision: Decision = 'approve', changes: Partial<Approval> = {}): Approval {
  const statement = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: policyHash(policy),
    person: by.id,
    decision,
    locale: 'en-US',
    renderHash: renderHash(renderIntent(intent, approvalContext(policy), 'en-US')),
    signedAtMs: 20_000n,
    ...changes,
  }
  return { ...statement, assertion: changes.assertion ?? deviceAssertion(by, approvalChallenge(statement)) }
}

/** What lets `to` decide in the place of `by`, at the times at which sample approvals are signed. */
export function sampleDelegation(by: Member, to: Member, genesis: Uint8Array, changes: Partial<DelegationStatement> = {}): Delegation {
  const said = { genesis, delegator: by.id, delegate: to.id, fromMs: 10_000n, untilMs: 30_000n, sequence: 1n, nonce: new Uint8Array(32).fill(4) }
  const statement = { ...said, ...changes }
  return { statement, assertion: deviceAssertion(by, delegationHash(statement)) }
}

/** What somebody says of an order for whoever signed the statement. */
export function sampleDelegated(
  by: Member,
  delegation: Delegation,
  { intent, policy, decision = 'approve' }: { intent: Intent; policy: Policy; decision?: Decision },
  changes: Partial<DelegatedApproval> = {},
): DelegatedApproval {
  const seat = policy.people.find(({ id }) => equalBytes(id, delegation.statement.delegator))
  const shown = renderFor(renderIntent(intent, approvalContext(policy), 'en-US'), seat?.name ?? 'nobody')
  const { assertion: _, ...own } = sampleApproval(by, intent, policy, decision)
  const said = { ...own, renderHash: renderHash(shown), delegation, ...changes }
  return { ...said, assertion: changes.assertion ?? deviceAssertion(by, voteChallenge(said)) }
}
