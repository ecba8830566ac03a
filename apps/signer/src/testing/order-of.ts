import { buildTransfer, type TransferTransaction, codecFor } from '@holdfast/chain-evm/codec'
import { encode, toHex } from '@holdfast/encoding'
import { type Approval, type Asset, type BatchIntent, encodeVote, intentShape, type TransactionIntent, type TransferIntent, type Vote } from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import { type Policy, policyHash } from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { Log } from './log-of.ts'
import { CHAIN, COIN, DAY_MS, NOW_MS } from './organisation-of.ts'
import { approve, type ApprovalOptions, type Member } from './people.ts'

export const RECIPIENT_ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const OTHER_ADDRESS = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

export type PublicKey = { keyId: Uint8Array; epoch: bigint; protocol: string; publicKey: Uint8Array; chainCode: Uint8Array }
export type OrderOptions = {
  fingerprint: Uint8Array
  policy: Policy
  key: PublicKey
  initiator: Member
  asset?: Asset
  amount?: bigint
  path?: bigint[]
  nonce?: bigint
  salt?: number
  nowMs?: number
  changes?: Partial<TransferIntent>
}

/** An order and the transaction that carries it out, to be changed by a test before it becomes a request. */
export type Draft<I extends TransactionIntent = TransferIntent> = { intent: I; transaction: TransferTransaction }

export function addressOf(key: PublicKey, path: readonly bigint[]): string {
  const asked = `${toHex(key.publicKey)}${toHex(key.chainCode)}${path.join('/')}`
  const address = known.get(asked) ?? codecFor(CHAIN)!.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path.map(Number)))
  known.set(asked, address)
  return address
}

const known = new Map<string, string>()

export function draftOf(options: OrderOptions): Draft {
  const { fingerprint, policy, key, initiator, asset = COIN, amount = 1_000_000n, path = [0n, 7n], nonce = 0n, salt = 0, nowMs = NOW_MS } = options
  const salted = (use: string) => sha256(new TextEncoder().encode(`${use}/${salt}`))
  const intent: TransferIntent = {
    kind: 'transfer',
    genesis: fingerprint,
    orderId: salted('order').slice(0, 16),
    keyId: key.keyId,
    path,
    from: options.changes?.from ?? addressOf(key, path),
    to: RECIPIENT_ADDRESS,
    memo: null,
    asset,
    amount,
    feeAsset: COIN,
    feeCap: 10_000_000_000_000_000n,
    slotRule: 'account-nonce',
    notBeforeMs: BigInt(nowMs - 60_000),
    expiresAtMs: BigInt(nowMs + DAY_MS),
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    initiator: initiator.person.id,
    screening: null,
    remark: '',
    nonce: salted('nonce'),
    ...options.changes,
  }
  const gasLimit = asset.contract === null ? 21_000n : 65_000n
  const transaction: TransferTransaction = {
    asset: {
      chain: intent.asset.chain,
      contract: intent.asset.contract,
    },
    from: intent.from,
    to: intent.to,
    amount: intent.amount,
    nonce,
    gasLimit,
    maxFeePerGas: 30_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  }
  return { intent, transaction }
}

export const approvalsOf = (
  draft: Pick<Draft<TransactionIntent>, 'intent'>,
  policy: Policy,
  approvers: readonly Member[],
  options: ApprovalOptions = {},
): Approval[] => approvers.map((member) => approve(member, draft.intent, policy, options))

export type RequestOptions = {
  key: PublicKey
  draft: Draft<TransactionIntent>
  approvals: Vote[]
  log?: Log
  parties?: bigint[]
  salt?: number
  /** The bytes of an order on another chain; without it, the draft's own transaction. */
  unsigned?: Uint8Array
  /** The batch that the approvals are of. */
  batch?: BatchIntent | null
}

/** The whole request as an honest server makes it: everything in the log, proofs against the newest checkpoint. */
export function requestOf({
  key,
  draft,
  approvals,
  log = new Log(draft.intent.genesis),
  parties = [1n, 2n],
  salt = 0,
  unsigned,
  batch = null,
}: RequestOptions): {
  request: { kind: 'sign' } & SignRequest
  log: Log
} {
  const intent = encode(intentShape, draft.intent)
  const encoded = approvals.map(encodeVote)
  const indexes = [log.append('intent', intent), ...encoded.map((body) => log.append('approval', body))]
  const batchIndex = batch ? log.append('intent', encode(intentShape, batch)) : 0
  // What else happens in the organisation stands in the log too.
  log.append('signature', Uint8Array.of(salt & 0xff))
  const request = {
    kind: 'sign' as const,
    genesis: draft.intent.genesis,
    keyId: key.keyId,
    epoch: key.epoch,
    parties,
    intent,
    approvals: encoded,
    unsigned: unsigned ?? buildTransfer(draft.transaction),
    checkpoint: log.note(),
    logged: indexes.map((index) => log.logged(index)),
    rule: null,
    own: [],
    paid: [],
    standingOrder: null,
    batch: batch && { intent: encode(intentShape, batch), logged: log.logged(batchIndex) },
    nonce: sha256(new TextEncoder().encode(`request/${salt}/${log.tree.size}`)),
  }
  return { request, log }
}
