import type { ServerContext } from '@holdfast/features/context'
import type { Network } from '@holdfast/features/network/server'
import { inscriptionReading } from '@holdfast/features/transfer/server'
import { inscribedCoin } from '@holdfast/intent'
import { coinNetwork, readCoins } from './read-coins.ts'

/** A transfer inscription that can be sent: what it moves, and the coin it lies on. */
export type Sendable = { ticker: string; amount: bigint; outpoint: string; postage: bigint }

/**
 * A transfer inscription of a sub-wallet that can be sent: it counts by our own index, has not moved, and lies alone on a final coin that nothing else keeps.
 * Undefined for every other.
 */
export async function readSendable(
  context: Pick<ServerContext, 'db' | 'networks'>,
  orgId: string,
  { network, subWalletId, id }: { network: Network; subWalletId: string; id: string },
): Promise<Sendable | undefined> {
  const { chain } = network
  const { payer, coins } = await readCoins(context, orgId, { network: coinNetwork(context, chain).network, subWalletId })
  const outpoint = inscribedCoin({ inscription: id })
  const coin = coins.find((each) => each.outpoint === outpoint)
  if (!coin || coin.state !== 'inscription' || !coin.isSettled || coin.inscriptionIds.join() !== id) return undefined
  const entries = await context.db.asSystem(async (tx) => {
    if (!(await inscriptionReading(tx, chain))?.isWhole) return []
    return tx.selectFrom('brc20_entry').select(['kind', 'ticker', 'amount', 'holder']).where('chain', '=', chain).where('inscription_id', '=', id).execute()
  })
  const [aside, ...later] = entries
  if (aside?.kind !== 'inscribe' || aside.holder !== payer.address || later.length > 0) return undefined
  return { ticker: aside.ticker, amount: aside.amount, outpoint, postage: coin.amount }
}
