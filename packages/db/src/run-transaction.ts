import type { Ports } from '@holdfast/ports'
import { isUuid, known, type OrganisationId } from '@holdfast/units'
import {
  AbortedTransactionError,
  type CompiledQuery,
  type ConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
  Transaction,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import { DatabaseAwayError, DatabaseBusyError, DatabaseError } from './database-error.ts'
import { APP_ROLE, SYSTEM_ROLE } from './ensure-roles.ts'
import { isLostConnection } from './lost-connection.ts'
import { isStaleStatement, PipelinedConnection } from './pipelined-connection.ts'
import type { ProofOf } from './prepare-run-time.ts'
import { onlyReads } from './read-along.ts'
import type { Schema } from './tables/schema.ts'

/** A transaction, for an organisation or the installation. Start independent queries at once (`Promise.all`): they travel together. */
export type Tx = Transaction<Schema>
/** A transaction that works for one organisation: the database shows it no row of another and takes none from it. */
export type OrganisationTx = Tx & { readonly orgId: OrganisationId }
/** A transaction that works for the installation and sees every organisation. */
export type SystemTx = Tx & { readonly system: true; readonly [INNER]: Inner }

/** What a transaction of the installation needs to work for an organisation: its connection, and how it proves the names of organisations. */
type Inner = { connection: PipelinedConnection; proofOf: ProofOf }
const INNER = Symbol('inner side of a transaction')

export type RetryPorts = Pick<Ports, 'timer' | 'random'>

const ATTEMPTS_MAX = 8
const BACKOFF_MS_MAX = 500
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'

export type TransactionOptions = Required<Pick<TransactionSettings, 'isolationLevel'>> &
  Pick<TransactionSettings, 'accessMode'> & {
    /** For whom the transaction works: `organisationEntry` or `SYSTEM_ENTRY`. */
    entry: Entry
    /** What could go along is asked and answered (`mayGoAlong`). */
    demandsAnswers?: boolean
    /** The transaction only reads; what is asked in a turn travels with a beginning and an end. `one`: `act` makes all queries before it first waits. */
    turns?: 'one' | 'several'
    onRetry?: ((cause: Error) => void) | undefined
  }

/**
 * Runs `act` in one transaction, and again from the start if the database aborted it to let another through, so `act`
 * must do nothing outside the transaction that may not happen twice. Throws DatabaseBusyError after 8 attempts. It runs once
 * more, too, if it wrote a row that may exist only once: another may have written it after `act` looked, and the second
 * time `act` finds it and answers as for a row that exists; and if something was refused that went along (`demandAlong`): the second
 * time it is asked and answered. `onRetry` hears why the database aborted one. Throws DatabaseAwayError if the connection is lost: then the transaction may be written or not, so it does not run again here.
 */
export async function runTransaction<T>(pool: pg.Pool, ports: RetryPorts, options: TransactionOptions, act: Act<T>): Promise<T> {
  let hasMetTwin = false
  let demandsAnswers = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(pool, { ...options, demandsAnswers }, act)
    } catch (cause) {
      if (isLostConnection(cause)) throw new DatabaseAwayError(`the database is away: ${(cause as Error).message}`, { cause })
      if (isPoolTimeout(cause)) throw new DatabaseBusyError('the database is busy: no connection came free in time, try again', { cause })
      const isTwin: boolean = codeOf(cause) === UNIQUE_VIOLATION && !hasMetTwin
      const isRefused: boolean = isRefusedAlong(cause) && !demandsAnswers
      if (!isGivenUp(cause) && !isTwin && !isRefused) throw cause
      hasMetTwin ||= isTwin
      demandsAnswers ||= isRefused
      if (!isTwin && !isRefused) options.onRetry?.(cause as Error)
      if (attempt === ATTEMPTS_MAX) {
        throw new DatabaseBusyError(`the database gave the transaction up ${ATTEMPTS_MAX} times because others changed the same rows: try again`, { cause })
      }
    }
    const [random = 0] = ports.random.bytes(1)
    await ports.timer.sleep(Math.min(BACKOFF_MS_MAX, 2 ** attempt * 5) * (0.5 + random / 512))
  }
}

type Act<T> = (tx: Tx, connection: PipelinedConnection) => Promise<T>

/** What the driver keeps of each connection, for as long as there is one. */
const connections = new WeakMap<pg.PoolClient, PipelinedConnection>()

async function runOnce<T>(pool: pg.Pool, options: TransactionOptions, act: Act<T>): Promise<T> {
  const client = await pool.connect()
  const connection = connections.get(client) ?? new PipelinedConnection(client)
  connections.set(client, connection)
  connection.demandsAnswers = options.demandsAnswers ?? false
  const isForOne = options.entry[0] === APP_ROLE
  const frame = (options.turns || (isForOne && onlyReads()) ? enterEachTurn : begin)(connection, options)
  try {
    const result = await within(connection, (tx) => act(tx, connection), options.turns === 'one')
    await frame.end()
    return result
  } catch (cause) {
    connection.forgetWaiting()
    await frame.giveUp()
    throw cause
  } finally {
    client.release(connection.isSpoiled)
  }
}

/** How a transaction ends: with what was done, or with nothing of it. */
type Frame = { end(): Promise<void>; giveUp(): Promise<void> }

/** It begins and enters its organisation together with its first query, which fails if these do: no transaction is ever open that has not entered one. */
function begin(connection: PipelinedConnection, { isolationLevel, accessMode = 'read write', entry }: TransactionOptions): Frame {
  const access = onlyReads() ? 'read only' : accessMode
  connection.prepend(`start transaction isolation level ${isolationLevel}, ${access}`).catch(() => {})
  connection.prepend(ENTRY, entry).catch(() => {})
  return {
    end: async () => {
      // The next user of the connection meets nothing that was not sent yet: it could otherwise run inside of what that one begins. A transaction in which
      // something failed can only be rolled back.
      const { command } = await connection.ask('commit')
      if (command === 'ROLLBACK') throw new AbortedTransactionError()
    },
    giveUp: async () => {
      await connection.ask('rollback').catch(() => {
        connection.isSpoiled = true
      })
    },
  }
}

/**
 * What is sent in one go is one transaction at the server, without a beginning or an end of its own. Its first query has it only read and enters it; where
 * that fails, none of the others runs. At READ COMMITTED, what only reads sees the same whether its turns are one transaction or each is one.
 */
function enterEachTurn(connection: PipelinedConnection, { entry }: TransactionOptions): Frame {
  connection.beginTurns(READING_ENTRY, entry)
  const answered = async () => {
    const cause = await connection.endTurns()
    if (isLostConnection(cause)) connection.isSpoiled = true
    return cause
  }
  return {
    end: async () => {
      const { hasWaiting } = connection
      const cause = await answered()
      // Nobody else hears why something failed that was asked along at last.
      if (cause) throw hasWaiting ? cause : new AbortedTransactionError()
    },
    giveUp: async () => void (await answered()),
  }
}

const compiler = new PostgresQueryCompiler()
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => compiler,
}
const adapter = dialect.createAdapter()
const driver = dialect.createDriver()

/** Gives `act` a transaction that takes no query once `act` is done: what it left running must not query in the name of the connection's next user. */
async function within<T>(connection: PipelinedConnection, act: (tx: Tx) => Promise<T>, isOneTurn = false): Promise<T> {
  let isOver = false
  const demandOpen = () => {
    if (isOver) throw new Error('the transaction is over')
    return connection
  }
  const provideConnection: ConnectionProvider['provideConnection'] = async (consumer) => consumer(demandOpen())
  const executor = new DefaultQueryExecutor(compiler, adapter, { provideConnection })
  const tx = new Transaction<Schema>({ config: { dialect }, dialect, driver, executor })
  connectionsOf.set(tx, demandOpen)
  try {
    const acting = act(tx)
    isOver = isOneTurn
    return await acting
  } finally {
    isOver = true
  }
}

/** The connection of each transaction that is not over. */
const connectionsOf = new WeakMap<Tx, () => PipelinedConnection>()
const connectionOf = (tx: Tx): PipelinedConnection => known(connectionsOf.get(tx), 'the connection of the transaction')()

/**
 * Sends a query that has no answer: it travels with the next query of the transaction, at the latest with its end, and runs before that, in the order in
 * which it was made. If it fails, that query fails as well, and so does the transaction.
 */
export function askAlong(tx: Tx, query: { compile(tx: Tx): CompiledQuery }): void {
  const { sql, parameters } = query.compile(tx)
  // If it fails, the next caller gets the error.
  connectionOf(tx)
    .prepend(sql, parameters)
    .catch(() => {})
}

/** What the database says of a question that went along and was refused. */
const REFUSED_ALONG = 'refused what went along'
const INVALID_TEXT = '22P02'
const isRefusedAlong = (cause: unknown): boolean => codeOf(cause) === INVALID_TEXT && String((cause as Error).message).includes(REFUSED_ALONG)

/**
 * Has a question that goes along fail, and its transaction with it, where it did not do what it was to do: it is part of what the question selects. The
 * transaction runs again, and then `mayGoAlong` says no: whoever asks then waits for the answer, which says why.
 */
export const demandAlong = (isDone: RawBuilder<boolean>): RawBuilder<number> => sql<number>`(case when ${isDone} then '1' else ${REFUSED_ALONG}::text end)::int`

/** Whether a question that may be refused may go along here (`demandAlong`). */
export const mayGoAlong = (tx: Tx): boolean => !connectionOf(tx).demandsAnswers

/** A question of which the values alone differ. */
type Written<Row> = { compile(writer: Kysely<Schema>): CompiledQuery<Row> }

const writer = new Kysely<Schema>({ dialect })

/** The place of a value in a question that is being written. Whoever looks into it, takes it for the value and would write it into the text. */
class Place {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
  [Symbol.toPrimitive](): never {
    throw new Error(`the text of a question that is written once cannot depend on ${String(this.name)}`)
  }
}

/** Asks a question that is written once; `along` sends it as `askAlong` does. */
export type Question<Given, Row> = ((tx: Tx, given: Given) => Promise<Row[]>) & { along(tx: Tx, given: Given): void }

/**
 * A question whose text is made once, for a page that asks it all the time: to build and write it costs more than to send it. `write` gets a place for each
 * value that it names, which stands for a parameter and can be nothing else, so the text is the same whatever the values are.
 */
export function writtenOnce<Given extends object, Row>(write: (db: Kysely<Schema>, given: Given) => Written<Row>): Question<Given, Row> {
  let written: { sql: string; valuesOf(given: Given): unknown[] } | undefined
  const compiled = () => {
    const places = new Proxy({} as Given, { get: (_, name) => new Place(name) })
    const { sql, parameters } = write(writer, places).compile(writer)
    const valuesOf = (given: Given) => parameters.map((each) => (each instanceof Place ? given[each.name as keyof Given] : each))
    return { sql, valuesOf }
  }
  const ask = async (tx: Tx, given: Given) => {
    written ??= compiled()
    const { rows } = await connectionOf(tx).answer(written.sql, written.valuesOf(given))
    return rows as Row[]
  }
  const along = (tx: Tx, given: Given) => {
    written ??= compiled()
    // If it fails, the next caller gets the error.
    connectionOf(tx)
      .prepend(written.sql, written.valuesOf(given))
      .catch(() => {})
  }
  return Object.assign(ask, { along })
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code
}

function isGivenUp(error: unknown): boolean {
  return codeOf(error) === SERIALIZATION_FAILURE || codeOf(error) === DEADLOCK || isStaleStatement(error)
}

function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

/** For whom a transaction works: its role, the organisation it names and the proof of that name. */
type Entry = readonly [role: string, orgId: string, proof: string]
const ENTRY = "select set_config('role', $1, true), set_config('app.org_id', $2, true), set_config('app.org_proof', $3, true)"

const READING_ENTRY = ENTRY.replace('select ', "select set_config('transaction_read_only', 'on', true), ")

/** Has a transaction work for an organisation until it ends. Throws DatabaseError if the id is invalid. */
export function organisationEntry(orgId: string, proofOf: ProofOf): Entry {
  if (!isUuid(orgId)) throw new DatabaseError('an organisation is named by its id, a UUID in lower case')
  return [APP_ROLE, orgId, proofOf(orgId)]
}

/** Has a transaction work for the installation until it ends. */
export const SYSTEM_ENTRY: Entry = [SYSTEM_ROLE, '', '']

/** A transaction that has entered an organisation. */
export const asOrganisationTx = (tx: Tx, orgId: string): OrganisationTx => Object.assign(tx, { orgId })

/** A transaction that works for the installation. */
export const asSystemTx = (tx: Tx, inner: Inner): SystemTx => Object.assign(tx, { system: true as const, [INNER]: inner })

/**
 * Works for one organisation inside a transaction of the installation, so that both are committed together: a scanner moves
 * its cursor and credits the deposits. While `act` runs, only the transaction it is given may be used.
 */
export async function actForOrganisation<T>(tx: SystemTx, orgId: string, act: (tx: OrganisationTx) => Promise<T>): Promise<T> {
  const { connection, proofOf } = tx[INNER]
  // Both go with the next query. After a failed statement the transaction takes no other, so nothing runs in a role that was not taken.
  connection.prepend(ENTRY, organisationEntry(orgId, proofOf)).catch(() => {})
  try {
    return await within(connection, (inner) => act(asOrganisationTx(inner, orgId)))
  } finally {
    connection.prepend(ENTRY, SYSTEM_ENTRY).catch(() => {})
  }
}
