import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx, Schema } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import { availableIn, brokenText, currentPolicy, newlyBroken, placesOf, policyWords, readDirectory, withoutPeople } from '@holdfast/features/policy/server'
import type { Role } from '@holdfast/features/session/server'
import { deputiesMeant } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import type { Selectable } from 'kysely'
import { teamErrors } from '../errors.ts'

export type PersonRow = Selectable<Schema['person']>
export type Actor = { personId: string; role: string; language: Language }

/** A member whom the caller is about to change, locked. Owners are locked all together: two must not demote each other at once. */
export async function readForChange(tx: OrganisationTx, personId: string): Promise<PersonRow> {
  await tx.selectFrom('person').select('id').where('org_id', '=', tx.orgId).where('role', '=', 'owner').orderBy('id').forNoKeyUpdate().execute()
  const row = await tx.selectFrom('person').selectAll().where('org_id', '=', tx.orgId).where('id', '=', personId).forNoKeyUpdate().executeTakeFirst()
  if (!row || row.state === 'removed') throw new AppError('resource_not_found')
  return row
}

/** Owners are changed and made by owners alone. */
export function refuseUnlessOwner(actor: Actor, target: Pick<PersonRow, 'role'>, newRole?: Role): void {
  if ((target.role === 'owner' || newRole === 'owner') && actor.role !== 'owner') throw new AppError(teamErrors.owner_only)
}

export function refuseOwnAccount(actor: Actor, target: Pick<PersonRow, 'id'>): void {
  if (actor.personId === target.id) throw new AppError(teamErrors.own_account)
}

/** Somebody must be left who can make owners. */
export async function refuseLastOwner(tx: OrganisationTx, target: PersonRow): Promise<void> {
  if (target.role === 'owner' && !(await hasOtherOwner(tx, target.id))) throw new AppError(teamErrors.last_owner)
}

/** Whether somebody else is an owner who can act. */
export async function hasOtherOwner(tx: OrganisationTx, personId: string): Promise<boolean> {
  const other = await tx
    .selectFrom('person')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('role', '=', 'owner')
    .where('state', '=', 'active')
    .where('id', '<>', personId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Approvals of the policy that nobody could complete without a person, as sentences. */
export async function breaksWithout(tx: OrganisationTx, personId: string, language: Language): Promise<string[]> {
  const { policy } = await currentPolicy(tx)
  const before = availableIn(await readDirectory(tx))
  return brokenText(newlyBroken(policy, before, withoutPeople(before, [uuidToBytes(personId)])), policy, language)
}

/** The same where a person stays and gets another role: who may propose a change of the policy is a matter of roles. */
export async function breaksWithRole(tx: OrganisationTx, personId: string, role: Role, language: Language): Promise<string[]> {
  const { policy } = await currentPolicy(tx)
  const directory = await readDirectory(tx)
  const members = new Map(directory.members)
  const member = members.get(personId)
  if (member) members.set(personId, { ...member, role })
  return brokenText(newlyBroken(policy, availableIn(directory), availableIn({ ...directory, members })), policy, language)
}

/** Where the policy names a person, as one sentence; empty if it does not. */
export async function namedIn(tx: OrganisationTx, personId: string, language: Language): Promise<string> {
  const { policy } = await currentPolicy(tx)
  const id = uuidToBytes(personId)
  const places = placesOf(policy, id)
  const words = policyWords[language]
  const placesAs = (as: (typeof places)[number]['as']) =>
    places
      .filter((each) => each.as === as)
      .map(({ of }) => words.place(of))
      .join(words.separator)
  const said = (as: Parameters<typeof placesAs>[0], say: (places: string) => string) => (placesAs(as) === '' ? [] : [say(placesAs(as))])
  const parts = [
    ...said('approver', words.approves),
    ...said('initiator', words.asks),
    ...said('stopper', words.stops),
    ...(places.some((each) => each.as === 'governor') ? [words.governs] : []),
    ...(deputiesMeant(policy).some((each) => equalBytes(each, id)) ? [words.standsIn] : []),
  ]
  return parts.join(words.separator)
}
