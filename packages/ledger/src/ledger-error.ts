import type { Account } from './account.ts'

/** A posting that the ledger refuses. Nothing was written, and the transaction can go on. */
export class LedgerError extends Error {
  override name = 'LedgerError'
}

/** An account would fall below zero. */
export class InsufficientBalanceError extends LedgerError {
  override name = 'InsufficientBalanceError'
  readonly account: Account
  readonly balance: bigint
  readonly needed: bigint

  constructor(account: Account, balance: bigint, needed: bigint) {
    const asset = `${account.asset.chain} ${account.asset.contract ?? 'coin'}`
    super(`not enough ${account.kind}: ${needed} base units of ${asset} are needed and ${balance} are there`)
    this.account = account
    this.balance = balance
    this.needed = needed
  }
}

/** The hold was released or settled before, or the transfer was reversed before. */
export class AlreadyClosedError extends LedgerError {
  override name = 'AlreadyClosedError'
}

/** The same kind and reference was posted before with other entries, or the id belongs to another transfer. */
export class LedgerConflictError extends LedgerError {
  override name = 'LedgerConflictError'
}

/** The ledger does not add up. Posting cannot cause this; stop paying and find out who wrote to the database. */
export class ImpossibleLedger extends Error {
  override name = 'ImpossibleLedger'
}
