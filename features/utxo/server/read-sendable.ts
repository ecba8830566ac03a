import type { ServerContext } from '@holdfast/features/context'
import type { Network } from '@holdfast/features/network/server'
import { inscriptionReading } from '@holdfast/features/transfer/server'
import { inscribedCoin } from '@holdfast/intent'
import type { OrganisationId, SubWalletId } from '@holdfast/units'
import { coinNetwork, readCoins } from './read-coins.ts'

/** A transfer inscription that can be sent: what it moves, and the coin it lies on. */
export type Sendable = { inscription: string; ticker: string; amount: bigint; outpoint: string; postage: bigint }

/**
 * Transfer inscriptions of a sub-wallet that can be sent, in the order in which they are asked for: each counts by our own index, has not moved, and lies alone
 * on a final coin that nothing else keeps. Undefined if one of them is another.
 */
export async function readSendable(
  context: Pick<ServerContext, 'db' | 'networks'>,
  orgId: OrganisationId,
  { network, subWalletId, ids }: { network: Network; subWalletId: SubWalletId; ids: readonly string[] },
): Promise<Sendable[] | undefined> {
  const { chain } = network
  const { payer, coins } = await readCoins(context, orgId, { network: coinNetwork(context, chain).network, subWalletId })
  const entries = await context.db.asSystem(async (tx) => {
    if (!(await inscriptionReading(tx, chain))?.isWhole) return []
    return tx
      .selectFrom('brc20_entry')
      .select(['inscription_id', 'kind', 'ticker', 'amount', 'holder'])
      .where('chain', '=', chain)
      .where('inscription_id', 'in', [...ids])
      .execute()
  })
  const sendable = ids.flatMap((inscription): Sendable[] => {
    const outpoint = inscribedCoin({ inscription })
    const coin = coins.find((each) => each.outpoint === outpoint)
    const [aside, ...later] = entries.filter((each) => each.inscription_id === inscription)
    if (!coin || coin.state !== 'inscription' || !coin.isSettled || coin.inscriptionIds.join() !== inscription) return []
    if (aside?.kind !== 'inscribe' || aside.holder !== payer.address || later.length > 0) return []
    return [{ inscription, ticker: aside.ticker, amount: aside.amount, outpoint, postage: coin.amount }]
  })
  return sendable.length === ids.length ? sendable : undefined
}
