import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, encode, equalBytes, type Infer, list, struct } from '@holdfast/encoding'
import { protocolFor } from '@holdfast/features/network/server'
import { PROTOCOLS, signatureKindOf } from '@holdfast/mpc'
import { type Signed, signedShape } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { type KeyProgress, readProgress } from './key-progress.ts'

/** The three signers' words about one key, as they are kept with it. */
export const keyStatementsShape = struct('holdfast/key-statements/v1', { statements: list(signedShape, 3) })
export type KeyStatements = Infer<typeof keyStatementsShape>

/** A key that a wallet has or is to have. */
export type WalletKeyRow = {
  walletId: string
  /** As people call it: its alias, where it has one. */
  walletName: string
  walletState: 'creating' | 'active' | 'failed'
  /** The protocols of all keys of the wallet, this one's among them. */
  walletProtocols: readonly string[]
  /** Since when nothing is done with the key any more; null while it is in use. */
  retiredAtMs: number | null
  keyId: Uint8Array
  epoch: bigint
  protocol: string
  /** It is not one of the wallet's keys yet: it is being made for a wallet that has others. */
  isAdded: boolean
  keyState: 'generating' | 'setting_up' | 'ready' | 'failed'
  publicKey: Uint8Array | null
  chainCode: Uint8Array | null
  statements: Signed[]
  progress: KeyProgress
}

/**
 * The keys of a wallet, the newest epoch of each, in the order of their protocols; none if the organisation has no such wallet. `lock` holds the wallet until
 * the transaction ends.
 */
export async function readWalletKeys(tx: OrganisationTx, walletId: string, lock = false): Promise<WalletKeyRow[]> {
  return readKeys(tx, walletId, { lock, isMaking: false })
}

/** The same with the key that the wallet is getting, for whoever makes it or shows how far it is. Nothing else may know of that one. */
export async function readKeysInMaking(tx: OrganisationTx, walletId: string, lock = false): Promise<WalletKeyRow[]> {
  return readKeys(tx, walletId, { lock, isMaking: true })
}

async function readKeys(tx: OrganisationTx, walletId: string, { lock, isMaking }: { lock: boolean; isMaking: boolean }): Promise<WalletKeyRow[]> {
  const wanted = tx.selectFrom('wallet').select(['id', 'name', 'alias', 'state']).where('org_id', '=', tx.orgId).where('id', '=', walletId)
  const newest = tx
    .selectFrom('key_of_wallet')
    .innerJoin('wallet_key', (join) => join.onRef('wallet_key.org_id', '=', 'key_of_wallet.org_id').onRef('wallet_key.key_id', '=', 'key_of_wallet.key_id'))
    .selectAll('wallet_key')
    .select('key_of_wallet.retired_at')
    .distinctOn('wallet_key.key_id')
    .where('key_of_wallet.org_id', '=', tx.orgId)
    .where('key_of_wallet.wallet_id', '=', walletId)
    .orderBy('wallet_key.key_id')
    .orderBy('epoch', 'desc')
  // In this order: where the wallet is to be held, its keys are read once it is.
  const added = tx
    .selectFrom('added_key')
    .innerJoin('wallet_key', (join) => join.onRef('wallet_key.org_id', '=', 'added_key.org_id').onRef('wallet_key.key_id', '=', 'added_key.key_id'))
    .selectAll('wallet_key')
    .where('added_key.org_id', '=', tx.orgId)
    .where('added_key.wallet_id', '=', walletId)
    .where('added_key.owned_at', 'is', null)
  const [wallet, own, coming] = await Promise.all([
    (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst(),
    newest.execute(),
    isMaking ? added.execute() : [],
  ])
  if (!wallet) return []
  const keys = [...own.map((key) => ({ ...key, isAdded: false })), ...coming.map((key) => ({ ...key, retired_at: null, isAdded: true }))]
  const walletProtocols = PROTOCOLS.filter((each) => keys.some(({ protocol }) => protocol === each))
  return keys
    .toSorted((a, b) => walletProtocols.indexOf(a.protocol) - walletProtocols.indexOf(b.protocol))
    .map((key) => ({
      walletId: wallet.id,
      walletName: wallet.alias ?? wallet.name,
      walletState: wallet.state,
      walletProtocols,
      retiredAtMs: key.retired_at === null ? null : Number(key.retired_at),
      keyId: key.key_id,
      epoch: key.epoch,
      protocol: key.protocol,
      isAdded: key.isAdded,
      keyState: key.state,
      publicKey: key.public_key,
      chainCode: key.chain_code,
      statements: key.statements ? decode(keyStatementsShape, key.statements).statements : [],
      progress: readProgress(key.progress),
    }))
}

/** One key of a wallet, the newest epoch of it; undefined if the wallet has no such key. */
export async function readWalletKey(tx: OrganisationTx, walletId: string, keyId: Uint8Array, lock = false): Promise<WalletKeyRow | undefined> {
  return (await readWalletKeys(tx, walletId, lock)).find((key) => equalBytes(key.keyId, keyId))
}

/** The key of a wallet that a call is about: the one of the kind it names, the only one if it names none. Throws AppError. */
export async function requireKey(tx: OrganisationTx, walletId: string, kind: string | undefined, lock = false): Promise<WalletKeyRow> {
  const keys = await readWalletKeys(tx, walletId, lock)
  if (keys.length === 0) throw new AppError('wallet_not_found')
  const named = kind === undefined ? keys : keys.filter(({ protocol }) => signatureKindOf(protocol) === kind)
  if (named.length === 1) return at(named, 0)
  const reason = kind === undefined ? 'the wallet has several keys: say which one it is about' : 'the wallet has no key of this kind'
  throw new AppError('invalid_parameters', { details: { field: 'key_kind', reason } })
}

/** Whether it is this key of its wallet that signs on a network. */
export const signsOn = ({ protocol, walletProtocols }: Pick<WalletKeyRow, 'protocol' | 'walletProtocols'>, chain: string): boolean =>
  protocolFor(chain, walletProtocols) === protocol

export function encodeStatements(statements: readonly Signed[]): Uint8Array {
  return encode(keyStatementsShape, { statements: [...statements] })
}
