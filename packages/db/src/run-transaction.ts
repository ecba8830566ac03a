import type { Ports } from '@holdfast/ports'
import { isUuid, type OrganisationId } from '@holdfast/units'
import { CompiledQuery, type Dialect, Kysely, PostgresDialect, PostgresDriver, sql, type Transaction, type TransactionSettings } from 'kysely'
import pg from 'pg'
import { DatabaseAwayError, DatabaseBusyError, DatabaseError } from './database-error.ts'
import { APP_ROLE, SYSTEM_ROLE } from './ensure-roles.ts'
import { isLostConnection } from './lost-connection.ts'
import type { ProofOf } from './prepare-run-time.ts'
import type { Schema } from './tables/schema.ts'

/** A transaction, whoever it works for. */
export type Tx = Transaction<Schema>
/** A transaction that works for one organisation: the database shows it no row of another and takes none from it. */
export type OrganisationTx = Tx & { readonly orgId: OrganisationId }
/** A transaction that works for the installation and sees every organisation. */
export type SystemTx = Tx & { readonly system: true; readonly [PROOF]: ProofOf }

/** How a transaction of the installation proves the names of the organisations that it works for. */
const PROOF = Symbol('proof of organisations')

export type RetryPorts = Pick<Ports, 'timer' | 'random'>

const ATTEMPTS_MAX = 8
const BACKOFF_MS_MAX = 500
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'

export type TransactionOptions = Required<Pick<TransactionSettings, 'isolationLevel'>> &
  Pick<TransactionSettings, 'accessMode'> & {
    /** For whom the transaction works: `organisationEntry` or `SYSTEM_ENTRY`. */
    entry: string
    onRetry?: ((cause: Error) => void) | undefined
  }

/**
 * Runs `act` in one transaction and again from the start where the database gave it up to let another through, so `act`
 * must do nothing outside the transaction that may not happen twice. Throws DatabaseBusyError after 8 attempts. It runs once
 * more, too, where it wrote a row that may be there only once: another may have written it after `act` looked, and the second
 * time `act` finds it and says what it says of rows that are there. `onRetry` hears why the database gave one up. Throws
 * DatabaseAwayError where the connection is lost: then the transaction may be written or not, so it is not run again here.
 */
export async function runTransaction<T>(pool: pg.Pool, ports: RetryPorts, options: TransactionOptions, act: (tx: Tx) => Promise<T>): Promise<T> {
  const kysely = new Kysely<Schema>({ dialect: enteringDialect(pool, options.entry) })
  let hasMetTwin = false
  for (let attempt = 1; ; attempt++) {
    try {
      const builder = kysely.transaction().setIsolationLevel(options.isolationLevel)
      return await (options.accessMode ? builder.setAccessMode(options.accessMode) : builder).execute(act)
    } catch (cause) {
      if (isLostConnection(cause)) throw new DatabaseAwayError(`the database is away: ${(cause as Error).message}`, { cause })
      if (isPoolTimeout(cause)) throw new DatabaseBusyError('the database is busy: no connection came free in time, try again', { cause })
      const isTwin: boolean = codeOf(cause) === UNIQUE_VIOLATION && !hasMetTwin
      if (!isGivenUp(cause) && !isTwin) throw cause
      hasMetTwin ||= isTwin
      if (!isTwin) options.onRetry?.(cause as Error)
      if (attempt === ATTEMPTS_MAX) {
        throw new DatabaseBusyError(`the database gave the transaction up ${ATTEMPTS_MAX} times because others changed the same rows: try again`, { cause })
      }
    }
    const [random = 0] = ports.random.bytes(1)
    await ports.timer.sleep(Math.min(BACKOFF_MS_MAX, 2 ** attempt * 5) * (0.5 + random / 512))
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code
}

function isGivenUp(error: unknown): boolean {
  return codeOf(error) === SERIALIZATION_FAILURE || codeOf(error) === DEADLOCK
}

function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0]

/** Begins a transaction and says for whom it works in one question to the server, so that none is ever open that works for nobody yet. */
class EnteringDriver extends PostgresDriver {
  readonly #entry: string

  constructor(pool: pg.Pool, entry: string) {
    super({ pool })
    this.#entry = entry
  }

  override async beginTransaction(connection: Connection, { isolationLevel, accessMode = 'read write' }: TransactionSettings): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw(`start transaction isolation level ${isolationLevel}, ${accessMode}; ${this.#entry}`))
    } catch (cause) {
      // The transaction may have begun before its entry was refused: without this the next one would find it on the same connection.
      await this.rollbackTransaction(connection).catch(() => {})
      throw cause
    }
  }
}

const enteringDialect = (pool: pg.Pool, entry: string): Dialect =>
  Object.assign(new PostgresDialect({ pool }), { createDriver: () => new EnteringDriver(pool, entry) })

const entryOf = (role: string, orgId: string, proof: string): string => {
  const settings = Object.entries({ role, 'app.org_id': orgId, 'app.org_proof': proof })
  return `select ${settings.map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`).join(', ')}`
}

/** The statement that has a transaction work for an organisation until it ends. Throws DatabaseError where it is not named by its id. */
export function organisationEntry(orgId: string, proofOf: ProofOf): string {
  if (!isUuid(orgId)) throw new DatabaseError('an organisation is named by its id, a UUID in lower case')
  return entryOf(APP_ROLE, orgId, proofOf(orgId))
}

/** The statement that has a transaction work for the installation until it ends. */
export const SYSTEM_ENTRY = entryOf(SYSTEM_ROLE, '', '')

/** A transaction that has entered an organisation: a new object, so that the one it came from is not given the organisation's rights. */
export const asOrganisationTx = (tx: Tx, orgId: string): OrganisationTx => Object.assign(tx.withoutPlugins(), { orgId })

/** A transaction that works for the installation. */
export const asSystemTx = (tx: Tx, proofOf: ProofOf): SystemTx => Object.assign(tx.withoutPlugins(), { system: true as const, [PROOF]: proofOf })

/**
 * Works for one organisation inside a transaction of the installation, so that both are committed together: a scanner moves
 * its cursor and credits the deposits. While `act` runs, only the transaction it is given may be used.
 */
export async function actForOrganisation<T>(tx: SystemTx, orgId: string, act: (tx: OrganisationTx) => Promise<T>): Promise<T> {
  const enter = (entry: string) => sql.raw(entry).execute(tx)
  await enter(organisationEntry(orgId, tx[PROOF]))
  try {
    return await act(asOrganisationTx(tx, orgId))
  } finally {
    // After a failed statement the transaction takes no other, and there is nothing left to protect.
    await enter(SYSTEM_ENTRY).catch(() => {})
  }
}
