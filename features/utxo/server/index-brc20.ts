import { applyBrc20, type Brc20Event, type Brc20Holding, type Brc20Token, readBrc20 } from '@holdfast/chain-bitcoin/codec'
import { BRC20_DECIMALS, type BlockTransfer, brc20Asset } from '@holdfast/chain-core'
import type { Database, SystemTx } from '@holdfast/db'
import { brc20Holding } from '@holdfast/features/transfer/server'
import { known } from '@holdfast/units'
import { sql } from 'kysely'
import type { Step } from './follow-block.ts'

type Place = { chain: string; height: bigint }
type Known = { event: Brc20Event; ticker: string }

/** Payments in tokens are told apart from those in coin by their numbers within a transaction: no transaction has so many outputs. */
const FIRST_INDEX = 1 << 24

/**
 * Takes in what a block's inscriptions do to balances of BRC-20, in their order, and returns the payments they come to. Only what ord counts as no curse is
 * looked at, and of a transfer its first move alone.
 */
export async function indexBrc20(tx: SystemTx, { chain, height }: Place, steps: readonly Step[]): Promise<BlockTransfer[]> {
  const transfers: BlockTransfer[] = []
  const numbers = new Map<string, number>()
  for (const [place, step] of steps.entries()) {
    const found = step.inscription.isCursed ? undefined : await eventOf(tx, chain, step)
    if (!found) continue
    const { event, ticker } = found
    const view = await viewOf(tx, chain, found)
    const effect = applyBrc20(event, view)
    if (!effect) continue
    if (effect.kind === 'deploy') {
      const { max, limit: per_mint, decimals } = known(effect.token, `the token ${ticker} that is deployed`)
      await tx.insertInto('brc20_token').values({ chain, ticker, inscription_id: step.id, max, per_mint, decimals, height }).execute()
      continue
    }
    const entry = { chain, height, place, kind: effect.kind, ticker, inscription_id: step.id, amount: effect.amount, minted: effect.token?.minted ?? null }
    // A mint to a script without an address is nobody's, and counts in the supply all the same.
    const holdings = effect.holdings.length > 0 ? effect.holdings : [{ holder: '', holding: { available: 0n, transferable: 0n } }]
    await tx
      .insertInto('brc20_entry')
      .values(holdings.map(({ holder, holding }) => ({ ...entry, holder, ...holding })))
      .execute()
    if (!effect.moved) continue
    const { from, to } = effect.moved
    const number = numbers.get(step.txid) ?? 0
    numbers.set(step.txid, number + 1)
    const asset = { chain, contract: brc20Asset(ticker) }
    transfers.push({ txid: step.txid, index: FIRST_INDEX + number, asset, from: from ?? '', to, amount: effect.amount })
  }
  return transfers
}

/** What a step of an inscription is for BRC-20, or undefined if it is nothing. */
async function eventOf(tx: SystemTx, chain: string, step: Step): Promise<Known | undefined> {
  const { from, address: to, now } = step
  const isLost = now === undefined
  if (from === null) {
    const operation = readBrc20(step.inscription)
    return operation && { event: { kind: 'reveal', operation, to, isLost }, ticker: operation.ticker }
  }
  const rows = await tx
    .selectFrom('brc20_entry')
    .select(['kind', 'ticker', 'amount', 'holder'])
    .where('chain', '=', chain)
    .where('inscription_id', '=', step.id)
    .execute()
  const aside = rows.find(({ kind }) => kind === 'inscribe')
  if (!aside || rows.some(({ kind }) => kind === 'send')) return undefined
  const { ticker, amount, holder } = aside
  return { event: { kind: 'send', ticker, amount, from: holder, to, isLost }, ticker }
}

/** How things are for an event: its token, and what those whom it concerns have of it. */
async function viewOf(tx: SystemTx, chain: string, { event, ticker }: Known) {
  const holders = [event.to, event.kind === 'send' ? event.from : undefined].filter((each) => each !== undefined)
  const holdings = new Map<string, Brc20Holding>()
  for (const holder of holders) holdings.set(holder, await brc20Holding(tx, { chain, ticker, holder }))
  return { token: await brc20Token(tx, chain, ticker), holdingOf: (holder: string) => known(holdings.get(holder), `what ${holder} has of ${ticker}`) }
}

/** A token as it was deployed in a block that was read, with what was minted of it. */
export async function brc20Token(tx: SystemTx, chain: string, ticker: string): Promise<Brc20Token | undefined> {
  const row = await tx.selectFrom('brc20_token').selectAll().where('chain', '=', chain).where('ticker', '=', ticker).executeTakeFirst()
  if (!row) return undefined
  const last = await tx
    .selectFrom('brc20_entry')
    .select('minted')
    .where('chain', '=', chain)
    .where('ticker', '=', ticker)
    .where('kind', '=', 'mint')
    .orderBy('height', 'desc')
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { max: row.max, limit: row.per_mint, decimals: row.decimals, minted: last?.minted ?? 0n }
}

/** How many digits amounts of a token have behind their point at most. Of one that nobody deployed, as many as the standard allows. */
export async function brc20Decimals(db: Database, chain: string, ticker: string): Promise<number> {
  return (await db.asSystem((tx) => brc20Token(tx, chain, ticker)))?.decimals ?? BRC20_DECIMALS
}

/** Which of these inscriptions are BRC-20 transfers that have moved, so that nothing hangs on them any more. */
export async function usedTransfers(tx: SystemTx, chain: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('brc20_entry')
    .select('inscription_id')
    .where('chain', '=', chain)
    .where('kind', '=', 'send')
    .where(sql<boolean>`inscription_id = any(${ids}::text[])`)
    .execute()
  return new Set(rows.map((row) => row.inscription_id))
}

/** Forgets what blocks above a height did, which the chain has given up. */
export async function forgetBrc20(tx: SystemTx, chain: string, height: bigint): Promise<void> {
  await tx.deleteFrom('brc20_entry').where('chain', '=', chain).where('height', '>', height).execute()
  await tx.deleteFrom('brc20_token').where('chain', '=', chain).where('height', '>', height).execute()
}
