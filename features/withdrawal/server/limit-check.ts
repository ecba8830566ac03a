import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { mostByValue, usedOf } from '@holdfast/features/transfer/server'
import { balances } from '@holdfast/ledger'
import { evaluatePayment, type Limit, maxAmountsOf, readRule } from '@holdfast/policy'
import { formatAmount, type PersonId, type SubWalletId, uuidToBytes } from '@holdfast/units'

type Asked = { network: Network; asset: NetworkAsset; subWalletId: SubWalletId; personId: PersonId; amount: bigint; to?: string; nowMs: number }

/** The least that can be paid to an address, in base units: nodes would not relay less. */
export function leastTo({ codec }: Network, { contract }: NetworkAsset, to: string | undefined): bigint {
  return (contract === null && to !== undefined ? codec.leastPayment?.(to) : undefined) ?? 1n
}

/**
 * The bounds of a payment before it is requested: the balance, the rule of the policy that would decide, and what its window leaves by the orders
 * that this server knows. Each signer counts the window for itself, and that count decides.
 */
export async function checkLimits(tx: OrganisationTx, { network, asset, subWalletId, personId, amount, to, nowMs }: Asked) {
  const owned = await tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', subWalletId).executeTakeFirst()
  if (!owned) throw new AppError('wallet_not_found')
  const least = leastTo(network, asset, to)
  const { policy } = await currentPolicy(tx)
  const outcome = evaluatePayment(policy, { chain: asset.chain, contract: asset.contract, amount, initiator: uuidToBytes(personId) })
  const { rule } = outcome
  const contract = asset.contract ?? ''
  const booked = (await balances(tx, subWalletId)).find((each) => each.asset.chain === asset.chain && (each.asset.contract ?? '') === contract)
  const max = rule ? maxAmountsOf(rule, asset)[0] : undefined
  const window = outcome.kind === 'needs' ? windowOf(outcome.limits, asset) : undefined
  const counted = rule && window && { rule: rule.id, each: 'rule' as const, of: '', asset, sinceMs: BigInt(nowMs) - window.lengthMs }
  const left = counted && window ? window.most - (await usedOf(tx, counted)).amount : null
  // Where a limit is used up that passes orders on, the next rule decides, and nothing ends there.
  const isBound = rule !== null && !readRule(rule, policy).passesOn
  const byValue =
    outcome.kind === 'needs' ? await mostByValue(tx, policy, { ...outcome, limits: isBound ? outcome.limits : [] }, asset, { personId, nowMs }) : null
  const bounds = [
    booked?.available ?? 0n,
    ...(byValue === null ? [] : [byValue]),
    ...(max === undefined ? [] : [max]),
    ...(left === null || !isBound ? [] : [left]),
  ]
  const most = bounds.reduce((least, each) => (each < least ? each : least))
  const { count } = await tx
    .selectFrom('transfer_order')
    .select((of) => of.fn.countAll<bigint>().as('count'))
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', subWalletId)
    .where('is_final', '=', false)
    .executeTakeFirstOrThrow()
  const shown = (value: bigint) => formatAmount(value > 0n ? value : 0n, asset.decimals)
  return {
    allowed: outcome.kind === 'needs' && amount >= least && amount <= most,
    min_withdraw: formatAmount(least, asset.decimals),
    max_withdraw: shown(outcome.kind === 'needs' ? most : 0n),
    rule_id: rule?.id ?? null,
    rule_max: max === undefined ? null : shown(max),
    window: window && left !== null ? { hours: Number(window.lengthMs) / 3_600_000, max: shown(window.most), left: shown(left) } : null,
    pending_count: Number(count),
  }
}

/** The first limit of a rule that counts all orders of an asset together; undefined if it has none. */
function windowOf(limits: readonly Limit[], { chain, contract }: NetworkAsset): { lengthMs: bigint; most: bigint } | undefined {
  for (const limit of limits) {
    const most = limit.each === 'rule' ? limit.maxOf({ chain, contract, isOfTokens: false }) : null
    if (most !== null) return { lengthMs: limit.lengthMs, most }
  }
  return undefined
}
