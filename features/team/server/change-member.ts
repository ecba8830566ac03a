import { AppError } from '@holdfast/contract'
import { actForOrganisation, type OrganisationTx, type SystemTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { endSessions, type Role } from '@holdfast/features/session/server'
import { sql } from 'kysely'
import { teamErrors } from '../errors.ts'
import {
  type Actor,
  breaksWithout,
  breaksWithRole,
  namedIn,
  type PersonRow,
  readForChange,
  refuseLastOwner,
  refuseOwnAccount,
  refuseUnlessOwner,
} from './guards.ts'
import { useLinks } from './key-links.ts'
import { writeMemberEvent } from './member-event.ts'

type Needs = Pick<ServerContext, 'ports'>

/**
 * Gives a member another role. Owners are made and changed by owners, the last active owner stays one, and a change of the policy
 * must stay possible. Who may approve is not touched by it. Links to join that an administrator may hold lead into no owner's account: whoever
 * becomes one before they joined needs new ones. Throws AppError.
 */
export async function changeRole(tx: SystemTx, needs: Needs, orgId: string, actor: Actor, { personId, role }: { personId: string; role: Role }): Promise<void> {
  const nowMs = needs.ports.clock.nowMs()
  const target = await actForOrganisation(tx, orgId, async (organisation) => {
    const row = await readForChange(organisation, personId)
    refuseUnlessOwner(actor, row, role)
    if (row.role === role) return undefined
    if (role !== 'owner') await refuseLastOwner(organisation, row)
    refuseBroken(await breaksWithRole(organisation, personId, role, actor.language))
    await organisation
      .updateTable('person')
      .set({ role, updated_at: Math.max(nowMs, Number(row.updated_at)) })
      .where('org_id', '=', orgId)
      .where('id', '=', personId)
      .execute()
    return row
  })
  if (!target) return
  if (role === 'owner') await useInvites(tx, { orgId, personId }, nowMs)
  await actForOrganisation(tx, orgId, (organisation) =>
    writeMemberEvent(organisation, needs, { personId, actor: actor.personId, kind: 'role_changed', from: target.role, to: role }),
  )
}

/**
 * Suspends a member: their sessions end now and their word on the approval page is not taken. Refused where approvals of the policy
 * could not be completed without them. Answers the ids of the sessions that ended.
 */
export async function suspendMember(
  tx: SystemTx,
  needs: Needs,
  orgId: string,
  actor: Actor,
  { personId, remark }: { personId: string; remark: string },
): Promise<string[]> {
  const target = await actForOrganisation(tx, orgId, async (organisation) => {
    const row = await readForChange(organisation, personId)
    refuseOwnAccount(actor, row)
    refuseUnlessOwner(actor, row)
    if (row.state === 'suspended') return undefined
    await refuseLastOwner(organisation, row)
    refuseBroken(await breaksWithout(organisation, personId, actor.language))
    await writeState(organisation, needs, row, 'suspended')
    return row
  })
  if (!target) return []
  const ended = await endSessions(tx, needs.ports.clock, { orgId, personId })
  await actForOrganisation(tx, orgId, (organisation) =>
    writeMemberEvent(organisation, needs, { personId, actor: actor.personId, kind: 'suspended', from: target.state, note: remark }),
  )
  return ended
}

/** Lets a suspended member in again: as active, or as invited where they never chose a way to sign in. */
export async function resumeMember(tx: OrganisationTx, needs: Needs, actor: Actor, { personId, remark }: { personId: string; remark: string }): Promise<void> {
  const target = await readForChange(tx, personId)
  refuseUnlessOwner(actor, target)
  if (target.state !== 'suspended') return
  const way = await tx
    .selectFrom('login_credential')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  const state = way ? 'active' : 'invited'
  await writeState(tx, needs, target, state)
  await writeMemberEvent(tx, needs, { personId, actor: actor.personId, kind: 'resumed', to: state, note: remark })
}

/**
 * Removes a member for good: sessions, ways to sign in and open links end. Refused while the policy names them, for the signers
 * would still count their key whatever this server says. Answers the ids of the sessions that ended.
 */
export async function removeMember(
  tx: SystemTx,
  needs: Needs,
  orgId: string,
  actor: Actor,
  { personId, remark }: { personId: string; remark: string },
): Promise<string[]> {
  const nowMs = needs.ports.clock.nowMs()
  const target = await actForOrganisation(tx, orgId, async (organisation) => {
    const row = await readForChange(organisation, personId)
    refuseOwnAccount(actor, row)
    refuseUnlessOwner(actor, row)
    await refuseLastOwner(organisation, row)
    const places = await namedIn(organisation, personId, actor.language)
    if (places !== '') throw new AppError(teamErrors.named_in_policy, { details: { name: row.name, reason: places } })
    refuseBroken(await breaksWithout(organisation, personId, actor.language))
    await writeState(organisation, needs, row, 'removed')
    await organisation
      .updateTable('login_credential')
      .set({ revoked_at: sql<bigint>`greatest(created_at, ${BigInt(nowMs)})` })
      .where('org_id', '=', orgId)
      .where('person_id', '=', personId)
      .where('revoked_at', 'is', null)
      .execute()
    return row
  })
  await useInvites(tx, { orgId, personId }, nowMs)
  await useLinks(tx, { orgId, personId }, nowMs)
  const ended = await endSessions(tx, needs.ports.clock, { orgId, personId })
  await actForOrganisation(tx, orgId, (organisation) =>
    writeMemberEvent(organisation, needs, { personId, actor: actor.personId, kind: 'removed', from: target.state, note: remark }),
  )
  return ended
}

/** Makes every open invitation of a person worthless. */
export async function useInvites(tx: SystemTx, { orgId, personId }: { orgId: string; personId: string }, nowMs: number): Promise<void> {
  await tx
    .updateTable('invite')
    .set({ used_at: sql<bigint>`greatest(created_at, ${BigInt(nowMs)})` })
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .execute()
}

function refuseBroken(broken: readonly string[]): void {
  if (broken.length > 0) throw new AppError(teamErrors.quorum_would_break, { details: { reason: broken.join('; ') } })
}

async function writeState(tx: OrganisationTx, { ports }: Needs, target: PersonRow, state: PersonRow['state']): Promise<void> {
  await tx
    .updateTable('person')
    .set({ state, updated_at: Math.max(ports.clock.nowMs(), Number(target.updated_at)) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', target.id)
    .execute()
}
