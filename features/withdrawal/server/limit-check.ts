import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { balances } from '@holdfast/ledger'
import { evaluate } from '@holdfast/policy'
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
  const outcome = evaluate(policy, { chain: asset.chain, contract: asset.contract, amount, initiator: uuidToBytes(personId) })
  const { rule } = outcome
  const contract = asset.contract ?? ''
  const booked = (await balances(tx, subWalletId)).find((each) => each.asset.chain === asset.chain && (each.asset.contract ?? '') === contract)
  const left = rule?.window ? rule.window.maxAmount - (await sentSince(tx, { chain: network.chain, contract }, BigInt(nowMs) - rule.window.lengthMs)) : null
  const bounds = [booked?.available ?? 0n, ...(rule?.maxAmount == null ? [] : [rule.maxAmount]), ...(left === null ? [] : [left])]
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
    rule_max: rule?.maxAmount == null ? null : shown(rule.maxAmount),
    window: rule?.window && left !== null ? { hours: Number(rule.window.lengthMs) / 3_600_000, max: shown(rule.window.maxAmount), left: shown(left) } : null,
    pending_count: Number(count),
  }
}

/** What orders took of an asset since a time, as far as signers were asked for them. */
async function sentSince(tx: OrganisationTx, { chain, contract }: { chain: string; contract: string }, sinceMs: bigint): Promise<bigint> {
  const { sum } = await tx
    .selectFrom('transfer_order')
    .select((of) => of.fn.sum<bigint>('amount').as('sum'))
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('contract', '=', contract)
    .where('kind', '=', 'withdraw')
    .where('slot', 'is not', null)
    .where('created_at', '>=', sinceMs)
    .executeTakeFirstOrThrow()
  return BigInt(sum ?? 0n)
}
