import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { findControlAlarm, findPaymentHalt, type Network, type NetworkAsset } from '@holdfast/features/network/server'
import { currentPolicy, type PolicyInForce } from '@holdfast/features/policy/server'
import type { Quorum } from '@holdfast/features/proposal/server'
import { type BatchIntent, type BatchPart, batchFault, judgedAs, judgedPart } from '@holdfast/intent'
import { lockSubWallets } from '@holdfast/ledger'
import { evaluateOrder, type Policy } from '@holdfast/policy'
import { bytesToUuid, known, type OrderId, type RequesterId, type SubWalletId, type WalletId } from '@holdfast/units'
import { transferErrors } from '../../errors.ts'
import { type Money, notedPayoutOf, type Ordered, payoutOf, type Subject } from '../order/kinds/index.ts'
import { moveOrder, writeOpening } from '../order/move.ts'
import { holdForOrder } from '../order/order-money.ts'
import { quorumOfOrder } from '../order/propose-order.ts'
import { type Order, readOrder } from '../order/read-order.ts'
import type { NotMoved } from './open-move.ts'
import { chooseRule, insertOrder, intentOf, logOpening, type Payer, readPayer, writeOutputs } from './open-transfer.ts'
import { hasRoom } from './outcome-by-limits.ts'

/** What a batch asks for. `feeCap` is for each transaction, `together` how many lines one of them pays. */
export type BatchRequest = {
  id: string
  subWalletId: SubWalletId
  network: Network
  asset: NetworkAsset
  lines: BatchIntent['lines']
  together: number
  feeCap: Money
  remark: string
  lifeMs: number
  initiator: RequesterId
  language: Language
}

/** The order of a batch that is to be put before people, the rule that is to decide on it, and who pays. */
export type ComposedBatch = { intent: BatchIntent; ruleId: string | null; payer: Payer; inForce: PolicyInForce }

/**
 * Makes the order of a batch, which nothing changes afterwards, and finds the rule that is to decide on it: judged whole. Writes nothing. Throws AppError
 * where the policy denies it, or its sub-wallet cannot pay now.
 */
export async function composeBatch(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, request: BatchRequest): Promise<ComposedBatch> {
  const { network, asset, lines, together, language } = request
  const { chain } = network
  const nowMs = ports.clock.nowMs()
  const [halt, inForce, payer] = await Promise.all([findPaymentHalt(tx, { chain, contract: asset.contract ?? '' }), currentPolicy(tx), readPayer(tx, request)])
  if (halt) throw new AppError(transferErrors.withdrawals_suspended)
  if (await findControlAlarm(tx, { chain, address: payer.address })) throw new AppError(transferErrors.account_not_own)
  const first = known(lines[0], 'the first line of a batch')
  const subject = { kind: 'transfer' as const, to: first.to, paid: { asset, amount: first.amount }, memo: null }
  const one = intentOf({ ...request, subject }, payer, inForce, { orderId: request.id as OrderId, nowMs, nonce: ports.random.bytes(32) })
  const { genesis, orderId, keyId, path, from, asset: pinned, feeAsset, feeCap, slotRule, nonce, ...validity } = one
  const { notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, remark } = validity
  const wanted: BatchIntent = {
    kind: 'batch',
    ...{ genesis, orderId, keyId, path, from, asset: pinned, lines, together: BigInt(together), feeAsset, feeCap, slotRule },
    ...{ notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, remark, nonce },
  }
  const fault = batchFault(wanted)
  if (fault !== undefined) throw new AppError('invalid_parameters', { details: { field: 'batch_id', reason: fault } })
  const { intent: judged, ruleId } = await chooseRule(tx, judgedAs(wanted), inForce, { language, nowMs, before: null })
  return { intent: { ...wanted, expiresAtMs: judged.expiresAtMs }, ruleId, payer, inForce }
}

/** Who may approve a batch by a policy, and how many must; nobody if the policy denies it. */
export const quorumOfBatch = (intent: BatchIntent, policy: Policy, by: string | null): Omit<Quorum, 'directory'> | undefined =>
  quorumOfOrder(judgedAs(intent), policy, by)

/** What pays one part of a batch that people approved. */
export type PartRequest = {
  batch: BatchIntent
  part: BatchPart
  ruleId: string | null
  walletId: WalletId
  subWalletId: SubWalletId
  network: Network
  asset: NetworkAsset
  tier: 0 | 1 | 2
  initiator: RequesterId
  /** Frees what the batch holds for it, right before the order holds that itself. */
  free(): Promise<void>
}

/**
 * Opens the order that pays one part of a batch, holds its money, and lets it be signed: people approved the batch. The id of the order is the key of its first
 * line, so that there is one order for a line, ever. Says why where it cannot be now, with nothing written.
 */
export async function openPart(tx: OrganisationTx, needs: Pick<ServerContext, 'ports'>, request: PartRequest): Promise<{ order: Order } | NotMoved> {
  const { ports } = needs
  const { batch, part, ruleId, subWalletId, network, asset, tier, initiator } = request
  const { chain } = network
  const nowMs = ports.clock.nowMs()
  const [halt, { policy }, payer, alarm] = await Promise.all([
    findPaymentHalt(tx, { chain, contract: asset.contract ?? '' }),
    currentPolicy(tx),
    readPayer(tx, { subWalletId, network, from: batch.from }),
    findControlAlarm(tx, { chain, address: batch.from }),
  ])
  if (halt) return { reason: 'halted', detail: null }
  if (alarm) return { reason: 'alarm', detail: null }
  const outcome = evaluateOrder(policy, judgedPart(batch, part), { by: ruleId })
  await lockSubWallets(tx, [subWalletId])
  if (outcome.kind === 'needs' && !(await hasRoom(tx, policy, outcome, part, nowMs))) return { reason: 'limit_used', detail: null }
  await request.free()
  const ordered: Ordered = {
    kind: 'withdraw',
    subject: subjectOf(asset, part),
  }
  const inserted = { ...ordered, subWalletId, network, initiator, tier, batchId: bytesToUuid(batch.orderId) }
  const row = insertOrder(tx, inserted, payer, { intent: part, ruleId }, nowMs)
  await writeOutputs(tx, row.id, part.kind === 'transfer' ? [] : part.outputs)
  await writeOpening(tx, row, initiator, nowMs)
  await holdForOrder(tx, ports, row)
  logOpening(tx, row, batch.genesis, nowMs)
  const opened = known(await readOrder(tx, row.id, true), `order ${row.id}`)
  return { order: await moveOrder(tx, needs, opened, { event: 'approve', actor: 'server' }) }
}

function subjectOf(asset: NetworkAsset, part: BatchPart): Extract<Subject, { kind: BatchPart['kind'] }> {
  switch (part.kind) {
    case 'transfer':
      return { kind: 'transfer', to: part.to, paid: { asset, amount: part.amount }, memo: part.memo }
    case 'payout':
      return payoutOf(asset, part.outputs)
    case 'notedPayout':
      return notedPayoutOf(asset, part.outputs)
  }
}
