import { followInscriptions, type Inscribed } from '@holdfast/chain-bitcoin/codec'
import type { Block, CoinTransaction } from '@holdfast/chain-core'
import type { SystemTx } from '@holdfast/db'
import type { Selectable } from 'kysely'
import type { Schema } from '@holdfast/db'

type Row = Selectable<Schema['inscription']>

/** Beginnings of contents that are kept; all that BRC-20 needs. */
const HEAD_MAX_BYTES = 1_024
const CONTENT_TYPE_MAX = 200
const AT_ONCE = 5_000

/**
 * Takes in what a block did to inscriptions: those it revealed, and those on coins of ours that it moved, satoshi by satoshi. Those that end on an address of
 * any organisation are kept with their coin; that their coin is gone is kept of the others. In the transaction that takes the block in.
 */
export async function followBlock(tx: SystemTx, block: Block & { chain: string }, nowMs: number): Promise<void> {
  if (!block.transactions) return
  const { chain, height, transactions } = block
  const before = await presentOn(
    tx,
    chain,
    transactions.flatMap(({ inputs }) => inputs.map(({ outpoint }) => outpoint)),
  )
  const after = moved(before, transactions)
  for (const { org_id, inscription_id, outpoint } of before) {
    await tx
      .updateTable('inscription')
      .set({ gone_height: height })
      .where('org_id', '=', org_id)
      .where('chain', '=', chain)
      .where('inscription_id', '=', inscription_id)
      .where('outpoint', '=', outpoint)
      .execute()
  }
  if (after.length === 0) return
  const owners = await ownersOf(tx, chain, [...new Set(after.map(({ address }) => address))])
  const known = new Map(before.map((row) => [row.inscription_id, row]))
  for (const each of after) {
    const content = contentOf(each.inscribed, known.get(each.inscribed.id))
    for (const orgId of owners.get(each.address) ?? []) {
      await tx
        .insertInto('inscription')
        .values({
          org_id: orgId,
          chain,
          inscription_id: each.inscribed.id,
          outpoint: each.inscribed.outpoint,
          place: each.inscribed.offset,
          address: each.address,
          coin_amount: each.coinAmount,
          ...content,
          height,
          gone_height: null,
          created_at: nowMs,
        })
        .execute()
    }
  }
}

/** Forgets what blocks above a height did, which the chain has given up. */
export async function forgetInscriptions(tx: SystemTx, chain: string, height: bigint): Promise<void> {
  await tx.deleteFrom('inscription').where('chain', '=', chain).where('height', '>', height).execute()
  await tx.updateTable('inscription').set({ gone_height: null }).where('chain', '=', chain).where('gone_height', '>', height).execute()
}

async function presentOn(tx: SystemTx, chain: string, outpoints: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  for (let from = 0; from < outpoints.length; from += AT_ONCE) {
    const some = outpoints.slice(from, from + AT_ONCE)
    rows.push(
      ...(await tx.selectFrom('inscription').selectAll().where('chain', '=', chain).where('gone_height', 'is', null).where('outpoint', 'in', some).execute()),
    )
  }
  return rows
}

type Landed = { inscribed: Inscribed; address: string; coinAmount: bigint }

/** Where inscriptions are after the transactions of a block, those that they moved or revealed, as far as that is an address. */
function moved(before: readonly Row[], transactions: readonly CoinTransaction[]): Landed[] {
  const byOutpoint = new Map<string, Landed[]>()
  const put = (landed: Landed) => byOutpoint.set(landed.inscribed.outpoint, [...(byOutpoint.get(landed.inscribed.outpoint) ?? []), landed])
  const unique = new Map(before.map((row) => [row.inscription_id, row]))
  for (const row of unique.values()) put({ inscribed: inscribedOf(row), address: row.address, coinAmount: row.coin_amount })
  const started = new Set(byOutpoint.keys())
  for (const transaction of transactions) {
    const carried = transaction.inputs.flatMap(({ outpoint }) => byOutpoint.get(outpoint) ?? []).map(({ inscribed }) => inscribed)
    const { inscribed } = followInscriptions(carried, transaction)
    for (const { outpoint } of transaction.inputs) byOutpoint.delete(outpoint)
    for (const each of inscribed) {
      const output = transaction.outputs[Number(each.outpoint.slice(each.outpoint.indexOf(':') + 1))]!
      if (output.address !== undefined) put({ inscribed: each, address: output.address, coinAmount: output.amount })
    }
  }
  return [...byOutpoint.entries()].flatMap(([outpoint, landed]) => (started.has(outpoint) ? [] : landed))
}

function inscribedOf({ inscription_id: id, outpoint, place: offset, content_type: contentType, head: body }: Row): Inscribed {
  return { id, outpoint, offset, inscription: { contentType: contentType ?? undefined, body, pointer: undefined } }
}

/** What is kept of a content: of one that was revealed its beginning, of one that moved what was kept before. */
function contentOf({ inscription: { contentType, body } }: Inscribed, known: Row | undefined): Pick<Row, 'content_type' | 'size' | 'head'> {
  if (known) return { content_type: known.content_type, size: known.size, head: known.head }
  // A database takes no zero in a text, and nobody needs one in a type.
  const type = contentType?.replaceAll('\0', '').slice(0, CONTENT_TYPE_MAX)
  return { content_type: type ?? null, size: BigInt(body.length), head: body.slice(0, HEAD_MAX_BYTES) }
}

async function ownersOf(tx: SystemTx, chain: string, addresses: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await tx.selectFrom('address').select(['org_id', 'address']).where('chain', '=', chain).where('address', 'in', addresses).execute()
  const owners = new Map<string, string[]>()
  for (const { org_id, address } of rows) owners.set(address, [...(owners.get(address) ?? []), org_id])
  return owners
}
