import type { OrganisationTx } from '@holdfast/db'
import { actOf, judgedAs, type SpendingIntent } from '@holdfast/intent'
import { type Limit, type Outcome, outcomesOfOrder, type Policy, tokensOfCall } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'

/**
 * What the policy says of an order by the first rule whose limits have room for it, as far as this server counts: signers count for themselves. `by` names the
 * rule where more than one may decide.
 */
export async function outcomeByLimits(
  tx: OrganisationTx,
  policy: Policy,
  intent: SpendingIntent,
  nowMs: number,
): Promise<{ outcome: Outcome; by: string | null }> {
  const outcomes = outcomesOfOrder(policy, intent, { atMs: nowMs })
  const last = outcomes.at(-1) as Outcome
  if (outcomes.length === 1) return { outcome: last, by: null }
  for (const outcome of outcomes.slice(0, -1))
    if (outcome.kind === 'needs' && (await hasRoom(tx, policy, outcome, intent, nowMs))) return { outcome, by: outcome.rule.id }
  return { outcome: last, by: last.rule?.id ?? null }
}

type Needs = Extract<Outcome, { kind: 'needs' }>

/** Whether every limit of a rule has room for one more order like this. */
async function hasRoom(tx: OrganisationTx, policy: Policy, { rule, limits }: Needs, intent: SpendingIntent, nowMs: number): Promise<boolean> {
  const payment = judgedAs(intent)
  const act = actOf(payment)
  const tokens = act.as === 'call' ? tokensOfCall(policy, rule, act) : 0n
  const { chain } = payment.asset
  const counted = tokens > 0n ? { chain, contract: payment.to, isOfTokens: true } : { chain, contract: payment.asset.contract, isOfTokens: false }
  for (const limit of limits) {
    const { amount, count } = await usedOf(tx, { rule: rule.id, limit, chain, contract: payment.asset.contract ?? '', nowMs, payment })
    const most = limit.maxOf(counted)
    if (most !== null && amount + (tokens > 0n ? tokens : payment.amount) > most) return false
    if (limit.maxCount !== null && count + 1n > limit.maxCount) return false
  }
  return true
}

type Used = { rule: string; limit: Limit; chain: string; contract: string; nowMs: number; payment: ReturnType<typeof judgedAs> }

/** What orders took under a rule within one of its limits: those that signers were asked for, and those that still wait. */
async function usedOf(tx: OrganisationTx, { rule, limit, chain, contract, nowMs, payment }: Used): Promise<{ amount: bigint; count: bigint }> {
  const row = await tx
    .selectFrom('transfer_order')
    .select((of) => [
      of.fn.countAll<bigint>().as('count'),
      of.fn.sum<bigint | null>('amount').filterWhere('chain', '=', chain).filterWhere('contract', '=', contract).as('amount'),
    ])
    .where('org_id', '=', tx.orgId)
    .where('rule_id', '=', rule)
    .where('replaces', 'is', null)
    .where('created_at', '>=', BigInt(nowMs) - limit.lengthMs)
    .where((of) => of.or([of('slot', 'is not', null), of('is_final', '=', false)]))
    .$if(limit.each === 'asker', (query) => query.where('initiator', '=', bytesToUuid(payment.initiator)))
    .$if(limit.each === 'source', (query) => query.where('address_from', '=', payment.from))
    .$if(limit.each === 'destination', (query) => query.where('address_to', '=', payment.to))
    .executeTakeFirstOrThrow()
  return { amount: BigInt(row.amount ?? 0n), count: BigInt(row.count) }
}
