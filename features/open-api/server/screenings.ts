import { AppError, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, fromHex, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { readScreenings, type KeptScreening } from '@holdfast/features/evidence/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { type Proposals, takeScreening } from '@holdfast/features/proposal/server'
import { screeningOf } from '@holdfast/features/transfer/server'
import type { MachineRequester } from '@holdfast/http'
import {
  type BatchIntent,
  intentShape,
  isPayment,
  isSpending,
  isTransaction,
  originalOf,
  paymentsOf,
  type ScreeningLevel,
  type SpendingIntent,
} from '@holdfast/intent'
import { asksForScreening, type Policy, screenerOf, type ScreeningAsked } from '@holdfast/policy'
import { formatAmount, type OrganisationId } from '@holdfast/units'
import { openApiErrors } from '../errors.ts'
import type { openScreen } from '../open-contract.ts'

const LISTED_MAX = 100
/** So many that are open are looked at, the oldest first. */
const LOOKED_MAX = 2_000

type Needs = Pick<ServerContext, 'db' | 'ports'>
type Row = {
  id: string
  kind: string
  sub_wallet_id: string
  intent: Uint8Array
  intent_hash: Uint8Array
  state: string
  rule_id: string | null
  signable_at: bigint | null
  expires_at: bigint
  created_at: bigint
}
type Open = { row: Row; intent: SpendingIntent | BatchIntent }

/** The orders that wait for what a screener says, of the sub-wallets that it may name. */
export async function listScreenings({ db, ports }: Needs, orgId: string, { machineId, subWallets }: MachineRequester) {
  return db.asOrganisation(orgId, async (tx) => {
    const { policy, fingerprint } = await currentPolicy(tx)
    const organisation = toHex(fingerprint)
    if (!asksForScreening(policy, machineId)) return { organisation, list: [] }
    const open = await openOrders(tx, policy, subWallets)
    const kept = await readScreenings(
      tx,
      open.map(({ row }) => row.intent_hash),
    )
    const nowMs = ports.clock.nowMs()
    const list: ReturnType<typeof shown>[] = []
    for (const each of open) {
      const own = kept.get(toHex(each.row.intent_hash)) ?? []
      const asked = await screeningOf(tx, policy, { intent: each.intent, ruleId: each.row.rule_id, kept: own }, nowMs)
      const [first] = asked.filter(({ state, withinMs }) => state.machine === machineId && isAsked(state, each.row, { nowMs, withinMs }))
      if (first)
        list.push(
          shown(
            each,
            first,
            own.findLast(({ word }) => word.machine === machineId),
          ),
        )
      if (list.length === LISTED_MAX) break
    }
    return { organisation, list }
  })
}

/** Whether a screener is to look now: at what it has not looked at, and once more at what is about to be signed and was looked at too long ago. */
function isAsked({ is }: ScreeningAsked['state'], { state, signable_at: signableAt }: Row, { nowMs, withinMs }: { nowMs: number; withinMs: bigint }): boolean {
  if (is !== 'stale') return is === 'missing'
  return state !== 'approving' && (signableAt === null || signableAt <= BigInt(nowMs) + withinMs)
}

/** The orders and batches that can still be signed, by the policy in force. */
async function openOrders(tx: OrganisationTx, policy: Policy, subWallets: readonly string[] | null): Promise<Open[]> {
  const wallets = subWallets === null ? null : [...subWallets]
  const [orders, batches] = await Promise.all([
    tx
      .selectFrom('transfer_order')
      .select(['id', 'kind', 'sub_wallet_id', 'intent', 'intent_hash', 'state', 'rule_id', 'signable_at', 'expires_at', 'created_at'])
      .where('org_id', '=', tx.orgId)
      .where('is_final', '=', false)
      .where('state', 'in', ['approving', 'approved', 'signing'])
      .where('policy_version', '=', policy.version)
      .where('standing_order_id', 'is', null)
      .where('batch_id', 'is', null)
      .$if(wallets !== null, (query) => query.where('sub_wallet_id', 'in', wallets ?? []))
      .orderBy('created_at')
      .limit(LOOKED_MAX)
      .execute(),
    tx
      .selectFrom('batch_transfer')
      .select(['id', 'sub_wallet_id', 'intent', 'intent_hash', 'state', 'rule_id', 'expires_at', 'created_at'])
      .where('org_id', '=', tx.orgId)
      .where('state', 'in', ['approving', 'approved'])
      .where('policy_version', '=', policy.version)
      .$if(wallets !== null, (query) => query.where('sub_wallet_id', 'in', wallets ?? []))
      .orderBy('created_at')
      .limit(LOOKED_MAX)
      .execute(),
  ])
  const asBatch = batches.flatMap(({ intent, intent_hash, expires_at, ...row }): Row[] =>
    intent && intent_hash && expires_at !== null ? [{ ...row, kind: 'batch', signable_at: null, intent, intent_hash, expires_at }] : [],
  )
  return [...orders, ...asBatch]
    .toSorted((a, b) => Number(a.created_at - b.created_at))
    .flatMap((row): Open[] => {
      const intent = decode(intentShape, new Uint8Array(row.intent))
      return isSpending(intent) || intent.kind === 'batch' ? [{ row: { ...row, intent_hash: new Uint8Array(row.intent_hash) }, intent }] : []
    })
}

function shown({ row, intent }: Open, { levels, withinMs }: ScreeningAsked, last: KeptScreening | undefined) {
  const payment = intent.kind === 'batch' ? undefined : originalOf(intent)
  const { asset, from, ...paid } = payment ?? (intent as BatchIntent)
  const amountOf = (amount: bigint) => formatAmount(amount, Number(asset.decimals))
  const pays = paidIn(intent).map(({ to, amount, memo }) => ({ to, amount: amountOf(amount), memo }))
  const whole = 'lines' in paid ? paid.lines.reduce((sum, { amount }) => sum + amount, 0n) : paid.amount
  return {
    order_hash: toHex(row.intent_hash),
    intent: toHex(new Uint8Array(row.intent)),
    order_id: row.id,
    kind: row.kind,
    sub_wallet_id: row.sub_wallet_id,
    chain: asset.chain,
    from,
    asset: asset.contract ?? '',
    symbol: asset.symbol,
    amount: amountOf(whole),
    pays,
    expire_at: Number(row.expires_at),
    within_ms: Number(withinMs),
    levels: [...levels],
    last: last ? { level: last.word.level as ScreeningLevel, provider: last.word.provider, at: Number(last.word.screenedAtMs) } : null,
  }
}

function paidIn(intent: SpendingIntent | BatchIntent): { to: string; amount: bigint; memo: string | null }[] {
  if (intent.kind === 'batch') return intent.lines.map(({ to, amount, memo }) => ({ to, amount, memo }))
  const payment = originalOf(intent)
  if (isPayment(payment)) return paymentsOf(payment).map(({ to, amount, memo }) => ({ to, amount, memo }))
  return isTransaction(payment) ? [{ to: payment.to, amount: payment.amount, memo: null }] : []
}

type Calling = { orgId: OrganisationId; machine: MachineRequester }

/** Takes what a screener says of an order. Throws AppError: see `takeScreening`. */
export async function takeWord(context: Needs, proposals: Proposals, { orgId, machine }: Calling, asked: InputOf<typeof openScreen>) {
  const { policy, fingerprint } = await context.db.readOrganisation(orgId, currentPolicy)
  if (!screenerOf(policy, machine.machineId)) throw new AppError(openApiErrors.key_no_screener)
  const word = {
    genesis: fingerprint,
    intentHash: fromHex(asked.order_hash),
    machine: machine.machineId,
    provider: asked.provider,
    level: asked.level,
    screenedAtMs: BigInt(asked.screened_at),
    reportHash: fromHex(asked.report_hash),
    signature: fromHex(asked.signature),
  }
  const { subjectId, state } = await takeScreening(context, proposals, { word, orgId })
  return { order_id: subjectId, state }
}
