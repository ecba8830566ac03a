import type { LedgerTransferKind, OrganisationTx } from '@holdfast/db'
import { at, MAX_AMOUNT } from '@holdfast/units'
import { sql } from 'kysely'
import { type Account, accountId, accountOfRow, subWalletOf } from './account.ts'
import { AlreadyClosedError, InsufficientBalanceError, LedgerConflictError, LedgerError } from './ledger-error.ts'
import { lockSubWallets } from './lock-sub-wallet.ts'

export type Entry = { account: Account; amount: bigint }

export type Posting = {
  id: string
  kind: LedgerTransferKind
  /** What the transfer is for. The same kind and reference is posted once. */
  reference: string
  /** The transfer that this one undoes or completes; each transfer is closed at most once. */
  closes?: string
  nowMs: number
  entries: Entry[]
}

/** `posted` is false where the same kind and reference was posted before; `id` is then the first one's. */
export type Posted = { id: string; posted: boolean }

type Line = { accountId: string; account: Account; amount: bigint }
type Outcome = { known: bigint; posted: bigint }

/** Accounts are made on the first posting that needs them; another program may make them at the same moment. */
const ATTEMPTS_MAX = 3

/**
 * Posts a transfer: at least two entries that sum to zero in each asset. One statement checks the balances, writes the
 * transfer and its entries and moves the balances, or does nothing. The sub-wallets of its accounts are locked before anything
 * else: accounts alone cannot be locked in one order, because an account that is not there yet cannot be locked, and because
 * some transactions post more than once. Throws InsufficientBalanceError, AlreadyClosedError or LedgerConflictError, after which the
 * transaction can go on, and LedgerError for a posting that is none.
 */
export async function post(tx: OrganisationTx, posting: Posting): Promise<Posted> {
  assertBalanced(posting.entries)
  const lines = posting.entries.map(({ account, amount }) => ({ account, amount, accountId: accountId(tx.orgId, account) }))
  const accounts = new Map(lines.map((line) => [line.accountId, line.account]))
  await lockSubWallets(tx, [...new Set(lines.flatMap(({ account }) => subWalletOf(account) ?? []))])
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const { known, posted } = await tryToPost(tx, posting, lines, accounts.size)
    if (posted === 1n) return { id: posting.id, posted: true }
    if (known === BigInt(accounts.size)) return explainRefusal(tx, posting, lines)
    await makeAccounts(tx, accounts)
  }
  throw new LedgerError('the accounts of the posting could not be made')
}

function assertBalanced(entries: Entry[]): void {
  if (entries.length < 2) throw new LedgerError('a transfer has at least two entries')
  const sums = new Map<string, bigint>()
  for (const {
    account: { asset },
    amount,
  } of entries) {
    if (amount === 0n || amount > MAX_AMOUNT || amount < -MAX_AMOUNT) throw new LedgerError(`${amount} is not an amount that can be posted`)
    const key = JSON.stringify([asset.chain, asset.contract])
    sums.set(key, (sums.get(key) ?? 0n) + amount)
  }
  for (const [asset, sum] of sums) if (sum !== 0n) throw new LedgerError(`the entries in ${asset} sum to ${sum} and must sum to zero`)
}

async function tryToPost(tx: OrganisationTx, posting: Posting, lines: Line[], accountCount: number): Promise<Outcome> {
  const ids = lines.map((line) => line.accountId)
  const amounts = lines.map((line) => line.amount.toString())
  // "For no key update" and not "for update": foreign keys of entries take share locks on accounts, which need not wait.
  // The new balance is computed from the locked row (kept) and not from the updated one: the update first sees the row as it
  // was when the statement began, and checks the constraint on that before it turns to the newest version.
  const { rows } = await sql<Outcome>`
    with line as (
      select * from unnest(${ids}::uuid[], ${amounts}::numeric[]) with ordinality as line (account_id, amount, position)
    ), change as (
      select account_id, sum(amount) as amount from line group by account_id
    ), kept as (
      select id, balance from ledger_account
      where org_id = ${tx.orgId} and id = any(${ids}::uuid[]) and balance is not null
      order by id for no key update
    ), verdict as (
      select
        (select count(*) from ledger_account where org_id = ${tx.orgId} and id = any(${ids}::uuid[])) as known,
        not exists (select from kept join change on change.account_id = kept.id where kept.balance + change.amount < 0) as covered
    ), transfer as (
      insert into ledger_transfer (org_id, id, kind, reference, closes, created_at)
      select ${tx.orgId}::uuid, ${posting.id}::uuid, ${posting.kind}, ${posting.reference}, ${posting.closes ?? null}::uuid, ${posting.nowMs}::int8
      from verdict where known = ${accountCount}::int and covered
      on conflict do nothing
      returning id
    ), moved as (
      update ledger_account set balance = kept.balance + change.amount
      from change, kept, transfer
      where ledger_account.org_id = ${tx.orgId} and ledger_account.id = any(${ids}::uuid[])
        and ledger_account.id = change.account_id and kept.id = change.account_id
    ), entry as (
      insert into ledger_entry (org_id, transfer_id, position, account_id, amount)
      select ${tx.orgId}::uuid, transfer.id, line.position - 1, line.account_id, line.amount from line, transfer
    )
    select known, (select count(*) from transfer) as posted from verdict`.execute(tx)
  return at(rows, 0)
}

async function makeAccounts(tx: OrganisationTx, accounts: Map<string, Account>): Promise<void> {
  const rows = [...accounts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, account]) => {
      const subWalletId = subWalletOf(account)
      const { chain, contract } = account.asset
      return {
        org_id: tx.orgId,
        id,
        kind: account.kind,
        sub_wallet_id: subWalletId,
        chain,
        contract: contract ?? '',
        balance: subWalletId === null ? null : 0n,
      }
    })
  await tx
    .insertInto('ledger_account')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['org_id', 'id']).doNothing())
    .execute()
}

/** Nothing was posted though all accounts are there: it was posted before, closes what is closed, or takes what is not there. */
async function explainRefusal(tx: OrganisationTx, posting: Posting, lines: Line[]): Promise<Posted> {
  const earlier = await tx
    .selectFrom('ledger_transfer')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where((row) =>
      row.or([
        row.and([row('kind', '=', posting.kind), row('reference', '=', posting.reference)]),
        row('id', '=', posting.id),
        row('closes', '=', posting.closes ?? null),
      ]),
    )
    .execute()
  const same = earlier.find((each) => each.kind === posting.kind && each.reference === posting.reference)
  if (same) {
    if (same.closes !== (posting.closes ?? null) || !(await hasEntries(tx, same.id, lines))) {
      throw new LedgerConflictError(`a ${posting.kind} for ${posting.reference} was posted before with other entries`)
    }
    return { id: same.id, posted: false }
  }
  if (earlier.some((each) => each.id === posting.id)) throw new LedgerConflictError(`the id ${posting.id} belongs to another transfer`)
  const closed = earlier[0]
  if (closed) throw new AlreadyClosedError(`${posting.closes} was closed before by ${closed.kind} ${closed.id}`)
  throw await findShortage(tx, lines)
}

async function hasEntries(tx: OrganisationTx, transferId: string, lines: Line[]): Promise<boolean> {
  const entries = await tx
    .selectFrom('ledger_entry')
    .select(['account_id', 'amount'])
    .where('org_id', '=', tx.orgId)
    .where('transfer_id', '=', transferId)
    .orderBy('position')
    .execute()
  return entries.length === lines.length && entries.every((entry, i) => entry.account_id === at(lines, i).accountId && entry.amount === at(lines, i).amount)
}

async function findShortage(tx: OrganisationTx, lines: Line[]): Promise<Error> {
  const rows = await tx
    .selectFrom('ledger_account')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where(
      'id',
      'in',
      lines.map((line) => line.accountId),
    )
    .execute()
  for (const row of rows) {
    const change = lines.filter((line) => line.accountId === row.id).reduce((sum, line) => sum + line.amount, 0n)
    if (row.balance !== null && row.balance + change < 0n) return new InsufficientBalanceError(accountOfRow(row), row.balance, -change)
  }
  // The balance rows are locked by this transaction since the attempt, so a shortage cannot have gone away.
  return new LedgerError('the posting was refused and its reason is gone: try again')
}
