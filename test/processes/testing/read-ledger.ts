import { type Database, openDatabase, type SystemTx } from '@holdfast/db'
import { listCoinAssets } from '../../../features/wallet/contract.ts'
import { assertConserved } from '@holdfast/ledger'
import { nodePorts } from '@holdfast/ports/node'
import { parseAmount } from '@holdfast/units'
import type { TerminalMember } from '../../../apps/launcher/src/terminal-member.ts'
import type { TestStack } from './start-test-stack.ts'

/** Joins the running database beside the server. Closed again before the server stops, which would otherwise leave it running. */
export async function withDatabase<T>({ settings }: Pick<TestStack, 'settings'>, act: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ ports: nodePorts, folder: `${settings.folder}/database`, poolSize: 2 })
  try {
    return await act(db)
  } finally {
    await db.close()
  }
}

/** Throws where a unit was made or lost in any organisation's ledger. */
export async function assertLedger(stack: Pick<TestStack, 'settings'>): Promise<void> {
  await withDatabase(stack, (db) => db.readSnapshot((tx: SystemTx) => assertConserved(tx)))
}

/** What the console says that a sub-wallet holds of a coin, in base units. */
export async function coinHeld(member: TerminalMember, subWalletId: string, symbol = 'ETH'): Promise<{ available: bigint; held: bigint; total: bigint }> {
  const { list } = await member.client.call(listCoinAssets, { sub_wallet_id: subWalletId })
  const coin = list.find((each) => each.symbol === symbol)
  if (!coin) throw new Error(`the sub-wallet has no ${symbol}`)
  const [available, held] = [parseAmount(coin.normal_balance, coin.decimals), parseAmount(coin.lock_balance, coin.decimals)]
  return { available, held, total: available + held }
}
