import { countKept, type OrganisationTx } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { sql } from 'kysely'
import { normalColumn } from '../deposit-comments.ts'

/** Which addresses of a sub-wallet are wanted. Used is one that money ever came to; funded one that has some now. */
export type Narrowing = {
  subWalletId: string
  chain?: string | undefined
  symbol?: string | undefined
  keyword?: string | undefined
  state: 'all' | 'unused' | 'used' | 'funded'
  addrType?: number | undefined
  nowMs: number
}
export type Page = { page: number; pageSize: number }
/** Where a part of a list begins: after this address. */
export type Place = { chain: string; number: number }

export type AddressRow = {
  chain: string
  address: string
  subWalletId: string
  number: number
  addr_type: number
  comment: string | null
  label: string | null
  path: number[]
  attestations: unknown
  created_at: bigint
  last_in_at: bigint | null
  /** What it has of each coin, in base units; nothing of what it has none of. `contract` is empty for the network's own coin. */
  balances: { contract: string; available: string; held: string }[]
}

/**
 * Addresses of a sub-wallet in the order of network and number, and the comments of shared ones, the newest first: a page of them, or `pageSize` that follow
 * on `after`. With `byComment` a shared address stands there once for each of its comments.
 */
export async function readAddresses(
  tx: OrganisationTx,
  networks: Networks,
  asked: Narrowing & { byComment: boolean; pageSize: number } & ({ page: number } | { after: Place | undefined }),
): Promise<AddressRow[]> {
  const chains = chainsOf(networks, asked)
  if (chains.length === 0) return []
  const from = 'page' in asked ? undefined : asked.after
  const offset = 'page' in asked ? (asked.page - 1) * asked.pageSize : 0
  // What is asked of each row is asked of the rows of the page alone, however deep it lies.
  const { rows } = await sql<AddressRow>`
    select page.*, (
        select max(deposit.created_at) from deposit
        where deposit.org_id = ${tx.orgId} and deposit.chain = page.chain and deposit.address = page.address and deposit.state <> 'reversed'
          and (page.comment is null or ${normalColumn('deposit.memo')} = page.comment or exists (
            select from deposit_claim c where c.org_id = deposit.org_id and c.deposit_id = deposit.id and c.comment = page.comment and c.state = 'confirmed'))
      ) as last_in_at, (
        select coalesce(json_agg(json_build_object('contract', own.contract, 'available', own.available::text, 'held', own.held::text) order by own.contract), '[]')
        from address_balance own
        where own.org_id = ${tx.orgId} and own.chain = page.chain and own.address = page.address and own.available + own.held > 0
      ) as balances
    from (
      select address.chain, address.address, address.sub_wallet_id as "subWalletId", address.number, address.addr_type, comment.comment,
        case when comment.comment is null then address.label else comment.label end as label, address.path, address.attestations, address.created_at,
        comment.created_at as comment_at
      from address
      left join deposit_comment comment on ${asked.byComment} and comment.org_id = address.org_id and comment.chain = address.chain
        and comment.address = address.address
      where ${conditionOf(tx, networks, asked, chains)}
        ${from ? sql`and (address.chain, address.number) > (${from.chain}, ${from.number}::int)` : sql``}
      order by address.chain, address.number, comment.created_at desc, comment.comment
      limit ${asked.pageSize} offset ${offset}
    ) page
    order by page.chain, page.number, page.comment_at desc, page.comment`.execute(tx)
  return rows
}

/** How many rows the pages of a list have together. Addresses stay, so those that were counted once are not counted again. */
export async function countAddresses(tx: OrganisationTx, networks: Networks, asked: Narrowing): Promise<number> {
  const chains = chainsOf(networks, asked)
  if (chains.length === 0) return 0
  const isWhole = asked.state === 'all' && (asked.keyword?.trim() ?? '') === ''
  const where = sql<boolean>`${conditionOf(tx, networks, asked, chains)}`
  const counting = countKept(tx, asked.nowMs, {
    key: isWhole ? `addresses ${asked.subWalletId} ${asked.addrType ?? ''} ${chains.join(' ')}` : undefined,
    from: sql`address left join (select null::text as comment, null::text as label) comment on true`,
    where,
    staysSince: sql`address.created_at`,
  })
  // A shared address has a row for each comment.
  const more = sql<{ count: bigint }>`
    select count(*) - count(distinct (address.chain, address.address)) as count
    from deposit_comment comment join address on address.org_id = comment.org_id and address.chain = comment.chain and address.address = comment.address
    where comment.org_id = ${tx.orgId} and ${where}`.execute(tx)
  const [counts, { rows }] = await Promise.all([counting, more])
  return (counts.get('') ?? 0) + Number(rows[0]?.count ?? 0)
}

function chainsOf(networks: Networks, { chain, symbol }: Narrowing): string[] {
  const withSymbol = networks.list().filter(({ assets }) => symbol === undefined || assets.some((asset) => asset.symbol === symbol))
  return withSymbol.map((network) => network.chain).filter((each) => chain === undefined || each === chain)
}

/** A whole address is looked up; any other word is looked for in addresses and labels. */
function conditionOf(tx: OrganisationTx, networks: Networks, asked: Narrowing, chains: readonly string[]) {
  const word = asked.keyword?.trim() ?? ''
  const whole = chains.flatMap((chain) => networks.find(chain)?.codec.canonicalAddress(word) ?? [])
  const texts = sql`lower(concat_ws(' ', address.address, comment.comment, case when comment.comment is null then address.label else comment.label end))`
  const named = whole.length > 0 ? sql`and address.address = any(${whole}::text[])` : sql`and position(${word.toLowerCase()} in ${texts}) > 0`
  const has = sql`select from address_balance own where own.org_id = address.org_id and own.chain = address.chain and own.address = address.address`
  const states = {
    all: sql``,
    used: sql`and exists (${has})`,
    unused: sql`and not exists (${has})`,
    funded: sql`and exists (${has} and own.available + own.held > 0)`,
  }
  return sql`address.org_id = ${tx.orgId} and address.sub_wallet_id = ${asked.subWalletId} and address.chain = any(${[...chains]}::text[])
    ${asked.addrType === undefined ? sql`` : sql`and address.addr_type = ${asked.addrType}::smallint`} ${word === '' ? sql`` : named} ${states[asked.state]}`
}
