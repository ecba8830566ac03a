import { pinnedContract } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { networkErrors } from '@holdfast/features/network/errors'
import { protocolFor } from '@holdfast/features/network/server'
import type { PaymentAct, Source } from '@holdfast/intent'
import { conditionHolds, describeCondition, readRule, type Policy, type Rule, rulesOf, UNSCREENED } from '@holdfast/policy'
import { decisionAt, type Decision } from '@holdfast/policy/analysis'
import { destinationsOf } from '@holdfast/features/transfer/server'
import { amountOf } from '@holdfast/http'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import type { AskedOrder } from '../contract.ts'
import { actionOf, type Viewing } from './analysis-view.ts'
import { describeDecision, namedRule, nameOf } from './describe-decision.ts'

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

/** What a policy says of one payment, by which rule, and how each condition on the way to it stands. Throws AppError. */
export async function judgeOrder(tx: OrganisationTx, { policy, networks, language, nowMs }: Viewing, order: AskedOrder, callerId: string) {
  const act = await paymentOf(tx, { policy, networks }, order, callerId)
  const atMs = order.at ?? nowMs
  const { recipients: to } = act
  const facts = to.length === 0 ? undefined : await destinationsOf(tx, order.chain, { own: to, listed: to, paidBefore: to }, nowMs)
  // Of an order that is not there no screener has said anything.
  const given = { atMs, screened: UNSCREENED, ...(facts && { destination: (to: { address: string; memo: string | null }) => facts(to, atMs) }) }
  const decision: Decision = decisionAt(policy, { act, given, reading: null })
  const { rule } = decision
  const asked = rulesOf(policy).filter((each) => each.kind === 'named' && each.covers.kind === 'payments')
  const reached = [...asked.filter((each) => !readRule(each, policy).isBasic), ...asked.filter((each) => readRule(each, policy).isBasic)]
  const end = rule ? reached.findIndex(({ id }) => id === rule.id) : -1
  const reasonsOf = (each: Rule) =>
    each.kind === 'named'
      ? each.conditions.map((condition) => ({
          text: describeCondition(condition, policy, LOCALE[language]),
          ok: conditionHolds(condition, act, given, policy) ?? null,
        }))
      : []
  return {
    match: rule && { ...namedRule(rule), level: readRule(rule, policy).isBasic ? ('basic' as const) : ('higher' as const) },
    action: rule && actionOf(rule, policy),
    nodes: nodesOf(decision, policy),
    decision: describeDecision(decision, policy, language),
    reasons: reached.slice(0, end < 0 ? reached.length : end + 1).map((each) => ({ rule: namedRule(each), conditions: reasonsOf(each) })),
  }
}

const nodesOf = (decision: Decision, policy: Policy) =>
  decision.kind === 'waits'
    ? decision.steps.map(({ need, eligible }, i) => ({
        no: i + 1,
        need,
        approvers: eligible.map((id) => ({ person_id: bytesToUuid(id), name: nameOf(policy, id) })),
      }))
    : []

async function paymentOf(
  tx: OrganisationTx,
  { policy, networks }: Pick<Viewing, 'policy' | 'networks'>,
  order: AskedOrder,
  callerId: string,
): Promise<PaymentAct> {
  const { chain, asset, to, memo = null, sub_wallet_id: subWalletId, asker = callerId } = order
  const network = networks.find(chain)
  const contract = asset === '' ? null : asset
  const pinned = policy.assets.find((each) => each.chain === chain && each.contract === pinnedContract(contract))
  if (!network || !pinned) throw new AppError(networkErrors.unsupported_coin)
  const recipient = to === undefined ? undefined : network.codec.canonicalAddress(to)
  if (to !== undefined && recipient === undefined)
    throw new AppError('invalid_parameters', { details: { field: 'order.to', reason: 'it is no address of this network' } })
  return {
    as: 'payment',
    chain,
    contract,
    amount: amountOf(order.amount, { decimals: Number(pinned.decimals) }),
    recipients: recipient === undefined ? [] : [recipient],
    memo,
    initiator: uuidToBytes(asker),
    source: subWalletId === undefined ? null : await sourceOf(tx, chain, subWalletId),
  }
}

/** Where a sub-wallet pays from on a network; null where it has no address there yet. Throws AppError. */
async function sourceOf(tx: OrganisationTx, chain: string, subWalletId: string): Promise<Source | null> {
  const owned = await tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', subWalletId).executeTakeFirst()
  if (!owned) throw new AppError('wallet_not_found')
  const rows = await tx
    .selectFrom('address')
    .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'address.org_id').onRef('sub_wallet.id', '=', 'address.sub_wallet_id'))
    .innerJoin('key_of_wallet', (join) =>
      join.onRef('key_of_wallet.org_id', '=', 'address.org_id').onRef('key_of_wallet.wallet_id', '=', 'sub_wallet.wallet_id'),
    )
    .select(['address.path', 'key_of_wallet.protocol', 'key_of_wallet.key_id'])
    .where('address.org_id', '=', tx.orgId)
    .where('address.chain', '=', chain)
    .where('address.sub_wallet_id', '=', subWalletId)
    .where('address.number', '=', 0)
    .where('key_of_wallet.retired_at', 'is', null)
    .execute()
  const protocol = protocolFor(
    chain,
    rows.map((each) => each.protocol),
  )
  const found = rows.find((each) => each.protocol === protocol)
  return found ? { keyId: new Uint8Array(found.key_id), path: found.path.map(BigInt) } : null
}
