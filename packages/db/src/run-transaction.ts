import type { Ports } from '@holdfast/ports'
import { type IsolationLevel, type Kysely, sql, type Transaction } from 'kysely'
import { DatabaseAwayError, DatabaseBusyError } from './database-error.ts'
import { APP_ROLE, SYSTEM_ROLE } from './ensure-roles.ts'
import { isLostConnection } from './lost-connection.ts'
import type { ProofOf } from './prepare-run-time.ts'
import type { Schema } from './schema.ts'

/** A transaction, whoever it works for. */
export type Tx = Transaction<Schema>
/** A transaction that works for one organisation: the database shows it no row of another and takes none from it. */
export type OrganisationTx = Tx & { readonly orgId: string }
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

/**
 * Runs `act` in one transaction and again from the start where the database gave it up to let another through, so `act`
 * must do nothing outside the transaction that may not happen twice. Throws DatabaseBusyError after 8 attempts. It runs once
 * more, too, where it wrote a row that may be there only once: another may have written it after `act` looked, and the second
 * time `act` finds it and says what it says of rows that are there. `onRetry` hears why the database gave one up. Throws
 * DatabaseAwayError where the connection is lost: then the transaction may be written or not, so it is not run again here.
 */
export async function runTransaction<T>(
  kysely: Kysely<Schema>,
  ports: RetryPorts,
  options: { isolation: IsolationLevel; readOnly?: boolean; onRetry?: ((cause: Error) => void) | undefined },
  act: (tx: Tx) => Promise<T>,
): Promise<T> {
  let hasMetTwin = false
  for (let attempt = 1; ; attempt++) {
    try {
      const builder = kysely.transaction().setIsolationLevel(options.isolation)
      return await (options.readOnly ? builder.setAccessMode('read only') : builder).execute(act)
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

/** Makes the transaction work for an organisation until it ends. */
export async function enterOrganisation(tx: Tx, orgId: string, proofOf: ProofOf): Promise<OrganisationTx> {
  await sql`select set_config('role', ${APP_ROLE}, true), set_config('app.org_id', ${orgId}, true), set_config('app.org_proof', ${proofOf(orgId)}, true)`.execute(
    tx,
  )
  // A new object over the same transaction, so that the one it came from is not given the organisation's rights.
  return Object.assign(tx.withoutPlugins(), { orgId })
}

/** Makes the transaction work for the installation until it ends. */
export async function enterSystem(tx: Tx, proofOf: ProofOf): Promise<SystemTx> {
  await sql`select set_config('role', ${SYSTEM_ROLE}, true), set_config('app.org_id', '', true), set_config('app.org_proof', '', true)`.execute(tx)
  return Object.assign(tx.withoutPlugins(), { system: true as const, [PROOF]: proofOf })
}

/** How a transaction of the installation proves the names of organisations. */
export const proofOfSystem = (tx: SystemTx): ProofOf => tx[PROOF]
