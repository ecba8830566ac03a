import { askAlong, demandAlong, type LedgerTransferKind, mayGoAlong, type OrganisationTx } from '@holdfast/db'
import { at, MAX_AMOUNT } from '@holdfast/units'
import { type RawBuilder, sql } from 'kysely'
import { type Account, accountIds, accountOfRow, subWalletOf } from './account.ts'
import { addFlows, flowsOf } from './daily-flows.ts'
import { AlreadyClosedError, InsufficientBalanceError, LedgerConflictError, LedgerError } from './ledger-error.ts'
import { lockSubWallets } from './lock-sub-wallet.ts'
import { addressChangesOf, addToAddresses, areAddressesCovered, findAddressShortage } from './address-balances.ts'
import { isSummed } from './wallet-sums.ts'

export type Entry = { account: Account; amount: bigint }

export type Posting = {
  id: string
  kind: LedgerTransferKind
  /** What the transfer is for. The same kind and reference is posted once. */
  reference: string
  /** The transfer that this one reverses or completes; each transfer is closed at most once. */
  closes?: string
  nowMs: number
  /** Of a credit: it comes from an address of the organisation itself. */
  fromOwn?: boolean
  /** The address whose money moves; absent if it is not known, and then no address has more or less. */
  address?: string | undefined
  /** Of a reversal: what it takes back. */
  reverses?: Pick<Posting, 'kind' | 'nowMs' | 'fromOwn'>
  entries: Entry[]
}

/** `posted` is false if the same kind and reference was posted before; `id` is then that of the first posting. */
export type Posted = { id: string; posted: boolean }

type Line = { transferId: string; position: number; accountId: string; account: Account; amount: bigint }
type Outcome = { known: bigint; posted: bigint }

/** The first posting that needs accounts creates them; another program may create them at the same moment. */
const ATTEMPTS_MAX = 3

/** Posts one transfer, as `postAll` does. Throws InsufficientBalanceError, AlreadyClosedError or LedgerConflictError; the transaction can go on. */
export async function post(tx: OrganisationTx, posting: Posting): Promise<Posted> {
  return at(await postAll(tx, [posting]), 0)
}

/**
 * Posts transfers: each of at least two entries that sum to zero in each asset. One statement checks the balances after all of them, writes the
 * transfers and their entries and moves the balances, or does nothing. The sub-wallets of their accounts are locked before anything
 * else: accounts alone cannot be locked in one order, because an account that is not there yet cannot be locked, and because
 * some transactions post more than once. For one transfer, returns whether it was posted before and why it is refused. Several are all posted, or
 * LedgerConflictError is thrown and the transaction must be rolled back. Throws LedgerError for an invalid posting.
 */
export async function postAll(tx: OrganisationTx, postings: readonly Posting[]): Promise<Posted[]> {
  const lines = linesOf(tx, postings)
  const accounts = new Map(lines.map((line) => [line.accountId, line.account]))
  await lockAccounts(tx, lines)
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const { rows } =
      await sql<Outcome>`${statementOf(tx, postings, lines, accounts.size)} select known, (select count from posted) as posted from verdict`.execute(tx)
    const { known, posted } = at(rows, 0)
    if (posted === BigInt(postings.length)) return postings.map(({ id }) => ({ id, posted: true }))
    if (known === BigInt(accounts.size)) {
      if (postings.length === 1) return [await explainRefusal(tx, at(postings, 0), lines)]
      throw new LedgerConflictError(`of ${postings.length} transfers ${posted} can be posted together`)
    }
    await makeAccounts(tx, accounts)
  }
  throw new LedgerError('the accounts of the posting could not be made')
}

/**
 * Posts one transfer along with the transaction's next question, so that its accounts are locked for no round trip. Where that is refused, the transaction runs
 * again and posts it as `post` does, which throws why.
 */
export async function postAlong(tx: OrganisationTx, transfer: Posting): Promise<void> {
  if (!mayGoAlong(tx)) return void (await post(tx, transfer))
  const lines = linesOf(tx, [transfer])
  await lockAccounts(tx, lines)
  const isPosted = demandAlong(sql<boolean>`(select count from posted) = 1`)
  askAlong(tx, sql`${statementOf(tx, [transfer], lines, new Set(lines.map(({ accountId }) => accountId)).size)} select ${isPosted}`)
}

function linesOf({ orgId }: OrganisationTx, postings: readonly Posting[]): Line[] {
  for (const { entries } of postings) assertBalanced(entries)
  const idOf = accountIds(orgId)
  return postings.flatMap(({ id, entries }) =>
    entries.map(({ account, amount }, position): Line => ({ transferId: id, position, account, amount, accountId: idOf(account) })),
  )
}

const lockAccounts = (tx: OrganisationTx, lines: readonly Line[]) =>
  lockSubWallets(tx, [...new Set(lines.flatMap(({ account }) => subWalletOf(account) ?? []))])

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

/** The statement that posts transfers if all their accounts are there and covered, up to what it selects: `verdict` and `posted` say what came of it. */
function statementOf(tx: OrganisationTx, postings: readonly Posting[], lines: readonly Line[], accountCount: number): RawBuilder<unknown> {
  const changes = new Map<string, bigint>()
  for (const { accountId, amount } of lines) changes.set(accountId, (changes.get(accountId) ?? 0n) + amount)
  const accounts = [...changes.keys()]
  const of = <T>(read: (posting: Posting) => T) => postings.map(read)
  const ofLine = <T>(read: (line: Line) => T) => lines.map(read)
  // Computed once for the whole statement.
  const isPosted = sql<boolean>`(select count from posted) = ${postings.length}::int`
  const [held, ofAddresses, flows] = [heldChanges(lines), addressChangesOf(postings), flowsOf(postings)]
  const also = [
    { name: 'of_wallet', changes: held, statement: addToWallets(tx, held, isPosted) },
    { name: 'of_address', changes: ofAddresses, statement: addToAddresses(tx, ofAddresses, isPosted) },
    { name: 'of_day', changes: flows, statement: addFlows(tx, flows, isPosted) },
  ]
  // A part that writes nothing costs nearly as much as one that does.
  const written = also.filter(({ changes }) => changes.length > 0).map(({ name, statement }) => sql`, ${sql.raw(name)} as (${statement})`)
  // "For no key update" and not "for update": foreign keys of entries take share locks on accounts, which need not wait.
  // The new balance is computed from the locked row (kept) and not from the updated one: the update first sees the row as it
  // was when the statement began, and checks the constraint on that before it turns to the newest version.
  // If a transfer was posted before, the others write nothing but their own rows, which the caller rolls back.
  return sql`
    with change as (
      select * from unnest(${accounts}::uuid[], ${[...changes.values()].map(String)}::numeric[]) as change (account_id, amount)
    ), kept as (
      select id, balance from ledger_account
      where org_id = ${tx.orgId} and id = any(${accounts}::uuid[]) and balance is not null
      order by id for no key update
    ), verdict as (
      select
        (select count(*) from ledger_account where org_id = ${tx.orgId} and id = any(${accounts}::uuid[])) as known,
        not exists (select from kept join change on change.account_id = kept.id where kept.balance + change.amount < 0)
          and ${areAddressesCovered(tx, ofAddresses)} as covered
    ), transfer as (
      insert into ledger_transfer (org_id, id, kind, reference, closes, created_at, from_own, address)
      select ${tx.orgId}::uuid, new.*
      from verdict, unnest(${of(({ id }) => id)}::uuid[], ${of(({ kind }) => kind)}::text[], ${of(({ reference }) => reference)}::text[],
        ${of(({ closes }) => closes ?? null)}::uuid[], ${of(({ nowMs }) => nowMs)}::int8[], ${of(({ fromOwn = false }) => fromOwn)}::bool[],
        ${of(({ address }) => address ?? null)}::text[]) as new
      where known = ${accountCount}::int and covered
      on conflict do nothing
      returning id
    ), posted as (
      select count(*) as count from transfer
    ), moved as (
      update ledger_account set balance = kept.balance + change.amount
      from change, kept
      where ledger_account.org_id = ${tx.orgId} and ledger_account.id = any(${accounts}::uuid[])
        and ledger_account.id = change.account_id and kept.id = change.account_id and ${isPosted}
    ), entry as (
      insert into ledger_entry (org_id, transfer_id, position, account_id, amount)
      select ${tx.orgId}::uuid, line.* from unnest(${ofLine(({ transferId }) => transferId)}::uuid[], ${ofLine(({ position }) => position)}::smallint[],
        ${ofLine(({ accountId }) => accountId)}::uuid[], ${ofLine(({ amount }) => String(amount))}::numeric[]) as line
      where ${isPosted}
    )${sql.join(written, sql``)}`
}

/** The statement that notes by how much wallets have more or less, where `isPosted`. */
function addToWallets(tx: OrganisationTx, held: readonly HeldChange[], isPosted: RawBuilder<boolean>): RawBuilder<unknown> {
  const of = (read: (change: HeldChange) => string) => held.map(read)
  return sql`
    insert into wallet_change (org_id, transfer_id, wallet_id, chain, contract, amount)
    select ${tx.orgId}::uuid, held.transfer_id, sub_wallet.wallet_id, held.chain, held.contract, sum(held.amount)
    from unnest(${of(({ transferId }) => transferId)}::uuid[], ${of(({ subWalletId }) => subWalletId)}::uuid[],
      ${of(({ chain }) => chain)}::text[], ${of(({ contract }) => contract)}::text[], ${of(({ amount }) => String(amount))}::numeric[])
      as held (transfer_id, sub_wallet_id, chain, contract, amount)
    join sub_wallet on sub_wallet.org_id = ${tx.orgId} and sub_wallet.id = held.sub_wallet_id
    where ${isPosted}
    group by 1, 2, 3, 4, 5 having sum(held.amount) <> 0`
}

/** By how much a transfer changes what a sub-wallet has of a coin, spendable or not. */
type HeldChange = { transferId: string; subWalletId: string; chain: string; contract: string; amount: bigint }

function heldChanges(lines: readonly Line[]): HeldChange[] {
  const changes = new Map<string, HeldChange>()
  for (const { transferId, account, amount } of lines) {
    const subWalletId = subWalletOf(account)
    const { chain, contract } = account.asset
    if (subWalletId === null || !isSummed(contract)) continue
    const key = JSON.stringify([transferId, subWalletId, chain, contract])
    const before = changes.get(key)
    changes.set(key, { transferId, subWalletId, chain, contract: contract ?? '', amount: (before?.amount ?? 0n) + amount })
  }
  return [...changes.values()].filter(({ amount }) => amount !== 0n)
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

/** Nothing was posted although all accounts exist: it was posted before, closes what is closed, or takes more than there is. */
async function explainRefusal(tx: OrganisationTx, posting: Posting, lines: readonly Line[]): Promise<Posted> {
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
  throw (await findAddressShortage(tx, posting)) ?? (await findShortage(tx, lines))
}

async function hasEntries(tx: OrganisationTx, transferId: string, lines: readonly Line[]): Promise<boolean> {
  const entries = await tx
    .selectFrom('ledger_entry')
    .select(['account_id', 'amount'])
    .where('org_id', '=', tx.orgId)
    .where('transfer_id', '=', transferId)
    .orderBy('position')
    .execute()
  return entries.length === lines.length && entries.every((entry, i) => entry.account_id === at(lines, i).accountId && entry.amount === at(lines, i).amount)
}

async function findShortage(tx: OrganisationTx, lines: readonly Line[]): Promise<Error> {
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
  // This transaction has locked the balance rows since the attempt, so a shortage cannot have gone away.
  return new LedgerError('the posting was refused and its reason is gone: try again')
}
