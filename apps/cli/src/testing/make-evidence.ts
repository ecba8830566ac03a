import { codecFor, buildTransfer } from '@holdfast/chain-evm/codec'
import { encode } from '@holdfast/encoding'
import {
  approvalChallenge,
  approvalShape,
  type AuthorizationIntent,
  type BatchIntent,
  type ContractCallIntent,
  type Intent,
  intentHash,
  intentShape,
  partOf,
  renderHash,
  renderIntent,
  type StandingOrderIntent,
  type TransactionIntent,
  type TransferIntent,
} from '@holdfast/intent'
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
/** Where standing orders collect to. */
export const TREASURY = [1, 3]
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
  const intent = makeIntent(organisation, { path: path.map(BigInt), from: ownAddress(organisation, path) })
  const bodies = [encode(intentShape, intent), makeApproval(organisation, intent, 1), makeApproval(organisation, intent, 2)]
  const { checkpoint, logged } = logOf(organisation, [bodies])
  return encode(
    evidenceShape,
    change({ kind: 'alone', ...signedParts(organisation, intent, path), intent: bodies[0]!, approvals: bodies.slice(1), checkpoint, logged }),
  )
}

/** For tests: the address that the organisation has at a path. */
export const ownAddress = (organisation: Organisation, path: readonly number[]): string =>
  codecFor(CHAIN)!.addressFromKey(derivePublicKey(PROTOCOL, dealShares(organisation).shares[0]!.publicKey, organisation.chainCode, [...path]))

/** For tests: a standing order that collects to an address of the organisation, which two of its people approved. */
export function makeStandingOrder(organisation: Organisation, changes: Partial<StandingOrderIntent> = {}): StandingOrderIntent {
  const { fingerprint, keyId, policy, people } = organisation
  return {
    kind: 'standingOrder',
    genesis: fingerprint,
    orderId: seed('standing order').slice(0, 16),
    id: seed('standing id').slice(0, 16),
    version: 1n,
    name: 'Collect deposits',
    does: { kind: 'sweep', to: [{ kind: 'own', chain: CHAIN, name: 'Treasury', keyId, path: TREASURY.map(BigInt) }] },
    sources: [{ name: 'Deposits', keyId, path: [0n] }],
    never: [],
    assets: [{ asset: USDC, atLeast: 1n, atMost: 2_000_000_000_000n }],
    fees: [{ asset: ETH, max: 10n ** 16n, maxShare: 1n }],
    limits: [{ each: 'rule', lengthMs: 86_400_000n, amounts: [], maxTokens: null, maxCount: 5n, maxCents: null }],
    untilMs: 8_500_000n,
    remark: '',
    notBeforeMs: 2_000n,
    expiresAtMs: 8_000_000n,
    policyVersion: 1n,
    policyHash: policyHash(policy),
    initiator: people[0]!.id,
    nonce: seed('standing nonce'),
    ...changes,
  }
}

/** For tests: a batch of Anna's of three lines, two of which pay one address. */
export function makeBatch(organisation: Organisation, changes: Partial<BatchIntent> = {}): BatchIntent {
  const { amount: _amount, to, memo: _memo, kind: _kind, screening: _screening, ...fields } = makeIntent(organisation)
  const other = ownAddress(organisation, TREASURY)
  const lines = [to, other, to].map((each, i) => ({ key: seed(`line ${i}`).slice(0, 16), to: each, memo: null, amount: BigInt(i + 1) * 1_000_000n }))
  return { kind: 'batch', ...fields, orderId: seed('batch').slice(0, 16), lines, together: 1n, ...changes }
}

type BatchEvidence = Extract<Evidence, { kind: 'batch' }>
export type BatchOptions = {
  number?: number
  batch?: Partial<BatchIntent>
  /** What the order says, where it is another than the batch has. */
  part?: Partial<TransferIntent>
  approvers?: number[]
  change?: (evidence: BatchEvidence) => Evidence
}

/** For tests: the evidence of a line of a batch that two people approved. */
export function makeBatchEvidence(organisation: Organisation, options: BatchOptions = {}): Uint8Array {
  const { number = 1, batch: changes, part, approvers = [1, 2], change = (evidence) => evidence } = options
  const batch = makeBatch(organisation, changes)
  const intent = { ...partOf(batch, number, intentHash(batch)), ...part } as TransferIntent
  const [encoded, paid] = [encode(intentShape, batch), encode(intentShape, intent)]
  const approvals = approvers.map((i) => makeApproval(organisation, batch, i))
  const { checkpoint, logged } = logOf(organisation, [[encoded, ...approvals], [paid]])
  const approved = { intent: paid, approvals, checkpoint, logged: [...logged.slice(-1), ...logged.slice(1, -1)] }
  const witnessed = { ...signedParts(organisation, intent, PATH), ...approved, words: [], absence: null }
  return encode(evidenceShape, change({ kind: 'batch', ...witnessed, batch: { intent: encoded, logged: logged[0]! } }))
}

type StandingEvidence = Extract<Evidence, { kind: 'standing' }>
export type StandingOptions = {
  order?: Partial<StandingOrderIntent>
  transfer?: Partial<TransferIntent>
  /** Another order than a transfer, with the bytes that are signed for it. */
  made?: { intent: Partial<AuthorizationIntent> | Partial<ContractCallIntent>; unsigned: Uint8Array }
  path?: number[]
  /** Who approved the standing order. */
  approvers?: number[]
  change?: (evidence: StandingEvidence) => Evidence
}

/** For tests: the evidence of a transfer that a standing order covers. */
export function makeStandingEvidence(organisation: Organisation, options: StandingOptions = {}): Uint8Array {
  const { path = PATH, approvers = [1, 2], change = (evidence) => evidence } = options
  const order = makeStandingOrder(organisation, options.order)
  const own = { path: path.map(BigInt), from: ownAddress(organisation, path), to: ownAddress(organisation, TREASURY) }
  const transfer = makeIntent(organisation, { ...own, initiator: order.id, ...options.transfer })
  const { memo: _memo, screening: _screening, ...rest } = transfer
  const intent = options.made ? ({ ...rest, ...options.made.intent } as AuthorizationIntent | ContractCallIntent) : transfer
  const [encoded, paid] = [encode(intentShape, order), encode(intentShape, intent)]
  const approvals = approvers.map((i) => makeApproval(organisation, order, i))
  const { checkpoint, logged } = logOf(organisation, [[encoded, ...approvals], [paid]])
  const standing = { intent: encoded, approvals, logged: logged.slice(0, -1), place: null, keyStatements: [] }
  const approved = { intent: paid, approvals: [], checkpoint, logged: logged.slice(-1) }
  return encode(
    evidenceShape,
    change({ kind: 'standing', ...signedParts(organisation, intent, path, options.made?.unsigned), ...approved, words: [], absence: null, standing }),
  )
}

/** The statements of three signers of the key of the organisation. */
export const keyStatementsOf = (organisation: Organisation) =>
  [1n, 2n, 3n].map((party) => {
    const { fingerprint: genesis, keyId, chainCode, signerSecrets } = organisation
    const { publicKey } = dealShares(organisation).shares[0]!
    const statement = { genesis, party, keyId, epoch: 0n, protocol: PROTOCOL, publicKey, chainCode, atMs: 1_500n }
    return signMessage(keyStatementShape, statement, party, signerSecrets[Number(party) - 1]!)
  })

/** For tests: bytes with the signature of the address at a path. */
export function signAt(organisation: Organisation, unsigned: Uint8Array, path: number[]): Uint8Array {
  const codec = codecFor(CHAIN)!
  const [digest] = codec.sighashes(unsigned)
  const { secret } = dealShares(organisation)
  const signed = secp256k1.Signature.fromBytes(
    secp256k1.sign(digest!, secp256k1.Point.Fn.toBytes(childSecret(PROTOCOL, secret, organisation.chainCode, path)), { prehash: false, format: 'recovered' }),
    'recovered',
  )
  return codec.attach(unsigned, [{ r: secp256k1.Point.Fn.toBytes(signed.r), s: secp256k1.Point.Fn.toBytes(signed.s), recovery: signed.recovery! }]).raw
}

/** The signed transaction, and what signers say of it and of its key. */
function signedParts(organisation: Organisation, intent: TransactionIntent, path: number[], made?: Uint8Array) {
  const { fingerprint, signerSecrets, genesisRecord } = organisation
  const { asset, to, amount } = intent
  const fees = { gasLimit: 90_000n, maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 10n ** 8n }
  const unsigned = made ?? buildTransfer({ asset, to, amount, nonce: 4n, ...fees })
  const [digest] = codecFor(CHAIN)!.sighashes(unsigned)
  const raw = signAt(organisation, unsigned, path)
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
  return {
    genesisRecord,
    policyChanges: [],
    raw,
    keyStatements: keyStatementsOf(organisation),
    signatureStatements: [1n, 3n].map((party) => signMessage(signatureStatementShape, statement(party), party, signerSecrets[Number(party) - 1]!)),
  }
}

/** A log of orders, each with its approvals after it. */
function logOf({ fingerprint, signerSecrets, genesisRecord }: Organisation, orders: readonly (readonly Uint8Array[])[]) {
  const each = orders.flatMap((bodies) => bodies.map((body, i) => ({ type: i === 0 ? 'intent' : 'approval', body })))
  const all = [{ type: 'genesis', body: genesisRecord }, ...each]
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
    batch: null,
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
