import { createHmac } from 'node:crypto'
import type { Ports } from '@holdfast/ports'
import { at, RecentMap } from '@holdfast/units'
import pg from 'pg'
import { DatabaseError } from './database-error.ts'
import { APP_ROLE, SYSTEM_ROLE } from './ensure-roles.ts'
import { REVISION_STATEMENTS } from './revision/revisions.ts'

/**
 * The owner of the tables brings them to this release and is not used afterwards. The server connects by two logins that own nothing and may do nothing
 * but become the roles of the wall: one for transactions of an organisation, which can become only the app role, and one for transactions of the
 * installation. So SQL smuggled into a transaction of an organisation cannot step out of its role: the login behind it has no rights.
 * Nor can it name another organisation: the wall asks for a proof that the server gave the name, an HMAC under a key that no login can read.
 */
export type RunTime = { organisation: Login; system: Login; proofOf: ProofOf }
type Login = { name: string; password: string }
/** The proof that accompanies the name of an organisation, in hexadecimal. */
export type ProofOf = (orgId: string) => string

type Kind = 'organisation' | 'system'
const ROLES: Record<Kind, readonly string[]> = { organisation: [APP_ROLE], system: [SYSTEM_ROLE, APP_ROLE] }

/**
 * Outside the schema of the tables, where no role may look. HMAC of RFC 2104 with SHA-256: its two padded keys are kept instead of the key, because SQL
 * has no exclusive or for bytes. A name without its proof ends the statement. It is asked once for each table of each statement, so it is a function whose
 * plan a connection keeps, and every name in it is qualified instead of setting a path for each call: no schema of somebody else's is ever looked into.
 */
export const RUN_TIME_STATEMENTS = [
  'create schema if not exists holdfast_private',
  'create table if not exists holdfast_private.login (kind text primary key, name text not null, password text not null)',
  'create table if not exists holdfast_private.proof_key (only_one boolean primary key check (only_one), inner_key bytea not null, outer_key bytea not null)',
  // The key never changes, so a connection looks it up once: as a constant in the plan that it keeps of the function below, where no SQL can look.
  `create or replace function holdfast_private.padded_key(is_outer boolean) returns bytea language sql immutable
    as 'select case when is_outer then k.outer_key else k.inner_key end from holdfast_private.proof_key k'`,
  'revoke execute on function holdfast_private.padded_key(boolean) from public',
  `create or replace function holdfast_private.organisation() returns pg_catalog.uuid language plpgsql stable parallel safe security definer as $$
    declare
      named pg_catalog.text := pg_catalog.current_setting('app.org_id');
    begin
      if pg_catalog.current_setting('app.org_proof') operator(pg_catalog.=)
        pg_catalog.encode(pg_catalog.sha256(holdfast_private.padded_key(true) operator(pg_catalog.||)
          pg_catalog.sha256(holdfast_private.padded_key(false) operator(pg_catalog.||) pg_catalog.convert_to(named, 'UTF8'))), 'hex')
      then
        return named::pg_catalog.uuid;
      end if;
      return 'an organisation without its proof'::pg_catalog.uuid;
    end $$`,
  // So that the check of a session travels with what is read in its name. The table of sessions stays closed to the role of organisations: it learns of one
  // session at a time, by the hash of its token, and of its own organisation alone. Every name in it is qualified too.
  'create schema if not exists holdfast_shown',
  `grant usage on schema holdfast_shown to ${APP_ROLE}`,
  `create or replace function holdfast_shown.session_of(token_hash bytea, out org_id uuid, out person_id uuid, out role text, out expires_at bigint, out last_seen_at bigint)
    language plpgsql stable security definer as $$
    #variable_conflict use_column
    begin
      select s.org_id, s.person_id, p.role, s.expires_at, s.last_seen_at into session_of.org_id, session_of.person_id, session_of.role,
        session_of.expires_at, session_of.last_seen_at
        from public.session s
        join public.person p on p.org_id operator(pg_catalog.=) s.org_id and p.id operator(pg_catalog.=) s.person_id
        where s.id operator(pg_catalog.=) token_hash and s.org_id operator(pg_catalog.=) pg_catalog.current_setting('app.org_id')::pg_catalog.uuid
          and s.revoked_at is null and p.state operator(pg_catalog.=) 'active';
    end $$`,
  'revoke execute on function holdfast_shown.session_of(bytea) from public',
  `grant execute on function holdfast_shown.session_of(bytea) to ${APP_ROLE}`,
  ...REVISION_STATEMENTS,
]

const HMAC_BLOCK_BYTES = 64
const SETTING = "current_setting('app.org_id'::text)"

/** Creates logins, key and proof if they are missing, and has the wall of every table ask for the proof. Several programs may call it at once. */
export async function prepareRunTime(client: pg.ClientBase, random: Ports['random']): Promise<RunTime> {
  await client.query('begin')
  try {
    await client.query("select from lease where name = 'migration' for update")
    await client.query(RUN_TIME_STATEMENTS.join(';\n'))
    await refuseOwnTables(client)
    await askForProof(client)
    const key = await ensureKey(client, random)
    const organisation = await ensureLogin(client, random, 'organisation')
    const system = await ensureLogin(client, random, 'system')
    await client.query('commit')
    return { organisation, system, proofOf: rememberProofs((orgId) => createHmac('sha256', key).update(orgId, 'utf8').digest('hex')) }
  } catch (cause) {
    await client.query('rollback').catch(() => {})
    if ((cause as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw cause
    const remedy = `"alter database <name> owner to <login>", "alter role <login> createrole" and "grant ${APP_ROLE}, ${SYSTEM_ROLE} to <login> with admin option"`
    throw new DatabaseError(`the login of DATABASE_URL may not make the logins that the server works with: as a superuser run ${remedy}`, { cause })
  }
}

/** The proof of a name never changes. */
function rememberProofs(make: ProofOf): ProofOf {
  const remembered = new RecentMap<string, string>(10_000)
  return (orgId) => {
    const known = remembered.get(orgId)
    if (known !== undefined) return known
    const proof = make(orgId)
    remembered.set(orgId, proof)
    return proof
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'
const DUPLICATE_OBJECT = '42710'

/** Nobody needs tables of their own, and the next user of the connection would find one with the name of ours first. */
async function refuseOwnTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; may_revoke: boolean; temporary: boolean; may_close: boolean; in_schema: boolean }>(
    `select datname::text as name, pg_has_role(datdba, 'usage') as may_revoke, has_database_privilege($1, oid, 'temporary') as temporary,
      (select pg_has_role(nspowner, 'usage') from pg_namespace where nspname = 'public') as may_close, has_schema_privilege($1, 'public', 'create') as in_schema
      from pg_database where datname = current_database()`,
    [APP_ROLE],
  )
  const { name, may_revoke: mayRevoke, temporary, may_close: mayClose, in_schema: inSchema } = at(rows, 0)
  const wanted = [
    { isOpen: temporary, may: mayRevoke, statement: `revoke temporary on database ${pg.escapeIdentifier(name)} from public` },
    { isOpen: inSchema, may: mayClose, statement: 'revoke create on schema public from public' },
  ]
  for (const { isOpen, may, statement } of wanted) {
    if (isOpen && !may) throw new DatabaseError(`everybody may make tables in this database: as its owner run "${statement}"`)
    if (isOpen) await client.query(statement)
  }
}

/** The migrations wrote the walls in their first form, with the name alone. */
async function askForProof(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ tablename: string; policyname: string; qual: string }>(
    "select tablename, policyname, qual from pg_policies where schemaname = 'public' and position($1 in qual) > 0",
    [SETTING],
  )
  const statements = rows.map(({ tablename, policyname, qual }) => {
    // Asked once for each statement, and not for each row.
    const proven = qual.replaceAll(`(${SETTING})::uuid`, '(select holdfast_private.organisation())')
    if (proven.includes('current_setting')) throw new DatabaseError(`the wall of the table ${tablename} is not one of ours: ${qual}`)
    return `alter policy ${pg.escapeIdentifier(policyname)} on ${pg.escapeIdentifier(tablename)} using ${proven}`
  })
  await client.query(statements.join(';\n'))
}

async function ensureKey(client: pg.ClientBase, random: Ports['random']): Promise<Uint8Array> {
  const fresh = random.bytes(32)
  const padded = (key: Uint8Array, pad: number) => Buffer.from(Uint8Array.from({ length: HMAC_BLOCK_BYTES }, (_, i) => (key[i] ?? 0) ^ pad))
  await client.query('insert into holdfast_private.proof_key values (true, $1, $2) on conflict do nothing', [padded(fresh, 0x36), padded(fresh, 0x5c)])
  const { rows } = await client.query<{ inner_key: Uint8Array }>('select inner_key from holdfast_private.proof_key')
  return at(rows, 0).inner_key.map((byte) => byte ^ 0x36)
}

/** The tables keep a login's name and password, which only the owner can read, so that all servers of one database use the same. */
async function ensureLogin(client: pg.ClientBase, random: Ports['random'], kind: Kind): Promise<Login> {
  const hex = (length: number) => Buffer.from(random.bytes(length)).toString('hex')
  await client.query('insert into holdfast_private.login values ($1, $2, $3) on conflict do nothing', [kind, `holdfast_${kind}_${hex(6)}`, hex(32)])
  const { rows } = await client.query<Login>('select name, password from holdfast_private.login where kind = $1', [kind])
  const login = at(rows, 0)
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [login.name])
  if (!rowCount) await makeLogin(client, login, ROLES[kind])
  await assertPowerless(client, login, ROLES[kind])
  return login
}

async function makeLogin(client: pg.ClientBase, { name, password }: Login, roles: readonly string[]): Promise<void> {
  await client.query('savepoint login')
  try {
    await client.query(
      `create role ${pg.escapeIdentifier(name)} login noinherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${pg.escapeLiteral(password)}`,
    )
    await client.query(`grant ${roles.join(', ')} to ${pg.escapeIdentifier(name)}`)
  } catch (cause) {
    // A copy of this database on the same server created it at this moment.
    if ((cause as { code?: string }).code !== DUPLICATE_OBJECT) throw cause
    await client.query('rollback to savepoint login')
  }
}

/** Somebody may have given a login more rights than it was created with. */
async function assertPowerless(client: pg.ClientBase, { name }: Login, roles: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ powerful: boolean; roles: string[]; owns: string | null }>(
    `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication or rolinherit as powerful,
      array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid order by 1) as roles,
      (select c.relname::text from pg_class c where c.relowner = r.oid limit 1) as owns
      from pg_roles r where rolname = $1`,
    [name],
  )
  const found = at(rows, 0)
  if (found.powerful || found.owns !== null || found.roles.join() !== [...roles].sort().join())
    throw new DatabaseError(`the login ${name} can do more than take its roles: drop it, and it is made again as it should be`)
}

/** The same server and database by another login. */
export function urlOfLogin(url: string, { name, password }: Login): string {
  // An address with a socket and no host is right for PostgreSQL and no URL for JavaScript.
  const address = new URL(url.replace(/^(postgres(?:ql)?:\/\/)([^/@]*@)?(?=[/?])/, '$1$2localhost'))
  address.username = name
  address.password = password
  return address.toString()
}
