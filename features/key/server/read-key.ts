import type { OrganisationTx } from '@holdfast/db'
import { decode, encode, type Infer, list, struct } from '@holdfast/encoding'
import { type Signed, signedShape } from '@holdfast/protocol'
import { type KeyProgress, readProgress } from './key-progress.ts'

/** The three signers' words about one key, as they are kept with it. */
export const keyStatementsShape = struct('holdfast/key-statements/v1', { statements: list(signedShape, 3) })
export type KeyStatements = Infer<typeof keyStatementsShape>

/** A wallet with the key it has or is to have. */
export type WalletKeyRow = {
  walletId: string
  /** As people call it: its alias, where it has one. */
  walletName: string
  walletState: 'creating' | 'active' | 'failed'
  /** Since when nothing is done with the key any more; null while it is in use. */
  retiredAtMs: number | null
  keyId: Uint8Array
  epoch: bigint
  protocol: string
  keyState: 'generating' | 'setting_up' | 'ready' | 'failed'
  publicKey: Uint8Array | null
  chainCode: Uint8Array | null
  statements: Signed[]
  progress: KeyProgress
}

/** A wallet with its key, the newest epoch of it; undefined if the organisation has no such wallet. `lock` holds the wallet until the transaction ends. */
export async function readWalletKey(tx: OrganisationTx, walletId: string, lock = false): Promise<WalletKeyRow | undefined> {
  const wanted = tx
    .selectFrom('wallet')
    .select(['id', 'name', 'alias', 'state', 'key_id', 'retired_at'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', walletId)
  const newest = tx
    .selectFrom('wallet_key')
    .innerJoin('wallet', (join) => join.onRef('wallet.org_id', '=', 'wallet_key.org_id').onRef('wallet.key_id', '=', 'wallet_key.key_id'))
    .selectAll('wallet_key')
    .where('wallet.org_id', '=', tx.orgId)
    .where('wallet.id', '=', walletId)
    .orderBy('epoch', 'desc')
    .limit(1)
  // In this order: where the wallet is to be held, its key is read once it is.
  const [wallet, key] = await Promise.all([(lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst(), newest.executeTakeFirst()])
  if (!wallet?.key_id) return undefined
  if (!key) throw new Error(`the key of wallet ${walletId} is not there`)
  return {
    walletId: wallet.id,
    walletName: wallet.alias ?? wallet.name,
    walletState: wallet.state,
    retiredAtMs: wallet.retired_at === null ? null : Number(wallet.retired_at),
    keyId: key.key_id,
    epoch: key.epoch,
    protocol: key.protocol,
    keyState: key.state,
    publicKey: key.public_key,
    chainCode: key.chain_code,
    statements: key.statements ? decode(keyStatementsShape, key.statements).statements : [],
    progress: readProgress(key.progress),
  }
}

export function encodeStatements(statements: readonly Signed[]): Uint8Array {
  return encode(keyStatementsShape, { statements: [...statements] })
}
