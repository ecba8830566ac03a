import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { assetsOf, closedCoins, type Networks, networksOfWallet } from '@holdfast/features/network/server'
import { sql } from 'kysely'
import { networkErrors } from '@holdfast/features/network/errors'
import { requireWallet } from './list-sub-wallets.ts'

/** Coins of the installation whose symbol or contract holds the word, and whether the wallet offers them. */
export async function searchCoins(tx: OrganisationTx, networks: Networks, asked: { walletId: string; keyword: string; baseSymbol: string | undefined }) {
  await requireWallet(tx, asked.walletId)
  const closed = await closedCoins(tx, asked.walletId)
  const held = await heldCoins(tx, asked.walletId)
  const word = asked.keyword.trim().toLowerCase()
  return (await networksOfWallet(tx, networks, asked.walletId)).flatMap((network) => {
    const base = network.assets.find((each) => each.contract === null)?.symbol ?? ''
    if (asked.baseSymbol !== undefined && asked.baseSymbol !== base) return []
    return assetsOf(network, tx.orgId)
      .filter(({ symbol, contract }) => symbol.toLowerCase().includes(word) || (contract?.toLowerCase() ?? '').includes(word))
      .map(({ symbol, chain, contract }) => ({
        symbol,
        base_symbol: base,
        chain,
        network: network.name,
        contract_address: contract,
        verified: network.assets.some((each) => each.contract === contract),
        exists: !closed.has(`${chain}|${contract ?? ''}`),
        can_close: contract !== null && !held.has(`${chain}|${contract}`),
      }))
  })
}

/** Puts a coin on a wallet's list, or takes it off. The network's own coin pays fees and stays, as does a coin with a balance. */
export async function openCoin(
  tx: OrganisationTx,
  networks: Networks,
  asked: { walletId: string; chain: string; symbol: string; open: boolean; nowMs: number },
): Promise<{ exists: boolean }> {
  const { walletId, chain, symbol, open, nowMs } = asked
  await requireWallet(tx, walletId)
  const asset = networks.asset(chain, symbol)
  const isOffered = (await networksOfWallet(tx, networks, walletId)).some((network) => network.chain === chain)
  if (!asset || !isOffered) throw new AppError(networkErrors.unsupported_coin)
  const contract = asset.contract ?? ''
  if (!open && (contract === '' || (await heldCoins(tx, walletId)).has(`${chain}|${contract}`))) {
    const reason = contract === '' ? 'the coin of the network pays its fees and stays on the list' : 'the wallet holds it'
    throw new AppError('invalid_parameters', { details: { field: 'symbol', reason } })
  }
  await tx
    .insertInto('wallet_coin')
    .values({ org_id: tx.orgId, wallet_id: walletId, chain, contract, is_open: open, updated_at: nowMs })
    .onConflict((conflict) => conflict.columns(['org_id', 'wallet_id', 'chain', 'contract']).doUpdateSet({ is_open: open, updated_at: nowMs }))
    .execute()
  return { exists: open }
}

async function heldCoins(tx: OrganisationTx, walletId: string): Promise<Set<string>> {
  const { rows } = await sql<{ chain: string; contract: string }>`
    select distinct account.chain, account.contract from ledger_account as account
    join sub_wallet as sub on sub.org_id = account.org_id and sub.id = account.sub_wallet_id
    where account.org_id = ${tx.orgId} and sub.wallet_id = ${walletId} and account.kind in ('available', 'held', 'staked') and account.balance > 0`.execute(tx)
  return new Set(rows.map(({ chain, contract }) => `${chain}|${contract}`))
}
