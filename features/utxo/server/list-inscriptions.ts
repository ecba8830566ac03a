import { readBrc20 } from '@holdfast/chain-bitcoin/codec'
import { BRC20_DECIMALS, brc20Asset } from '@holdfast/chain-core'
import type { InputOf } from '@holdfast/contract'
import type { OrganisationTx, Schema, SystemTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { openInscribing, outputOf } from '@holdfast/features/transfer/server'
import { requireSubWallet } from '@holdfast/features/wallet/server'
import { formatAmount, type OrganisationId } from '@holdfast/units'
import type { Selectable } from 'kysely'
import type { listInscriptions as endpoint } from '../contract.ts'

type Needs = Pick<ServerContext, 'db' | 'networks'>
type Row = Pick<Selectable<Schema['inscription']>, 'chain' | 'inscription_id' | 'outpoint' | 'coin_amount' | 'content_type' | 'size' | 'head'>

const PREVIEW_MAX = 200
const TEXT_TYPES = /^(text\/|application\/json(;|$))/

/** A page of the inscriptions on coins of a sub-wallet, the newest first. */
export async function listInscriptions({ db, networks }: Needs, orgId: OrganisationId, asked: InputOf<typeof endpoint>) {
  const rows = await db.asOrganisation(orgId, (tx) => present(tx, asked))
  const made = await db.asOrganisation(orgId, (tx) => madeByOrders(tx, networks, rows))
  const open = await db.asSystem((tx) => openTransfers(tx, rows))
  const views = rows.flatMap((row) => {
    const network = networks.find(row.chain)
    const coin = network?.assets.find((each) => each.contract === null)
    if (!network || !coin) return []
    const ticker = open.get(`${row.chain}/${row.inscription_id}`)
    const token = ticker === undefined ? undefined : network.assets.find(({ contract }) => contract === brc20Asset(ticker))
    const sending = { transferable: ticker !== undefined, send_symbol: token?.symbol ?? null }
    const value = formatAmount(row.coin_amount, coin.decimals)
    return [
      {
        ...inscriptionView(row),
        ...sending,
        chain: row.chain,
        network: network.name,
        symbol: coin.symbol,
        value,
        order_id: row.order_id ?? made.get(row.inscription_id) ?? null,
      },
    ]
  })
  const wanted = views.filter(({ kind }) => asked.kind === undefined || asked.kind === kind)
  return { pageTotal: wanted.length, list: wanted.slice((asked.page_no - 1) * asked.page_size, asked.page_no * asked.page_size) }
}

/** The inscriptions that are on coins of a sub-wallet now and still mean something. */
async function present(tx: OrganisationTx, asked: InputOf<typeof endpoint>) {
  await requireSubWallet(tx, asked.sub_wallet_id)
  return tx
    .selectFrom('inscription')
    .innerJoin('address', (join) =>
      join
        .onRef('address.org_id', '=', 'inscription.org_id')
        .onRef('address.chain', '=', 'inscription.chain')
        .onRef('address.address', '=', 'inscription.address'),
    )
    .leftJoin(openOrderCoins(tx), (join) => join.onRef('named.outpoint', '=', 'inscription.outpoint').onRef('named.chain', '=', 'inscription.chain'))
    .select(['inscription.chain', 'inscription_id', 'inscription.outpoint', 'coin_amount', 'content_type', 'size', 'head', 'named.order_id'])
    .where('inscription.org_id', '=', tx.orgId)
    .where('address.sub_wallet_id', '=', asked.sub_wallet_id)
    .where('gone_height', 'is', null)
    .where('is_used', '=', false)
    .where((row) => row.and(asked.chain === undefined ? [] : [row('inscription.chain', '=', asked.chain)]))
    .orderBy('inscription.height', 'desc')
    .orderBy('inscription_id')
    .execute()
}

/** The open orders that made some inscriptions and send them on, by inscription: they stand on our address only between two blocks. */
async function madeByOrders(tx: OrganisationTx, networks: Needs['networks'], rows: readonly Pick<Row, 'chain'>[]): Promise<Map<string, string>> {
  const made = new Map<string, string>()
  for (const chain of new Set(rows.map((row) => row.chain))) {
    const network = networks.find(chain)
    for (const { inscription, orderId } of network ? await openInscribing(tx, network) : []) if (inscription !== null) made.set(inscription, orderId)
  }
  return made
}

/** Which of these are BRC-20 transfers that count and were not sent yet, by chain and id, each with its ticker. */
async function openTransfers(tx: SystemTx, rows: readonly Pick<Row, 'chain' | 'inscription_id'>[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const ids = [...new Set(rows.map((row) => row.inscription_id))]
  const entries = await tx.selectFrom('brc20_entry').select(['chain', 'inscription_id', 'kind', 'ticker']).where('inscription_id', 'in', ids).execute()
  const nameOf = (entry: Pick<Row, 'chain' | 'inscription_id'>) => `${entry.chain}/${entry.inscription_id}`
  const open = new Map(entries.filter(({ kind }) => kind === 'inscribe').map((entry) => [nameOf(entry), entry.ticker]))
  for (const entry of entries) if (entry.kind === 'send') open.delete(nameOf(entry))
  return open
}

function openOrderCoins(tx: OrganisationTx) {
  return tx
    .selectFrom('order_coin')
    .innerJoin('transfer_order', (join) => join.onRef('transfer_order.org_id', '=', 'order_coin.org_id').onRef('transfer_order.id', '=', 'order_coin.order_id'))
    .select(['order_coin.order_id', 'order_coin.outpoint', 'transfer_order.chain'])
    .where('order_coin.org_id', '=', tx.orgId)
    .where('transfer_order.is_final', '=', false)
    .as('named')
}

/** An inscription as it is told of: its type and size, and of a text its beginning. Everything in it is a stranger's. */
export function inscriptionView(row: Row) {
  const { txid, index } = outputOf(row.outpoint)
  const operation = brc20Of(row)
  const contentType = row.content_type ?? ''
  return {
    inscription_id: row.inscription_id,
    kind: operation ? ('brc20' as const) : ('ordinal' as const),
    content_type: row.content_type,
    size: String(row.size),
    preview: TEXT_TYPES.test(contentType) ? [...new TextDecoder().decode(row.head)].slice(0, PREVIEW_MAX).join('') : null,
    preview_url: null,
    operation: operation?.op ?? null,
    tick: operation?.ticker ?? null,
    amount: operation ? formatAmount(operation.op === 'deploy' ? operation.max : operation.amount, BRC20_DECIMALS) : null,
    txid,
    vout: index,
    locked: true as const,
  }
}

function brc20Of({ content_type: contentType, head, size }: Row) {
  return size === BigInt(head.length) ? readBrc20({ contentType: contentType ?? undefined, body: head }) : undefined
}
