import { encode } from '@holdfast/encoding'
import { type Approval, type BatchIntent, type BatchPart, intentHash, intentShape, partOf } from '@holdfast/intent'
import { policyHash } from '@holdfast/policy'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Log } from './log-of.ts'
import { addressOf, draftOf, OTHER_ADDRESS, RECIPIENT_ADDRESS, requestOf } from './order-of.ts'
import { COIN, DAY_MS, NOW_MS, type TestOrganisation } from './organisation-of.ts'
import { approve, type Member } from './people.ts'
import { acme, ann, ben, cleo, key } from './world-of.ts'

const seeded = (text: string) => sha256(new TextEncoder().encode(text))
const PATH = [0n, 7n]

/** The lines of the batch of the tests: two of them pay one address, as a payroll may. */
export const LINES = [
  { to: RECIPIENT_ADDRESS, amount: 1_000n },
  { to: OTHER_ADDRESS, amount: 2_000n },
  { to: RECIPIENT_ADDRESS, amount: 3_000n },
].map((line, i) => ({ ...line, memo: null, key: seeded(`line ${i}`).slice(0, 16) }))

/** A batch of Ann's that pays coins to several, but for what `changes` say. */
export function batchOf(changes: Partial<BatchIntent> = {}, { policy, fingerprint }: TestOrganisation = acme): BatchIntent {
  return {
    kind: 'batch',
    genesis: fingerprint,
    orderId: seeded('batch').slice(0, 16),
    keyId: key.keyId,
    path: PATH,
    from: addressOf(key, PATH),
    asset: COIN,
    lines: LINES,
    together: 1n,
    feeAsset: COIN,
    feeCap: 10_000_000_000_000_000n,
    slotRule: 'account-nonce',
    notBeforeMs: BigInt(NOW_MS - 60_000),
    expiresAtMs: BigInt(NOW_MS + DAY_MS),
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    initiator: ann.person.id,
    remark: 'Payroll',
    nonce: seeded('batch nonce'),
    ...changes,
  }
}

export type LineOptions = {
  organisation?: TestOrganisation
  batch?: BatchIntent
  /** Which part is asked for. */
  number?: number
  /** The slot that the server prepared. */
  nonce?: bigint
  approvers?: readonly Member[]
  approvals?: readonly Approval[]
  /** What the order says, where it is another than the batch has. */
  altered?: Partial<BatchPart>
  /** What the bytes do, where it is something else than the order says. */
  paid?: { to?: string; amount?: bigint; payments?: { to: string; amount: bigint }[] }
  log?: Log
}

/** The request to sign one line of a batch, as an honest server makes it but for what the options change. */
export function lineRequest({
  organisation = acme,
  batch = batchOf({}, organisation),
  number = 0,
  nonce = 0n,
  approvers = [ben, cleo],
  approvals,
  altered,
  paid,
  log,
}: LineOptions = {}) {
  const { policy, fingerprint } = organisation
  const intent = { ...partOf(batch, number, intentHash(batch)), ...altered } as BatchPart
  const drafted = draftOf({
    fingerprint,
    policy,
    key,
    initiator: ann,
    nonce,
    path: PATH,
    changes: { to: intent.to, amount: intent.amount, asset: intent.asset },
  })
  const given = approvals ?? approvers.map((member) => approve(member, batch, policy))
  const several = intent.kind === 'payout' ? { payments: intent.outputs } : {}
  const draft = { intent, transaction: { ...drafted.transaction, amount: intent.amount, ...several, ...paid } }
  return requestOf({ key, draft, approvals: [...given], batch, ...(log && { log }) })
}

/** The bytes of a batch, as a request has them. */
export const batchBytes = (batch: BatchIntent): Uint8Array => encode(intentShape, batch)
