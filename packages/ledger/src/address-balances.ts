import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { type RawBuilder, sql } from 'kysely'
import { type LedgerAsset, subWalletOf } from './account.ts'
import { InsufficientBalanceError, LedgerError } from './ledger-error.ts'
import type { Posting } from './post.ts'

/** By how much postings change what an address has of an asset. */
type AddressChange = { subWalletId: string; chain: string; address: string; contract: string; available: bigint; held: bigint }

/** What postings that name an address do to it, added up. */
export function addressChangesOf(postings: readonly Pick<Posting, 'address' | 'entries'>[]): AddressChange[] {
  const changes = new Map<string, AddressChange>()
  for (const { address, entries } of postings) {
    if (address === undefined) continue
    for (const { account, amount } of entries) {
      const subWalletId = subWalletOf(account)
      if (subWalletId === null) continue
      const { chain, contract } = account.asset
      const key = JSON.stringify([chain, address, contract])
      const change = changes.get(key) ?? { subWalletId, chain, address, contract: contract ?? '', available: 0n, held: 0n }
      if (change.subWalletId !== subWalletId) throw new LedgerError(`${address} on ${chain} is of one sub-wallet`)
      if (account.kind === 'available') change.available += amount
      else change.held += amount
      changes.set(key, change)
    }
  }
  return [...changes.values()]
}

const rowsOf = (changes: readonly AddressChange[]) => {
  const of = (read: (change: AddressChange) => string | bigint) => changes.map((change) => String(read(change)))
  return sql`unnest(${of(({ chain }) => chain)}::text[], ${of(({ address }) => address)}::text[], ${of(({ contract }) => contract)}::text[],
    ${of(({ subWalletId }) => subWalletId)}::uuid[], ${of(({ available }) => available)}::numeric[], ${of(({ held }) => held)}::numeric[])
    as added (chain, address, contract, sub_wallet_id, available, held)`
}

/** Whether no address would have less than nothing available. Its row is of one sub-wallet, which the posting has locked: nobody changes it meanwhile. */
export function areAddressesCovered(tx: OrganisationTx, changes: readonly AddressChange[]): RawBuilder<boolean> {
  const taking = changes.filter(({ available }) => available < 0n)
  if (taking.length === 0) return sql<boolean>`true`
  return sql<boolean>`not exists (select from ${rowsOf(taking)} left join address_balance own
    on own.org_id = ${tx.orgId} and own.chain = added.chain and own.address = added.address and own.contract = added.contract
    where coalesce(own.available, 0) + added.available < 0)`
}

/** The statement that adds changes to what addresses have, where `isPosted`. */
export function addToAddresses(tx: OrganisationTx, changes: readonly AddressChange[], isPosted: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    insert into address_balance (org_id, chain, address, contract, sub_wallet_id, available, held)
    select ${tx.orgId}::uuid, added.* from ${rowsOf(changes)} where ${isPosted}
    on conflict (org_id, chain, address, contract)
      do update set available = address_balance.available + excluded.available, held = address_balance.held + excluded.held`
}

/** Why a posting was refused, if an address has less available than it takes. */
export async function findAddressShortage(tx: OrganisationTx, posting: Posting): Promise<InsufficientBalanceError | undefined> {
  for (const { subWalletId, chain, address, contract, available } of addressChangesOf([posting])) {
    if (available >= 0n) continue
    const asset = { chain, contract: contract === '' ? null : contract }
    const own = (await addressBalances(tx, [{ chain, address }])).find((each) => each.contract === contract)?.available ?? 0n
    if (own + available < 0n) return new InsufficientBalanceError({ kind: 'available', subWalletId, asset }, own, -available)
  }
  return undefined
}

/** What an address has of an asset, in base units; `held` is what orders hold and what is staked. `contract` is empty for the network's own coin. */
export type AddressBalance = { chain: string; address: string; contract: string; available: bigint; held: bigint }

/** What some addresses have, asset by asset. */
export async function addressBalances(tx: OrganisationTx, places: readonly { chain: string; address: string }[]): Promise<AddressBalance[]> {
  if (places.length === 0) return []
  return askBalances(tx, { orgId: tx.orgId, chains: places.map(({ chain }) => chain), addresses: places.map(({ address }) => address) })
}

const askBalances = writtenOnce(
  (_, { orgId, chains, addresses }: { orgId: string; chains: string[]; addresses: string[] }) => sql<AddressBalance>`
    select own.chain, own.address, own.contract, own.available, own.held
    from unnest(${chains}::text[], ${addresses}::text[]) as asked (chain, address)
    join address_balance own on own.org_id = ${orgId} and own.chain = asked.chain and own.address = asked.address
    where own.available + own.held > 0
    order by own.chain, own.address, own.contract`,
)

/** An address that has something of an asset available, in base units. */
export type FundedAddress = { address: string; subWalletId: string; available: bigint }

/**
 * The addresses that have at least `least` base units of an asset available, the most first, a part at a time: of some sub-wallets, or of all. The next part
 * begins after the last address of the one before, so that whoever goes through a hundred thousand of them holds one part.
 */
export async function fundedAddresses(
  tx: OrganisationTx,
  asked: { asset: LedgerAsset; least: bigint; subWalletIds?: readonly string[]; after?: Pick<FundedAddress, 'address' | 'available'>; limit: number },
): Promise<FundedAddress[]> {
  const { asset, least, subWalletIds, after, limit } = asked
  const { rows } = await sql<FundedAddress>`
    select address, sub_wallet_id as "subWalletId", available from address_balance
    where org_id = ${tx.orgId} and chain = ${asset.chain} and contract = ${asset.contract ?? ''} and available > 0 and available >= ${String(least)}::numeric
      ${subWalletIds ? sql`and sub_wallet_id = any(${[...subWalletIds]}::uuid[])` : sql``}
      ${after ? sql`and (available < ${String(after.available)}::numeric or (available = ${String(after.available)}::numeric and address > ${after.address}))` : sql``}
    order by available desc, address limit ${limit}`.execute(tx)
  return rows
}
