import { type Inscribed, type InscriptionMove, movesOf } from '@holdfast/chain-bitcoin/codec'
import type { Block, BlockTransfer, CoinTransaction } from '@holdfast/chain-core'
import { inParts, type Schema, type SystemTx } from '@holdfast/db'
import type { Insertable, Selectable } from 'kysely'
import { inscriptionReading, outputOf } from '@holdfast/features/transfer/server'
import { at, known } from '@holdfast/units'
import { forgetBrc20, indexBrc20, usedTransfers } from './index-brc20.ts'

type Row = Pick<Selectable<Schema['inscribed']>, 'inscription_id' | 'outpoint' | 'place' | 'content_type' | 'size' | 'head' | 'is_cursed'>
type Place = Insertable<Schema['inscribed']>

/** Beginnings of contents that are kept for people to look at. */
const HEAD_MAX_BYTES = 1_024
const CONTENT_TYPE_MAX = 200
/** Blocks for which it is kept where an inscription was before: many times the depth of any reorganisation. */
const GONE_KEPT = 4096n

/**
 * Takes in what a block did to inscriptions, satoshi by satoshi: those it revealed and those it moved, whoever has them. Those that end on an address of any
 * organisation are kept with their coin. Returns the payments in tokens of BRC-20 that they came to, where the blocks were read from early enough to know. In
 * the transaction that takes the block in.
 */
export async function followBlock(tx: SystemTx, block: Block & { chain: string }, nowMs: number): Promise<BlockTransfer[]> {
  if (!block.transactions) return []
  const { chain, height, transactions } = block
  await tx
    .insertInto('inscription_reading')
    .values({ chain, from_height: height })
    .onConflict((conflict) => conflict.column('chain').doNothing())
    .execute()
  const spent = transactions.flatMap(({ inputs }) => inputs.map(({ outpoint }) => outpoint))
  const before = await presentOn(tx, chain, spent)
  const { moves, landed } = walk(before, transactions)
  const isWhole = known(await inscriptionReading(tx, chain), `from where ${chain} is read for inscriptions`).isWhole
  const transfers = isWhole ? await indexBrc20(tx, { chain, height }, moves) : []
  for (const some of inParts(spent)) {
    for (const table of ['inscribed', 'inscription'] as const)
      await tx
        .updateTable(table)
        .set({ gone_height: height })
        .where('chain', '=', chain)
        .where('gone_height', 'is', null)
        .where('outpoint', 'in', some)
        .execute()
  }
  const kept = new Map(before.map((row) => [row.inscription_id, row]))
  const rows = landed.map(({ inscribed, address, coinAmount }) => {
    const { id, outpoint, offset, inscription } = inscribed
    const content = kept.get(id) ?? contentOf(inscribed)
    const { content_type, size, head } = content
    const place: Place = {
      chain,
      inscription_id: id,
      outpoint,
      place: offset,
      content_type,
      size,
      head,
      is_cursed: inscription.isCursed,
      height,
      gone_height: null,
    }
    return { place, address, coinAmount }
  })
  for (const some of inParts(rows)) {
    await tx
      .insertInto('inscribed')
      .values(some.map(({ place }) => place))
      .execute()
  }
  await tx
    .deleteFrom('inscribed')
    .where('chain', '=', chain)
    .where('gone_height', '<', height - GONE_KEPT)
    .execute()
  await keepOwn(tx, chain, rows, nowMs)
  return transfers
}

/** Those that are on addresses of organisations, each for its own. */
async function keepOwn(
  tx: SystemTx,
  chain: string,
  rows: readonly { place: Place; address: string | undefined; coinAmount: bigint }[],
  nowMs: number,
): Promise<void> {
  const owners = await ownersOf(tx, chain, [...new Set(rows.flatMap(({ address }) => address ?? []))])
  const own = rows.flatMap(({ place, address, coinAmount }) =>
    address === undefined ? [] : (owners.get(address) ?? []).map((orgId) => ({ orgId, place, address, coinAmount })),
  )
  if (own.length === 0) return
  const used = await usedTransfers(
    tx,
    chain,
    own.map(({ place }) => place.inscription_id),
  )
  for (const some of inParts(own)) {
    await tx
      .insertInto('inscription')
      .values(
        some.map(({ orgId, place: { inscription_id, outpoint, place, content_type, size, head, height }, address, coinAmount }) => ({
          ...{ org_id: orgId, chain, inscription_id, outpoint, place, content_type, size, head, height, gone_height: null },
          address,
          coin_amount: coinAmount,
          is_used: used.has(inscription_id),
          created_at: nowMs,
        })),
      )
      .execute()
  }
}

/** Forgets what blocks above a height did, which the chain has given up. */
export async function forgetInscriptions(tx: SystemTx, chain: string, height: bigint): Promise<void> {
  for (const table of ['inscribed', 'inscription'] as const) {
    await tx.deleteFrom(table).where('chain', '=', chain).where('height', '>', height).execute()
    await tx.updateTable(table).set({ gone_height: null }).where('chain', '=', chain).where('gone_height', '>', height).execute()
  }
  await forgetBrc20(tx, chain, height)
}

/** What lies on coins that are spent: of everybody, and of organisations also what was followed for them alone before that. */
async function presentOn(tx: SystemTx, chain: string, outpoints: readonly string[]): Promise<Row[]> {
  const rows = new Map<string, Row>()
  for (const some of inParts(outpoints)) {
    const own = await tx
      .selectFrom('inscription')
      .select(['inscription_id', 'outpoint', 'place', 'content_type', 'size', 'head'])
      .where('chain', '=', chain)
      .where('gone_height', 'is', null)
      .where('outpoint', 'in', some)
      .execute()
    for (const row of own) rows.set(row.inscription_id, { ...row, is_cursed: false })
    const all = await tx.selectFrom('inscribed').selectAll().where('chain', '=', chain).where('gone_height', 'is', null).where('outpoint', 'in', some).execute()
    for (const row of all) rows.set(row.inscription_id, row)
  }
  return [...rows.values()]
}

type Landed = { inscribed: Inscribed; address: string | undefined; coinAmount: bigint }
/** A step of an inscription, with the address of where it is now; undefined if that has none. */
export type Step = InscriptionMove & { address: string | undefined }

/** What the transactions of a block do to inscriptions one after another, and where those they touched are in the end. */
function walk(before: readonly Row[], transactions: readonly CoinTransaction[]): { moves: Step[]; landed: Landed[] } {
  const byOutpoint = new Map<string, Landed[]>()
  const put = (landed: Landed) => {
    const { outpoint } = landed.inscribed
    const there = byOutpoint.get(outpoint)
    if (there) there.push(landed)
    else byOutpoint.set(outpoint, [landed])
  }
  for (const row of before) put({ inscribed: inscribedOf(row), address: undefined, coinAmount: 0n })
  const started = new Set(byOutpoint.keys())
  const moves: Step[] = []
  for (const transaction of transactions) {
    const carried = transaction.inputs.flatMap(({ outpoint }) => byOutpoint.get(outpoint) ?? []).map(({ inscribed }) => inscribed)
    for (const { outpoint } of transaction.inputs) byOutpoint.delete(outpoint)
    if (transaction.isCoinbase) continue
    for (const move of movesOf(carried, transaction)) {
      const { id, inscription, now } = move
      const output = now && at(transaction.outputs, outputOf(now.outpoint).index)
      moves.push({ ...move, address: output?.address })
      if (output) put({ inscribed: { id, inscription, ...now }, address: output.address, coinAmount: output.amount })
    }
  }
  return { moves, landed: [...byOutpoint.entries()].flatMap(([outpoint, landed]) => (started.has(outpoint) ? [] : landed)) }
}

function inscribedOf({ inscription_id: id, outpoint, place: offset, content_type: contentType, head: body, is_cursed: isCursed }: Row): Inscribed {
  return { id, outpoint, offset, inscription: { contentType: contentType ?? undefined, body, pointer: undefined, isCursed } }
}

/** What is kept of the content of an inscription that was revealed. */
function contentOf({ inscription: { contentType, body } }: Inscribed): Pick<Row, 'content_type' | 'size' | 'head'> {
  // A database takes no zero in a text, and nobody needs one in a type.
  const type = contentType?.replaceAll('\0', '').slice(0, CONTENT_TYPE_MAX)
  return { content_type: type ?? null, size: BigInt(body.length), head: body.slice(0, HEAD_MAX_BYTES) }
}

async function ownersOf(tx: SystemTx, chain: string, addresses: readonly string[]): Promise<Map<string, string[]>> {
  const owners = new Map<string, string[]>()
  for (const some of inParts(addresses)) {
    const rows = await tx.selectFrom('address').select(['org_id', 'address']).where('chain', '=', chain).where('address', 'in', some).execute()
    for (const { org_id, address } of rows) owners.set(address, [...(owners.get(address) ?? []), org_id])
  }
  return owners
}
