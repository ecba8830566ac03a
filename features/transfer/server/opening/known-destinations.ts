import type { OrganisationTx } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import { listedPlaces } from '@holdfast/features/address-book/server'
import { IS_SIGNED_FOR } from '@holdfast/features/known-address/server'
import { protocolFor } from '@holdfast/features/network/server'
import { intentShape, isDelegation, isPayment, isTransaction, paymentsOf, type TransactionIntent } from '@holdfast/intent'
import { type DestinationFacts, type PaidTo, type Policy, rulesOf } from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import { sql } from 'kysely'

/** What signers are shown of the addresses that an order pays: which are the organisation's own, and earlier payments to them. */
export type Proofs = Pick<SignRequest, 'own' | 'paid'>

const NO_PROOFS: Proofs = { own: [], paid: [] }
const PAID_MAX = 16
/** The longest payment that is shown to signers: what proves more than itself is left out. */
const RAW_MAX = 1 << 16

/** What rules ask of destinations beside which they are. */
type Asked = 'own' | 'listed' | 'paidBefore'

/** Whether a rule of the policy asks that. */
const asksOf = (policy: Policy, what: Asked): boolean =>
  rulesOf(policy).some(
    (rule) =>
      rule.kind === 'named' && rule.conditions.some((each) => each.kind === 'destinations' && (each[what] || (what === 'listed' && each.lists.length > 0))),
  )

/** Addresses of a network that are to be paid, each with the memo that goes along. */
type Paying = { chain: string; to: readonly { address: string; memo: string | null }[] }

/** Whom an order pays, or to whom it delegates. */
export function payingOf(payment: TransactionIntent): Paying {
  const { chain } = payment.asset
  if (payment.kind === 'stake') return { chain, to: isDelegation(payment.action) ? [{ address: payment.to, memo: null }] : [] }
  const payments = isPayment(payment) ? paymentsOf(payment) : []
  return { chain, to: payments.map(({ to, memo }) => ({ address: to, memo })) }
}

const addressesOf = (to: Paying['to']): string[] => [...new Set(to.map(({ address }) => address))]

/** What proves of the addresses that are paid what a rule of the policy or a standing order may ask. Empty where none asks. */
export async function proofsOf(tx: OrganisationTx, policy: Policy, { chain, to }: Paying, isStanding: boolean): Promise<Proofs> {
  if (to.length === 0) return NO_PROOFS
  const [own, paid] = await Promise.all([
    isStanding || asksOf(policy, 'own') ? ownPlaces(tx, chain, addressesOf(to)) : [],
    asksOf(policy, 'paidBefore') ? earlierPayments(tx, chain, to.slice(0, PAID_MAX)) : [],
  ])
  return { own, paid }
}

/** What this server knows of the addresses that are paid, as far as a rule of the policy may ask. Signers know it by themselves. */
export async function knownDestinations(tx: OrganisationTx, policy: Policy, { chain, to }: Paying, nowMs: number): Promise<(to: PaidTo) => DestinationFacts> {
  const asked = (what: Asked) => (asksOf(policy, what) ? addressesOf(to) : [])
  // Signers are shown no earlier payments to more addresses than these.
  return destinationsOf(tx, chain, { own: asked('own'), listed: asked('listed'), paidBefore: asked('paidBefore').slice(0, PAID_MAX) }, nowMs)
}

/** What is known of an address as of a time, or by now. */
export type FactsAt = (to: Pick<PaidTo, 'address' | 'memo'>, atMs?: number) => DestinationFacts

/**
 * What this server knows of addresses of a network: whose they are and what is on the whitelist as of now, and since when they were paid with a memo, or
 * without one. Of an address that is not among those asked about it says that it is not so.
 */
export async function destinationsOf(tx: OrganisationTx, chain: string, asked: Record<Asked, readonly string[]>, nowMs: number): Promise<FactsAt> {
  const [own, listed, paid] = await Promise.all([
    asked.own.length > 0 ? ownPlaces(tx, chain, asked.own) : [],
    asked.listed.length > 0 ? listedPlaces(tx, nowMs, { chain, addresses: asked.listed }) : [],
    asked.paidBefore.length > 0 ? firstPayments(tx, chain, asked.paidBefore) : [],
  ])
  const placeOf = (address: string, memo: string | null) => JSON.stringify([address, memo ?? ''])
  const ours = new Set(own.map(({ address }) => address))
  const entries = new Map(listed.map((each) => [placeOf(each.address, each.memo), each]))
  const since = new Map(paid.map(({ address, memo, first }) => [placeOf(address, memo), Number(first)]))
  return ({ address, memo }, atMs = Number.POSITIVE_INFINITY) => {
    const place = placeOf(address, memo)
    const entry = entries.get(place)
    const firstMs = since.get(place)
    return { isOwn: ours.has(address), isListed: entry !== undefined, lists: entry?.lists ?? [], isPaidBefore: firstMs !== undefined && firstMs < atMs }
  }
}

/** Where addresses of a network are, of those that are the organisation's own: their key in use, and the path below it. */
export async function ownPlaces(tx: OrganisationTx, chain: string, addresses: readonly string[]): Promise<Proofs['own']> {
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

/** Orders that pay somebody by what they move. */
const PAYING = ['withdraw', 'consolidate', 'collect', 'fuel', 'rent']

/** Payments to addresses of a network whose signed bytes are here, as the end of a query: each address, and its memo, with the order and its transaction. */
const paymentsTo = (tx: OrganisationTx, chain: string, addresses: readonly string[]) => sql`
  from transfer_order
    join lateral (
      select transfer_order.address_to as address, coalesce(transfer_order.memo, '') as memo where transfer_order.address_to = any(${[...addresses]}::text[])
        and not exists (select from order_output one where one.org_id = transfer_order.org_id and one.order_id = transfer_order.id)
      union all
      select output.address, coalesce(output.memo, '') from order_output output
        where output.org_id = transfer_order.org_id and output.order_id = transfer_order.id and output.address = any(${[...addresses]}::text[])
    ) paid on true
    join order_transaction made on made.org_id = transfer_order.org_id and made.order_id = transfer_order.id and made.txid = transfer_order.txid
  where transfer_order.org_id = ${tx.orgId} and transfer_order.chain = ${chain} and ${IS_SIGNED_FOR} and made.raw_tx is not null
    and transfer_order.kind = any(${PAYING}::text[]) and octet_length(made.raw_tx) <= ${RAW_MAX}`

/** The newest payment to each address with the same memo. */
async function earlierPayments(tx: OrganisationTx, chain: string, to: Paying['to']): Promise<Proofs['paid']> {
  const wanted = sql`unnest(${to.map(({ address }) => address)}::text[], ${to.map(({ memo }) => memo ?? '')}::text[])`
  const { rows } = await sql<{ address: string; intent: Uint8Array; raw_tx: Uint8Array }>`
    select distinct on (paid.address, paid.memo) paid.address, transfer_order.intent, made.raw_tx ${paymentsTo(tx, chain, addressesOf(to))}
      and (paid.address, paid.memo) in (select * from ${wanted}) order by paid.address, paid.memo, transfer_order.created_at desc`.execute(tx)
  return rows.flatMap(({ address, intent, raw_tx: raw }) => {
    const payment = decode(intentShape, new Uint8Array(intent))
    return isTransaction(payment) ? [{ address, keyId: payment.keyId, path: payment.path, raw: new Uint8Array(raw) }] : []
  })
}

/** When the first payment to each address was asked for, by memo. */
async function firstPayments(tx: OrganisationTx, chain: string, addresses: readonly string[]): Promise<{ address: string; memo: string; first: bigint }[]> {
  const { rows } = await sql<{ address: string; memo: string; first: bigint }>`
    select paid.address, paid.memo, min(transfer_order.created_at) as first ${paymentsTo(tx, chain, addresses)}
      group by 1, 2`.execute(tx)
  return rows
}
