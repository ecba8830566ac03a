import { beginsWith, idBeginsWith, type OrganisationTx, patternOf } from '@holdfast/db'
import { openView, readTransactions, type Viewer } from '@holdfast/features/transaction/server'
import { type RawBuilder, sql } from 'kysely'

type Found = Parameters<typeof readTransactions>[1][number]

/** In so many of the newest orders a word is looked for anywhere in their remarks; in older ones at the beginning, which an index knows. */
export const NEWEST_REMARKS = 10_000

const ID_PART = /^[0-9a-f-]{6,36}$/i
const HEX = /^(?:0x)?([0-9a-f]{6,64})$/i
/** A transaction id, as the chains here write one: hexadecimal, or the base64 of TON. */
const TXID_PART = /^(?:0x)?[0-9a-z+/=_-]{6,128}$/i
const WHOLE_HASH = 64

/**
 * The queries that find transactions by a word: by the beginning of their id, of the hash of their order and of the transaction on the chain, and by
 * their remark. Each reads a stretch of an index, however many others there are.
 */
export function searchQueries({ orgId }: Pick<OrganisationTx, 'orgId'>, chains: readonly string[], word: string, most: number): RawBuilder<Found>[] {
  const of = (type: Found['type'], table: string, where: RawBuilder<unknown>) =>
    sql<Found>`(select ${sql.lit(type)} as type, t.id, t.created_at from ${sql.table(table)} t where t.org_id = ${orgId} and ${where} limit ${most})`
  const queries: RawBuilder<Found>[] = []
  if (ID_PART.test(word)) {
    const isIt = idBeginsWith('t.id', word.replaceAll('-', '').toLowerCase())
    queries.push(of('withdraw', 'transfer_order', isIt), of('deposit', 'deposit', isIt), of('deposit', 'waiting_deposit', isIt), of('pull', 'token_pull', isIt))
  }
  const digits = HEX.exec(word)?.[1]?.toLowerCase()
  if (digits !== undefined) {
    const [from, until] = [Buffer.from(digits.padEnd(WHOLE_HASH, '0'), 'hex'), Buffer.from(digits.padEnd(WHOLE_HASH, 'f'), 'hex')]
    queries.push(of('withdraw', 'transfer_order', sql`t.intent_hash >= ${from} and t.intent_hash <= ${until}`))
  }
  if (TXID_PART.test(word)) {
    const spellings = digits === undefined ? [word] : [digits, `0x${digits}`]
    for (const text of spellings) {
      const onChain = sql`t.chain = any(${[...chains]}::text[]) and ${beginsWith('t.txid', text)}`
      const made = sql`t.id in (select m.order_id from order_transaction m where m.org_id = ${orgId} and ${beginsWith('m.txid', text)} limit ${most})`
      queries.push(of('withdraw', 'transfer_order', made), of('deposit', 'deposit', beginsWith('t.txid', text)))
      queries.push(of('deposit', 'waiting_deposit', sql`t.state <> 'in_block' and ${onChain}`), of('pull', 'token_pull', onChain))
    }
  }
  for (const text of casesOf(word)) queries.push(of('withdraw', 'transfer_order', sql`t.remark <> '' and ${beginsWith('t.remark', text)}`))
  queries.push(sql<Found>`(select 'withdraw' as type, n.id, n.created_at from (select t.id, t.created_at, t.remark from transfer_order t where t.org_id = ${orgId}
    order by t.created_at desc, t.id desc limit ${NEWEST_REMARKS}) n where lower(n.remark) like lower(${patternOf(word)}) limit ${most})`)
  return queries
}

/** A word as people begin a remark with it. */
const casesOf = (word: string) => [...new Set([word, word.toLowerCase(), word.toUpperCase(), `${word.charAt(0).toUpperCase()}${word.slice(1)}`])]

/** Transactions that a word is about, the newest first, as lists show them. */
export async function searchTransactions(viewer: Viewer, word: string, most: number) {
  const chains = viewer.networks.list().map(({ chain }) => chain)
  const view = await openView(viewer)
  const { rows } =
    await sql<Found>`select distinct type, id, created_at from (${sql.join(searchQueries(viewer.tx, chains, word, most), sql` union all `)}) found
    order by created_at desc, id desc limit ${most}`.execute(viewer.tx)
  return readTransactions(view, rows)
}
