import type { Database } from '../open-database.ts'
import type { SampleIds } from './sample-rows.ts'

type Made = { nowMs: number; chain: string; hex: (part: string) => string; id: (part: string) => string }

/**
 * For tests: one row in every table of 0120-coins.sql, 0121-payouts.sql, 0130-internal-transfers.sql, 0131-brc20.sql, 0132-added-tokens.sql,
 * 0160-waiting-deposits.sql, 0240-reading-again.sql, 0520-collection.sql, 0560-batch-transfer.sql and 0800-delegations-carried.sql.
 */
export async function insertCoinRows(
  db: Database,
  { orgId, personId, walletId, orderId, subWalletId, address }: SampleIds,
  { nowMs, chain, hex, id }: Made,
): Promise<void> {
  const outpoint = `${hex('coin')}:1`
  await db.asOrganisation(orgId, async (tx) => {
    const lock = { org_id: orgId, id: id('coin lock'), chain, address, outpoint, reason: '“kept” 保留', locked_by: personId, locked_at: nowMs }
    await tx
      .insertInto('coin_lock')
      .values({ ...lock, unlocked_by: personId, unlocked_at: nowMs + 1 })
      .execute()
    await tx.insertInto('order_coin').values({ org_id: orgId, order_id: orderId, place: 0, outpoint }).execute()
    await tx
      .insertInto('order_output')
      .values({ org_id: orgId, order_id: orderId, place: 0, address, amount: 2n ** 256n - 1n })
      .execute()
    const collected = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
    const part = { order_id: orderId, place: 0, sub_wallet_id: subWalletId, chain, contract: collected, address, amount: 2n ** 256n - 1n, hold_id: id('part') }
    await tx
      .insertInto('order_part')
      .values({ org_id: orgId, ...part })
      .execute()
    const batch = { id: id('batch'), wallet_id: walletId, sub_wallet_id: subWalletId, chain, contract: '', symbol: 'TST', file_name: 'payroll.csv' }
    const unasked = { reason: null, waits_for: null, execution: null, tier: null, fee_cap: null, intent: null, intent_hash: null, policy_version: null }
    await tx
      .insertInto('batch_transfer')
      .values({
        ...{ org_id: orgId, ...batch, initiator: personId, retry_of: null, state: 'checked', is_final: false, ...unasked },
        ...{ rule_id: null, places: null, hold_id: null, created_at: nowMs, updated_at: nowMs, version: 1 },
      })
      .execute()
    await tx
      .insertInto('batch_transfer_line')
      .values({
        ...{ org_id: orgId, batch_id: batch.id, line: 1, given_address: address, given_amount: '1', address, memo: null, amount: 2n ** 255n },
        ...{ faults: '[]', warnings: '["first_seen"]', part: null, order_id: null, retried_in: null },
      })
      .execute()
    const config = { id: id('collector'), name: 'Sweep', chain: 'eip155:1', fee_max: 1n, transactions: 10, days: 30, collect_order_id: id('collect') }
    const places = { target_sub_wallet_id: subWalletId, payer_sub_wallet_id: subWalletId, target_address: collected, contract_address: collected }
    await tx
      .insertInto('collection_config')
      .values({
        ...{ org_id: orgId, wallet_id: walletId, ...config, ...places, allow_order_id: null, fuel_order_id: null, publish_txid: null },
        ...{ created_by: personId, created_at: nowMs, updated_at: nowMs },
      })
      .execute()
    await tx
      .insertInto('collection_token')
      .values({
        ...{ org_id: orgId, config_id: config.id, contract: collected, symbol: 'TST', threshold: 1n, most: 2n ** 256n - 1n, is_exact: true },
        ...{ fee_share: null, schedule: '', is_on: true, created_at: nowMs },
      })
      .execute()
    await tx
      .insertInto('collection_allowance')
      .values({ org_id: orgId, config_id: config.id, contract: collected, address: collected, sub_wallet_id: subWalletId, allowance: 1n, read_at: nowMs })
      .execute()
    await tx
      .insertInto('collection_delegate')
      .values({ org_id: orgId, config_id: config.id, address: collected, sub_wallet_id: subWalletId, delegate: collected, read_at: nowMs })
      .execute()
    await tx.insertInto('order_carried').values({ org_id: orgId, order_id: orderId, place: 0, carried_id: orderId }).execute()
    const gone = { state: 'gone' as const, sub_status: 'replaced' as const, replaced_by: hex('winner'), height: 7n }
    const paid = { txid: hex('waiting'), tx_index: 1, sub_wallet_id: subWalletId, address, contract: '', symbol: 'TST', amount: 2n ** 256n - 1n }
    await tx
      .insertInto('waiting_deposit')
      .values({
        org_id: orgId,
        id: id('waiting'),
        chain,
        ...paid,
        from_address: '',
        spends: [outpoint, `${hex('other')}:7`],
        ...gone,
        created_at: nowMs,
        updated_at: nowMs,
      })
      .execute()
    const block = { txid: hex('pull'), tx_index: 1, block_hash: hex('block'), height: 7n }
    const taken = { address, contract: '0x01', amount: 1n, to_address: address, taken_by: address }
    await tx
      .insertInto('token_pull')
      .values({ org_id: orgId, id: id('pull'), chain, sub_wallet_id: subWalletId, ...block, ...taken, created_at: nowMs })
      .execute()
    await tx
      .insertInto('block_reading')
      .values({ org_id: orgId, id: id('reading'), chain, from_height: 0n, to_height: 2n ** 62n, asked_by: personId, asked_at: nowMs })
      .execute()
    await tx
      .insertInto('uneven_token')
      .values({ org_id: orgId, chain, contract: hex('uneven'), reason: '“fee” 手续费', marked_by: personId, marked_at: nowMs })
      .execute()
    const token = { chain, contract: hex('token'), symbol: 'NEW', decimals: 6, name: 'New', reason: '', state: 'applied' as const, from_height: null }
    await tx
      .insertInto('added_token')
      .values({ org_id: orgId, id: id('token'), ...token, requested_by: personId, created_at: nowMs })
      .execute()
    await tx
      .insertInto('inscription')
      .values({
        org_id: orgId,
        chain,
        inscription_id: `${hex('reveal')}i0`,
        outpoint,
        place: 0n,
        address,
        coin_amount: 546n,
        content_type: 'text/html;"<b>"',
        size: 1n << 40n,
        head: Uint8Array.of(0, 10, 92, 255),
        height: 7n,
        gone_height: null,
        is_used: true,
        created_at: nowMs,
      })
      .execute()
  })
  const content = { content_type: 'text/plain;"<b>"', size: 1n << 40n, head: Uint8Array.of(0, 10, 92, 255) }
  const place = { inscription_id: `${hex('reveal')}i0`, outpoint, place: 1n << 50n, height: 7n, gone_height: 9n }
  const own = `test:${hex('own chain').slice(0, 20)}`
  const amounts = { amount: 2n ** 124n, available: 1n, transferable: 0n, minted: 2n ** 124n }
  await db.asSystem(async (tx) => {
    await tx
      .insertInto('inscription_reading')
      .values({ chain: own, from_height: 1n << 40n })
      .execute()
    await tx
      .insertInto('inscribed')
      .values({ chain, ...place, ...content, is_cursed: true })
      .execute()
    await tx
      .insertInto('brc20_token')
      .values({ chain: own, ticker: '龍a', inscription_id: place.inscription_id, max: 2n ** 124n, per_mint: 1n, decimals: 18, height: 7n })
      .execute()
    await tx
      .insertInto('brc20_entry')
      .values({ chain, height: 7n, place: 0, holder: address, kind: 'mint', ticker: 'ordi', inscription_id: place.inscription_id, ...amounts })
      .execute()
  })
}
