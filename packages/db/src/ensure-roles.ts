import pg from 'pg'
import { DatabaseError } from './database-error.ts'

export const APP_ROLE = 'holdfast_app'
export const SYSTEM_ROLE = 'holdfast_system'

/**
 * Creates the two roles that transactions work as, and lets the login take them. Roles belong to the whole server and not to
 * a database, so every start checks them and not only a migration. They cannot log in and own nothing.
 */
export async function ensureRoles(client: pg.ClientBase): Promise<void> {
  for (const role of [APP_ROLE, SYSTEM_ROLE]) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
    if (!rowCount) await tolerating(client.query(`create role ${role} nologin`), role)
    if (!(await mayTake(client, role))) await tolerating(client.query(`grant ${role} to current_user`), role)
    if (!(await mayTake(client, role))) throw cannotTake(role)
  }
}

/** Asks by trying: the rule of who may take a role differs between PostgreSQL 15 and 16. */
async function mayTake(client: pg.ClientBase, role: string): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query(`set local role ${role}`)
    return true
  } catch {
    return false
  } finally {
    await client.query('rollback')
  }
}

const DUPLICATE_OBJECT = '42710'
const UNIQUE_VIOLATION = '23505'
const CONCURRENT_UPDATE = 'XX000'
const INSUFFICIENT_PRIVILEGE = '42501'

/** Two programs that start at once both try; a role that one of them created is there for the other. */
async function tolerating(query: Promise<unknown>, role: string): Promise<void> {
  await query.catch((cause: { code?: string }) => {
    if (cause.code === INSUFFICIENT_PRIVILEGE) throw cannotTake(role, cause)
    if (cause.code !== DUPLICATE_OBJECT && cause.code !== UNIQUE_VIOLATION && cause.code !== CONCURRENT_UPDATE) throw cause
  })
}

function cannotTake(role: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    `the database login may not take the role ${role}: as a superuser run "create role ${role} nologin" if it is missing, then "grant ${role} to" the login`,
    { cause },
  )
}
