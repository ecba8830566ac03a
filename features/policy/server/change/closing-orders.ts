import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Policy } from '@holdfast/policy'
import { formatAmount } from '@holdfast/units'
import { policyWords } from '../policy-words.ts'

/** So many are named; of the others people see how many there are. */
const NAMED_MAX = 20
/** What waits for people or for signers: its approvals name the version they were given under. */
const WAITING = ['approving', 'approved', 'signing'] as const

export type ClosingOrders = { count: number; named: { id: string; title: string }[] }

/**
 * The orders that wait under a version of the policy. The next version closes them without payment: approvals count under the version that they name and
 * under no other. One of which a signature may exist is not closed then, and is among them as long as nobody knows.
 */
export async function closingOrders(tx: OrganisationTx, policy: Policy, language: Language): Promise<ClosingOrders> {
  const waiting = tx
    .selectFrom('transfer_order')
    .where('org_id', '=', tx.orgId)
    .where('is_final', '=', false)
    .where('state', 'in', [...WAITING])
    .where('policy_version', '=', policy.version)
  const { count } = await waiting.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const rows = await waiting
    .select(['id', 'kind', 'replaces', 'chain', 'contract', 'symbol', 'amount', 'address_to'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(NAMED_MAX)
    .execute()
  const words = policyWords[language].closing
  const named = rows.map(({ id, kind, replaces, chain, contract, symbol, amount, address_to: to }) => {
    const asset = policy.assets.find((each) => each.chain === chain && (each.contract ?? '') === contract)
    const shown = `${formatAmount(amount, Number(asset?.decimals ?? 0n))} ${symbol}`
    const say = replaces !== null ? (kind === 'cancel' ? words.cancel : words.speedUp) : kind === 'withdraw' ? words.pay : words.other
    return { id, title: say(shown, to) }
  })
  return { count: Number(count), named }
}
