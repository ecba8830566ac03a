import type { LedgerAccountKind } from '@holdfast/db'
import { bytes, digest, optional, struct, text } from '@holdfast/encoding'
import { at, bytesToUuid, known, uuidToBytes } from '@holdfast/units'

/** An asset by its chain and contract; null is the chain's own coin. */
export type LedgerAsset = { chain: string; contract: string | null }

/**
 * `available` can be spent, `held` is reserved for an order in progress, `staked` is the sub-wallet's own and cannot be spent until the chain returns it;
 * these belong to a sub-wallet and are never negative. `external` is everybody else and `fee` what the chains took; they belong to the whole organisation.
 * A positive amount always means that the account has more.
 */
export type Account = { kind: 'available' | 'held' | 'staked'; subWalletId: string; asset: LedgerAsset } | { kind: 'external' | 'fee'; asset: LedgerAsset }

const accountShape = struct('holdfast/ledger-account/v1', {
  organisation: bytes(16),
  kind: text(16),
  subWallet: optional(bytes(16)),
  chain: text(64),
  contract: optional(text(128)),
})
const remainderShape = struct('holdfast/ledger-remainder/v1', { settlement: bytes(16) })

/** The id of an account is derived from what it is, so that a posting need not look it up first. */
export function accountId(orgId: string, account: Account): string {
  const subWalletId = subWalletOf(account)
  return uuidOfDigest(
    digest(accountShape, {
      organisation: uuidToBytes(orgId),
      kind: account.kind,
      subWallet: subWalletId === null ? null : uuidToBytes(subWalletId),
      chain: account.asset.chain,
      contract: account.asset.contract,
    }),
  )
}

/** Does the same for many entries and looks at each account once. */
export function accountIds(orgId: string): (account: Account) => string {
  const known = new Map<string, string>()
  return (account) => {
    const key = JSON.stringify([account.kind, subWalletOf(account), account.asset.chain, account.asset.contract])
    const id = known.get(key) ?? accountId(orgId, account)
    known.set(key, id)
    return id
  }
}

/** The id of the transfer that returns what a settlement did not need. */
export function remainderId(settlementId: string): string {
  return uuidOfDigest(digest(remainderShape, { settlement: uuidToBytes(settlementId) }))
}

export function subWalletOf(account: Account): string | null {
  return 'subWalletId' in account ? account.subWalletId : null
}

export function accountOfRow(row: { kind: LedgerAccountKind; sub_wallet_id: string | null; chain: string; contract: string }): Account {
  const asset = { chain: row.chain, contract: row.contract === '' ? null : row.contract }
  return row.kind === 'external' || row.kind === 'fee'
    ? { kind: row.kind, asset }
    : { kind: row.kind, subWalletId: known(row.sub_wallet_id, 'the sub-wallet of an account'), asset }
}

/** A UUID of version 8 (RFC 9562, section 5.8): our own bits. */
function uuidOfDigest(hash: Uint8Array): string {
  const id = hash.slice(0, 16)
  id[6] = 0x80 | (at(id, 6) & 0x0f)
  id[8] = 0x80 | (at(id, 8) & 0x3f)
  return bytesToUuid(id)
}
