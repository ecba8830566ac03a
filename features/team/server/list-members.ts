import type { InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import { currentPolicy, keyView } from '@holdfast/features/policy/server'
import { credentialShape } from '@holdfast/intent'
import { approversOf, findPerson, type Policy, ruleName } from '@holdfast/policy'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import type { listMembers } from '../contract.ts'
import type { PersonRow } from './guards.ts'
import { type OutOfOffice, readOutOfOffice } from './out-of-office.ts'

type Filter = InputOf<typeof listMembers>
type Way = { person_id: string; kind: 'passkey' | 'password' | 'device' }
type Origin = { link_by: string; answer: 'confirmed' | 'denied' | 'waiting' }
type MadeKey = { personId: string; key: ReturnType<typeof keyView>; createdAtMs: number; origin: Origin | null }

/** What a page of members is made of, read once. `seen` is when each was last active, by person. */
export type MemberContext = {
  policy: Policy
  ways: Way[]
  made: MadeKey[]
  away: ReadonlyMap<string, OutOfOffice>
  seen: ReadonlyMap<string, number>
  showsAccounts: boolean
}

type Given = Pick<MemberContext, 'seen' | 'showsAccounts'> & { nowMs: number }

export async function openMembers(tx: OrganisationTx, { nowMs, ...given }: Given): Promise<MemberContext> {
  const { policy } = await currentPolicy(tx)
  const ways = await tx
    .selectFrom('login_credential')
    .select(['person_id', 'kind'])
    .where('org_id', '=', tx.orgId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .execute()
  const rows = await tx
    .selectFrom('approval_key')
    .leftJoin('person as maker', (join) => join.onRef('maker.org_id', '=', 'approval_key.org_id').onRef('maker.id', '=', 'approval_key.link_by'))
    .select(['person_id', 'credential', 'page', 'approval_key.created_at', 'confirmed_at', 'denied_at', 'maker.name as maker'])
    .where('approval_key.org_id', '=', tx.orgId)
    .orderBy('approval_key.created_at')
    .execute()
  const made = rows.map((row) => ({
    personId: row.person_id,
    key: keyView(decode(credentialShape, new Uint8Array(row.credential)), row.page),
    createdAtMs: Number(row.created_at),
    origin: row.maker === null ? null : { link_by: row.maker, answer: answerOf(row) },
  }))
  return { ...given, policy, ways: ways as Way[], made, away: await readOutOfOffice(tx, nowMs) }
}

function answerOf(row: { confirmed_at: bigint | null; denied_at: bigint | null }): Origin['answer'] {
  if (row.denied_at !== null) return 'denied'
  return row.confirmed_at === null ? 'waiting' : 'confirmed'
}

/**
 * Members by role, state and name, in the order they came. Who was removed is shown only where asked for. The account is searched only for those who are shown
 * it: whoever sees it masked could ask for the rest letter by letter.
 */
export async function listPeople(
  tx: OrganisationTx,
  filter: Filter,
  { showsAccounts }: Pick<MemberContext, 'showsAccounts'>,
): Promise<{ rows: PersonRow[]; total: number }> {
  let query = tx.selectFrom('person').where('org_id', '=', tx.orgId)
  query = filter.state === undefined ? query.where('state', '<>', 'removed') : query.where('state', '=', filter.state)
  if (filter.role !== undefined) query = query.where('role', '=', filter.role)
  const keyword = filter.keyword?.trim().toLowerCase() ?? ''
  if (keyword !== '') {
    const pattern = `%${keyword.replaceAll(/[\\%_]/g, '\\$&')}%`
    query = query.where((row) => {
      const isNamed = row(row.fn<string>('lower', ['name']), 'like', pattern)
      return showsAccounts ? row.or([isNamed, row('login', 'like', pattern)]) : isNamed
    })
  }
  const { count } = await query.select((row) => row.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  const rows = await query
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .offset((filter.page_no - 1) * filter.page_size)
    .limit(filter.page_size)
    .execute()
  return { rows, total: Number(count) }
}

/** A member as lists show one. */
export function memberView({ policy, ways, made, away, seen, showsAccounts }: MemberContext, row: PersonRow) {
  const inPolicy = findPerson(policy, uuidToBytes(row.id))
  const isOwn = (id: Uint8Array) => bytesToUuid(id) === row.id
  const rules = policy.rules.filter((rule) => approversOf(rule, policy).some(isOwn)).map(ruleName)
  const governs = policy.governance.approvers.some(isOwn)
  const own = made.filter((each) => each.personId === row.id)
  const named = (inPolicy?.credentials ?? []).map((key) => ({
    ...keyView(key),
    in_policy: true,
    created_at: own.find((each) => each.key.key_id === toHex(key.id))?.createdAtMs ?? null,
    origin: own.find((each) => each.key.key_id === toHex(key.id))?.origin ?? null,
  }))
  const waiting = own
    .filter((each) => !named.some((key) => key.key_id === each.key.key_id))
    .map((each) => ({ ...each.key, in_policy: false, created_at: each.createdAtMs, origin: each.origin }))
  const ownWays = [...new Set(ways.filter((each) => each.person_id === row.id).map((each) => each.kind))]
  return {
    user_id: row.id,
    nick_name: row.name,
    account_masked: showsAccounts ? row.login : maskAccount(row.login),
    workspace_role: row.role,
    wallet_roles: [],
    same_rights_pri: 0 as const,
    kyc_status: 0 as const,
    google_bind: ownWays.includes('password'),
    approver: rules.length > 0 || governs,
    strategies: rules.length,
    rules,
    governs,
    ways: ownWays,
    keys: [...named, ...waiting],
    last_login_at: row.last_login_at === null ? null : Number(row.last_login_at),
    last_seen_at: seen.get(row.id) ?? (row.last_login_at === null ? null : Number(row.last_login_at)),
    state: row.state,
    out_of_office: away.get(row.id) ?? null,
    joined_at: Number(row.created_at),
  }
}

/** The first and last letter of the name before the @, for those who may not manage members. */
export function maskAccount(login: string): string {
  const at = login.lastIndexOf('@')
  const name = [...(at < 0 ? login : login.slice(0, at))]
  const place = at < 0 ? '' : login.slice(at)
  return name.length < 3 ? `***${place}` : `${name[0]}***${name.at(-1)}${place}`
}
