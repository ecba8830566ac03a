import { AppError } from '@holdfast/contract'
import { byForm, countsWrittenOnce, type OrganisationTx, writtenOnce } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { at } from '@holdfast/units'
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
/** Where a part of a list begins: after this address, or after this comment of a shared one. */
export type Place = { chain: string; number: number; comment: string | null }
/** So many rows at most: from one of them on, counted from 0, or those that follow on a place. */
export type Part = { limit: number } & ({ offset: number } | { after: Place })

export type AddressRow = {
  chain: string
  address: string
  subWalletId: string
  number: number
  addr_type: number
  comment: string | null
  label: string | null
  path: number[]
  created_at: bigint
  /** On its network somebody else may sign for it. */
  isTaken: boolean
  last_in_at: bigint | null
  /** What it has of each coin, in base units; nothing of what it has none of. `contract` is empty for the network's own coin. */
  balances: { contract: string; available: string; held: string }[]
}

/**
 * Addresses of a sub-wallet in the order of network and number, and the comments of shared ones, the newest first. With `byComment` a shared address stands there
 * once for each of its comments.
 */
export async function readAddresses(tx: OrganisationTx, networks: Networks, asked: Narrowing & { byComment: boolean } & Part): Promise<AddressRow[]> {
  const chains = chainsOf(networks, asked)
  if (chains.length === 0) return []
  const from = 'after' in asked ? asked.after : undefined
  const after = from && (from.comment === null ? ('address' as const) : ('comment' as const))
  return askAddresses({ ...formOf(networks, asked, chains), after, byComment: asked.byComment })(tx, {
    ...valuesOf(tx, networks, asked, chains),
    ...(from && { afterChain: from.chain, afterNumber: from.number, afterComment: from.comment }),
    limit: asked.limit,
    offset: 'after' in asked ? 0 : asked.offset,
  })
}

/** A place as programs are given it, to begin the next part there. */
export const placeText = ({ chain, number, comment }: Place): string => [chain, number, ...(comment === null ? [] : [comment])].join(' ')

/** The place that `placeText` wrote. Throws AppError. */
export function readPlace(text: string): Place {
  const [, chain, number, comment] = /^(\S+) ([0-9]{1,9})(?: (\S+))?$/.exec(text) ?? []
  if (chain === undefined) throw new AppError('invalid_parameters', { details: { field: 'after', reason: 'give what the part before says as next' } })
  return { chain, number: Number(number), comment: comment ?? null }
}

type Window = { afterChain?: string; afterNumber?: number; afterComment?: string | null; limit: number; offset: number }

// What is asked of each row is asked of the rows of the page alone, however deep it lies.
const askAddresses = byForm((form: Form & { after: 'address' | 'comment' | undefined; byComment: boolean }) =>
  writtenOnce(
    (_, given: Values & Window) => sql<AddressRow>`
    select page.*, (
        select max(deposit.created_at) from deposit
        where deposit.org_id = ${given.orgId} and deposit.chain = page.chain and deposit.address = page.address and deposit.state <> 'reversed'
          and (page.comment is null or ${normalColumn('deposit.memo')} = page.comment or exists (
            select from deposit_claim c where c.org_id = deposit.org_id and c.deposit_id = deposit.id and c.comment = page.comment and c.state = 'confirmed'))
      ) as last_in_at, (
        select coalesce(json_agg(json_build_object('contract', own.contract, 'available', own.available::text, 'held', own.held::text) order by own.contract), '[]')
        from address_balance own
        where own.org_id = ${given.orgId} and own.chain = page.chain and own.address = page.address and own.available + own.held > 0
      ) as balances, exists (
        select from asset_alarm alarm where alarm.org_id = ${given.orgId} and alarm.chain = page.chain and alarm.place = page.address
          and alarm.cause = 'control' and alarm.over_at is null
      ) as "isTaken"
    from (
      select address.chain, address.address, address.sub_wallet_id as "subWalletId", address.number, address.addr_type, comment.comment,
        case when comment.comment is null then address.label else comment.label end as label, address.path, address.created_at,
        comment.created_at as comment_at
      from address
      left join deposit_comment comment on ${sql.lit(form.byComment)} and comment.org_id = address.org_id and comment.chain = address.chain
        and comment.address = address.address
      where ${conditionOf(form, given)}
        ${form.after ? sql`and ((address.chain, address.number) > (${given.afterChain}, ${given.afterNumber}::int) or ${later(form.after, given)})` : sql``}
      order by address.chain, address.number, comment.created_at desc, comment.comment
      limit ${given.limit} offset ${given.offset}
    ) page
    order by page.chain, page.number, page.comment_at desc, page.comment`,
  ),
)

/** The comments of the same address that stand behind the one at which the part before ended. */
function later(after: 'address' | 'comment', { afterChain, afterNumber, afterComment }: Window) {
  if (after === 'address') return sql<boolean>`false`
  return sql<boolean>`((address.chain, address.number) = (${afterChain}, ${afterNumber}::int) and exists (
    select from deposit_comment former where former.org_id = comment.org_id and former.chain = comment.chain and former.address = comment.address
      and former.comment = ${afterComment}
      and (former.created_at > comment.created_at or former.created_at = comment.created_at and former.comment < comment.comment)
  ))`
}

/** How many rows the pages of a list have together. Addresses stay, so those that were counted once are not counted again. */
export async function countAddresses(tx: OrganisationTx, networks: Networks, asked: Narrowing): Promise<number> {
  const chains = chainsOf(networks, asked)
  if (chains.length === 0) return 0
  const isWhole = asked.state === 'all' && (asked.keyword?.trim() ?? '') === ''
  const key = isWhole ? `addresses ${asked.subWalletId} ${asked.addrType ?? ''} ${chains.join(' ')}` : undefined
  const counts = await askCounts(formOf(networks, asked, chains))(tx, asked.nowMs, valuesOf(tx, networks, asked, chains), [key, undefined])
  const [addresses, comments] = [at(counts, 0), at(counts, 1)]
  // A shared address, of which a sub-wallet has few, has a row for each of its comments.
  return [...comments.values()].reduce((sum, count) => sum + count - 1, addresses.get('') ?? 0)
}

const askCounts = byForm((form: Form) =>
  countsWrittenOnce((given: Values) => {
    const where = conditionOf(form, given)
    return [
      { from: sql`address left join (select null::text as comment, null::text as label) comment on true`, where, staysSince: sql`address.created_at` },
      {
        from: sql`deposit_comment comment
          join address on address.org_id = comment.org_id and address.chain = comment.chain and address.address = comment.address`,
        where,
        group: sql`concat_ws(' ', address.chain, address.address)`,
      },
    ]
  }),
)

function chainsOf(networks: Networks, { chain, symbol }: Narrowing): string[] {
  const withSymbol = networks.list().filter(({ assets }) => symbol === undefined || assets.some((asset) => asset.symbol === symbol))
  return withSymbol.map((network) => network.chain).filter((each) => chain === undefined || each === chain)
}

/** What the words of the questions depend on. */
type Form = { state: Narrowing['state']; hasType: boolean; isFound: 'whole' | 'by a part' | undefined }
type Values = { orgId: string; subWalletId: string; chains: readonly string[]; addrType: number | undefined; word: string; whole: readonly string[] }

function wholeOf(networks: Networks, { keyword = '' }: Narrowing, chains: readonly string[]): string[] {
  const word = keyword.trim()
  return word === '' ? [] : chains.flatMap((chain) => networks.find(chain)?.codec.canonicalAddress(word) ?? [])
}

function formOf(networks: Networks, asked: Narrowing, chains: readonly string[]): Form {
  const { state, addrType, keyword = '' } = asked
  const isFound = keyword.trim() === '' ? undefined : wholeOf(networks, asked, chains).length > 0 ? 'whole' : 'by a part'
  return { state, hasType: addrType !== undefined, isFound }
}

const valuesOf = (tx: OrganisationTx, networks: Networks, asked: Narrowing, chains: readonly string[]): Values => ({
  orgId: tx.orgId,
  subWalletId: asked.subWalletId,
  chains,
  addrType: asked.addrType,
  word: (asked.keyword ?? '').trim().toLowerCase(),
  whole: wholeOf(networks, asked, chains),
})

/** A whole address is looked up; any other word is looked for in addresses and labels. */
function conditionOf({ state, hasType, isFound }: Form, { orgId, subWalletId, chains, addrType, word, whole }: Values) {
  const texts = sql`lower(concat_ws(' ', address.address, comment.comment, case when comment.comment is null then address.label else comment.label end))`
  const named = isFound === 'whole' ? sql`and address.address = any(${whole}::text[])` : sql`and position(${word} in ${texts}) > 0`
  const has = sql`select from address_balance own where own.org_id = address.org_id and own.chain = address.chain and own.address = address.address`
  const states = {
    all: sql``,
    used: sql`and exists (${has})`,
    unused: sql`and not exists (${has})`,
    funded: sql`and exists (${has} and own.available + own.held > 0)`,
  }
  return sql<boolean>`address.org_id = ${orgId} and address.sub_wallet_id = ${subWalletId} and address.chain = any(${chains}::text[])
    ${hasType ? sql`and address.addr_type = ${addrType}::smallint` : sql``} ${isFound === undefined ? sql`` : named} ${states[state]}`
}
