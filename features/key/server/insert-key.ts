import type { OrganisationTx } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import type { Signed } from '@holdfast/protocol'
import { finishedProgress, newProgress } from './key-progress.ts'
import { encodeStatements, type WalletKeyRow } from './read-key.ts'

export const FIRST_EPOCH = 0n

/** Which key is begun: a wallet has one of each protocol. `generations` is how often making it has failed so far; `isAdded` where the wallet has others already. */
type Wanted = { walletId: string; protocol: string; generations: number; isAdded?: boolean }

/**
 * Begins a key of a wallet under a new id that nobody has used, in the place of one that could not be made. A try that failed or whose end is unknown never
 * lends its id to the next.
 */
export async function insertKey(
  tx: OrganisationTx,
  ports: Pick<Ports, 'clock' | 'random'>,
  { walletId, protocol, generations, isAdded = false }: Wanted,
): Promise<Uint8Array> {
  const nowMs = ports.clock.nowMs()
  const keyId = ports.random.bytes(32)
  await tx
    .insertInto('wallet_key')
    .values({
      org_id: tx.orgId,
      key_id: keyId,
      epoch: FIRST_EPOCH,
      protocol,
      state: 'generating',
      public_key: null,
      chain_code: null,
      statements: null,
      progress: JSON.stringify(newProgress(protocol, generations)),
      created_at: nowMs,
      updated_at: nowMs,
    })
    .execute()
  if (isAdded)
    await tx
      .insertInto('added_key')
      .values({ org_id: tx.orgId, wallet_id: walletId, protocol, key_id: keyId, owned_at: null })
      .onConflict((conflict) => conflict.columns(['org_id', 'wallet_id']).doUpdateSet({ protocol, key_id: keyId, owned_at: null }))
      .execute()
  else
    await tx
      .insertInto('key_of_wallet')
      .values({ org_id: tx.orgId, wallet_id: walletId, protocol, key_id: keyId, retired_at: null })
      .onConflict((conflict) => conflict.columns(['org_id', 'wallet_id', 'protocol']).doUpdateSet({ key_id: keyId }))
      .execute()
  return keyId
}

/** Makes a finished key that was added one of the wallet's own. It is never put in the place of another. */
export async function ownAddedKey(
  tx: OrganisationTx,
  { walletId, protocol, keyId }: Pick<WalletKeyRow, 'walletId' | 'protocol' | 'keyId'>,
  nowMs: number,
): Promise<void> {
  await tx.updateTable('added_key').set({ owned_at: nowMs }).where('org_id', '=', tx.orgId).where('key_id', '=', keyId).execute()
  await tx.insertInto('key_of_wallet').values({ org_id: tx.orgId, wallet_id: walletId, protocol, key_id: keyId, retired_at: null }).execute()
}

/** The next epoch of a key, once all three signers sign with it: the same public key, with the words of all three. */
export async function insertEpoch(
  tx: OrganisationTx,
  ports: Pick<Ports, 'clock'>,
  key: Pick<WalletKeyRow, 'keyId' | 'epoch' | 'protocol' | 'publicKey' | 'chainCode'>,
  statements: readonly Signed[],
): Promise<void> {
  const nowMs = ports.clock.nowMs()
  await tx
    .insertInto('wallet_key')
    .values({
      org_id: tx.orgId,
      key_id: key.keyId,
      epoch: key.epoch + 1n,
      protocol: key.protocol,
      state: 'ready',
      public_key: key.publicKey,
      chain_code: key.chainCode,
      statements: encodeStatements(statements),
      progress: JSON.stringify(finishedProgress(key.protocol, nowMs)),
      created_at: nowMs,
      updated_at: nowMs,
    })
    .execute()
}
