import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { networkErrors } from '@holdfast/features/network/errors'
import type { Networks } from '@holdfast/features/network/server'
import { requireSubWallet } from '@holdfast/features/wallet/server'
import { formatAmount } from '@holdfast/units'

/** As many as somebody who watches an address reads. */
const SHOWN_MAX = 5
/** What was credited longer ago is no arrival any more. */
const CREDITED_WITHIN_MS = 15 * 60_000

export type Arrival = {
  id: string
  amount: string
  txid: string
  state: 'pending' | 'confirming' | 'held' | 'credited'
  confirmations: number
  needed: number
  at: number
}

/** What is arriving of a coin at a sub-wallet, the newest first: what no block has yet, what is being confirmed, what is held, and what was just credited. */
export async function listArrivals(
  tx: OrganisationTx,
  networks: Networks,
  { subWalletId, chain, symbol, nowMs }: { subWalletId: string; chain: string; symbol: string; nowMs: number },
): Promise<Arrival[]> {
  await requireSubWallet(tx, subWalletId)
  const asset = networks.asset(chain, symbol) ?? networks.collection(chain, symbol)
  const network = networks.find(chain)
  if (!network || !asset) throw new AppError(networkErrors.unsupported_coin)
  const needed = network.finalityBlocks
  const contract = asset.contract ?? ''
  const found = await tx
    .selectFrom('deposit')
    .select(['id', 'amount', 'txid', 'state', 'sub_status', 'confirmations', 'created_at'])
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', subWalletId)
    .where('chain', '=', chain)
    .where('contract', '=', contract)
    .where('state', '<>', 'reversed')
    .where((where) => where.or([where('state', '<>', 'credited'), where('credited_at', '>', BigInt(nowMs - CREDITED_WITHIN_MS))]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  const waiting = await tx
    .selectFrom('waiting_deposit')
    .select(['id', 'amount', 'txid', 'created_at'])
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', subWalletId)
    .where('chain', '=', chain)
    .where('contract', '=', contract)
    .where('state', '=', 'waiting')
    .orderBy('created_at', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  const shown = ({ id, amount, txid, created_at }: { id: string; amount: bigint; txid: string; created_at: bigint }) => ({
    id,
    txid,
    amount: formatAmount(amount, asset.decimals),
    at: Number(created_at),
    needed,
  })
  return [
    ...waiting.map((row) => ({ ...shown(row), state: 'pending' as const, confirmations: 0 })),
    ...found.map((row) => ({
      ...shown(row),
      state: row.state === 'credited' ? ('credited' as const) : row.sub_status === null ? ('confirming' as const) : ('held' as const),
      confirmations: Math.min(Number(row.confirmations), needed),
    })),
  ].slice(0, SHOWN_MAX)
}
