import type { OrganisationTx } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import { listedPlaces } from '@holdfast/features/address-book/server'
import { IS_SIGNED_FOR } from '@holdfast/features/known-address/server'
import { protocolFor } from '@holdfast/features/network/server'
import { intentShape, isPayment, isTransaction, paymentsOf, type TransactionIntent } from '@holdfast/intent'
import { type DestinationFacts, type PaidTo, type Policy, rulesOf } from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import { sql } from 'kysely'

/** What signers are shown of the addresses that an order pays: which are the organisation's own, and earlier payments to them. */
export type Proofs = Pick<SignRequest, 'own' | 'paid'>

const NO_PROOFS: Proofs = { own: [], paid: [] }
const PAID_MAX = 16

/** Whether a rule of the policy asks more of destinations than which they are. */
const asksOf = (policy: Policy, what: 'own' | 'listed' | 'paidBefore'): boolean =>
  rulesOf(policy).some(
    (rule) =>
      rule.kind === 'named' && rule.conditions.some((each) => each.kind === 'destinations' && (each[what] || (what === 'listed' && each.lists.length > 0))),
  )

/** What proves of the addresses that an order pays what a rule of the policy may ask. Empty where no rule asks. */
export async function proofsOf(tx: OrganisationTx, policy: Policy, payment: TransactionIntent): Promise<Proofs> {
  const addresses = recipientsOf(payment)
  if (addresses.length === 0) return NO_PROOFS
  const { chain } = payment.asset
  const [own, paid] = await Promise.all([
    asksOf(policy, 'own') ? ownPlaces(tx, chain, addresses) : [],
    asksOf(policy, 'paidBefore') ? earlierPayments(tx, chain, addresses.slice(0, PAID_MAX)) : [],
  ])
  return { own, paid }
}

/** What this server knows of the addresses that an order pays, as far as a rule of the policy may ask. Signers know it by themselves. */
export async function knownDestinations(
  tx: OrganisationTx,
  policy: Policy,
  payment: TransactionIntent,
  nowMs: number,
): Promise<(to: PaidTo) => DestinationFacts> {
  const addresses = recipientsOf(payment)
  const { chain } = payment.asset
  const [{ own, paid }, listed] = await Promise.all([
    proofsOf(tx, policy, payment),
    addresses.length > 0 && asksOf(policy, 'listed') ? listedPlaces(tx, nowMs, { chain, addresses }) : [],
  ])
  return ({ address, memo }) => {
    const entry = listed.find((each) => each.address === address && each.memo === (memo ?? ''))
    return {
      isOwn: own.some((each) => each.address === address),
      isListed: entry !== undefined,
      lists: entry?.lists ?? [],
      isPaidBefore: paid.some((each) => each.address === address),
    }
  }
}

const recipientsOf = (payment: TransactionIntent): string[] => (isPayment(payment) ? [...new Set(paymentsOf(payment).map(({ to }) => to))] : [])

async function ownPlaces(tx: OrganisationTx, chain: string, addresses: readonly string[]): Promise<Proofs['own']> {
  const rows = await tx
    .selectFrom('address')
    .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'address.org_id').onRef('sub_wallet.id', '=', 'address.sub_wallet_id'))
    .innerJoin('key_of_wallet', (join) =>
      join.onRef('key_of_wallet.org_id', '=', 'address.org_id').onRef('key_of_wallet.wallet_id', '=', 'sub_wallet.wallet_id'),
    )
    .select(['address.address', 'address.path', 'key_of_wallet.protocol', 'key_of_wallet.key_id'])
    .where('address.org_id', '=', tx.orgId)
    .where('address.chain', '=', chain)
    .where('address.address', 'in', [...addresses])
    .where('key_of_wallet.retired_at', 'is', null)
    .execute()
  return [...Map.groupBy(rows, ({ address }) => address)].flatMap(([address, keys]) => {
    const protocol = protocolFor(
      chain,
      keys.map((each) => each.protocol),
    )
    const key = keys.find((each) => each.protocol === protocol)
    return key ? [{ address, keyId: new Uint8Array(key.key_id), path: key.path.map(BigInt) }] : []
  })
}

/** The newest payment to each address whose signed bytes are here. */
async function earlierPayments(tx: OrganisationTx, chain: string, addresses: readonly string[]): Promise<Proofs['paid']> {
  const { rows } = await sql<{ address: string; intent: Uint8Array; raw_tx: Uint8Array }>`
    select distinct on (paid.address) paid.address, transfer_order.intent, made.raw_tx
      from transfer_order
        join lateral (
          select transfer_order.address_to as address where transfer_order.address_to = any(${[...addresses]}::text[])
          union all
          select output.address from order_output output
            where output.org_id = transfer_order.org_id and output.order_id = transfer_order.id and output.address = any(${[...addresses]}::text[])
        ) paid on true
        join order_transaction made on made.org_id = transfer_order.org_id and made.order_id = transfer_order.id and made.txid = transfer_order.txid
      where transfer_order.org_id = ${tx.orgId} and transfer_order.chain = ${chain} and ${IS_SIGNED_FOR} and made.raw_tx is not null
      order by paid.address, transfer_order.created_at desc`.execute(tx)
  return rows.flatMap(({ address, intent, raw_tx: raw }) => {
    const payment = decode(intentShape, new Uint8Array(intent))
    return isTransaction(payment) ? [{ address, keyId: payment.keyId, path: payment.path, raw: new Uint8Array(raw) }] : []
  })
}
