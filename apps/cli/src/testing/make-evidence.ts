import { codecFor, buildTransfer } from '@holdfast/chain-evm/codec'
import { encode } from '@holdfast/encoding'
import { approvalChallenge, approvalShape, type Intent, intentHash, intentShape, renderHash, renderIntent, type TransferIntent } from '@holdfast/intent'
import { cosign, entryShape, formatCheckpoint, leafHash, MerkleTree } from '@holdfast/log'
import { childSecret, derivePublicKey, PROTOCOL } from '@holdfast/mpc'
import { approvalContext, policyHash } from '@holdfast/policy'
import {
  type Evidence,
  evidenceShape,
  keyStatementShape,
  refusalEvidenceShape,
  refusalStatementShape,
  requestHash,
  type SessionRequest,
  sessionRequestShape,
  signatureStatementShape,
  signMessage,
} from '@holdfast/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { CHAIN, dealShares, ETH, type Organisation, seed, USDC } from './test-organisation.ts'

const PATH = [0, 7]
const TO = '0x52908400098527886E0F7030069857D2E4169EE7'

/** For tests: an order of Anna's to pay. */
export function makeIntent(organisation: Organisation, changes: Partial<TransferIntent> = {}): TransferIntent {
  const { fingerprint, keyId, chainCode, policy, people } = organisation
  const { publicKey } = dealShares(organisation).shares[0]!
  return {
    kind: 'transfer',
    genesis: fingerprint,
    orderId: seed('order').slice(0, 16),
    keyId,
    path: PATH.map(BigInt),
    from: codecFor(CHAIN)!.addressFromKey(derivePublicKey(PROTOCOL, publicKey, chainCode, PATH)),
    to: TO,
    memo: null,
    asset: USDC,
    amount: 1_250_000_000_001n,
    feeAsset: ETH,
    feeCap: 10n ** 16n,
    slotRule: 'account-nonce',
    notBeforeMs: 2_000n,
    expiresAtMs: 8_000_000n,
    policyVersion: 1n,
    policyHash: policyHash(policy),
    initiator: people[0]!.id,
    screening: null,
    remark: 'Invoice 118',
    nonce: seed('nonce'),
    ...changes,
  }
}

/** For tests: the approval of person `i`, as the approval page makes it. */
export function makeApproval(organisation: Organisation, intent: Intent, i: number): Uint8Array {
  const statement = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: intent.policyHash,
    person: organisation.people[i]!.id,
    decision: 'approve',
    locale: 'en-US',
    renderHash: renderHash(renderIntent(intent, approvalContext(organisation.policy), 'en-US')),
    signedAtMs: 3_000n,
  }
  return encode(approvalShape, { ...statement, assertion: organisation.assertAs(i, approvalChallenge(statement)) })
}

/** For tests: the whole evidence of one payment from the address at `path`; `change` edits it before it is encoded. */
export function makeEvidence(organisation: Organisation, change: (evidence: Evidence) => Evidence = (evidence) => evidence, path = PATH): Uint8Array {
  const { fingerprint, signerSecrets, keyId, chainCode } = organisation
  const { secret, shares } = dealShares(organisation)
  const from = codecFor(CHAIN)!.addressFromKey(derivePublicKey(PROTOCOL, shares[0]!.publicKey, chainCode, path))
  const intent = makeIntent(organisation, { path: path.map(BigInt), from })
  const unsigned = buildTransfer({
    asset: intent.asset,
    to: intent.to,
    amount: intent.amount,
    nonce: 4n,
    gasLimit: 90_000n,
    maxFeePerGas: 10n ** 9n,
    maxPriorityFeePerGas: 10n ** 8n,
  })
  const codec = codecFor(CHAIN)!
  const [digest] = codec.sighashes(unsigned)
  const signed = secp256k1.Signature.fromBytes(
    secp256k1.sign(digest!, secp256k1.Point.Fn.toBytes(childSecret(PROTOCOL, secret, chainCode, path)), { prehash: false, format: 'recovered' }),
    'recovered',
  )
  const { raw } = codec.attach(unsigned, [{ r: secp256k1.Point.Fn.toBytes(signed.r), s: secp256k1.Point.Fn.toBytes(signed.s), recovery: signed.recovery! }])
  const bodies = [encode(intentShape, intent), makeApproval(organisation, intent, 1), makeApproval(organisation, intent, 2)]
  const { checkpoint, logged } = logOf(organisation, bodies)
  const keyStatement = (party: bigint) => ({
    genesis: fingerprint,
    party,
    keyId,
    epoch: 0n,
    protocol: PROTOCOL,
    publicKey: shares[0]!.publicKey,
    chainCode,
    atMs: 1_500n,
  })
  const statement = (party: bigint) => ({
    kind: 'alone' as const,
    genesis: fingerprint,
    party,
    intentHash: intentHash(intent),
    unsigned,
    digests: [digest!],
    policyVersion: 1n,
    checks: ['c1'],
    atMs: 4_000n,
  })
  return encode(
    evidenceShape,
    change({
      kind: 'alone',
      genesisRecord: organisation.genesisRecord,
      policyChanges: [],
      intent: bodies[0]!,
      approvals: bodies.slice(1),
      raw,
      keyStatements: [1n, 2n, 3n].map((party) => signMessage(keyStatementShape, keyStatement(party), party, signerSecrets[Number(party) - 1]!)),
      signatureStatements: [1n, 3n].map((party) => signMessage(signatureStatementShape, statement(party), party, signerSecrets[Number(party) - 1]!)),
      checkpoint,
      logged,
    }),
  )
}

function logOf({ fingerprint, signerSecrets, genesisRecord }: Organisation, bodies: readonly Uint8Array[]) {
  const all = [{ type: 'genesis', body: genesisRecord }, ...bodies.map((body, i) => ({ type: i === 0 ? 'intent' : 'approval', body }))]
  const entries = all.map(({ type, body }, i) => encode(entryShape, { genesis: fingerprint, sequence: BigInt(i), atMs: 3_500n, type, body }))
  const tree = new MerkleTree()
  for (const entry of entries) tree.append(leafHash(entry))
  const checkpoint = { genesis: fingerprint, size: tree.size, root: tree.root() }
  const lines = [1, 2].map((party) => cosign(checkpoint, `signer-${party}`, signerSecrets[party - 1]!))
  return {
    checkpoint: formatCheckpoint(checkpoint, lines),
    logged: entries.slice(1).map((entry, i) => ({ entry, index: BigInt(i + 1), proof: tree.inclusionProof(i + 1) })),
  }
}

/** For tests: a request of two signers to sign the payment with too few approvals. */
export function makeSignRequest(organisation: Organisation): SessionRequest {
  const intent = makeIntent(organisation)
  return {
    kind: 'sign',
    genesis: organisation.fingerprint,
    keyId: organisation.keyId,
    epoch: 0n,
    parties: [1n, 2n],
    intent: encode(intentShape, intent),
    approvals: [makeApproval(organisation, intent, 1)],
    unsigned: Uint8Array.of(2),
    checkpoint: '',
    logged: [],
    rule: null,
    own: [],
    paid: [],
    standingOrder: null,
    nonce: seed('request'),
  }
}

/** For tests: signer 2's refusal of a request. */
export function makeRefusal(
  organisation: Organisation,
  request: SessionRequest = makeSignRequest(organisation),
  changes: { party?: bigint; secret?: Uint8Array; hash?: Uint8Array } = {},
): Uint8Array {
  const party = changes.party ?? 2n
  const statement = {
    genesis: organisation.fingerprint,
    party,
    requestHash: changes.hash ?? requestHash(request),
    check: 'c5',
    reason: '1 approval(s) missing',
    atMs: 5_000n,
  }
  const secret = changes.secret ?? organisation.signerSecrets[Number(party) - 1]!
  return encode(refusalEvidenceShape, {
    genesisRecord: organisation.genesisRecord,
    request: encode(sessionRequestShape, request),
    statement: signMessage(refusalStatementShape, statement, party, secret),
  })
}
