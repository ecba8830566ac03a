import { AppError, looksLikeName } from '@holdfast/contract'
import { actForOrganisation, lockNames, type SystemTx } from '@holdfast/db'
import { claimRequest, type RequestKey } from '@holdfast/http'
import { approvalPages } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { createInvite, type Role } from '@holdfast/features/session/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { newId } from '@holdfast/units'
import { teamErrors } from '../errors.ts'
import { useInvites } from './change-member.ts'
import { type Actor, readForChange, refuseUnlessOwner } from './guards.ts'
import { createKeyLink, LINK_LIFE_MS } from './key-links.ts'
import { writeMemberEvent } from './member-event.ts'

type Needs = Pick<ServerContext, 'ports' | 'settings'>
export type Invitation = { key: RequestKey; name: string; account: string; role: Role; approver: boolean; language: 'en-US' | 'zh-CN' }
type Links = { user_id: string; sign_in_url: string | null; key_links: { page: string; url: string }[]; expires_at: number }

/**
 * Takes a new member in, as invited, and gives the links with which they join. The same request again gives new links for the same
 * person: links are kept as hashes alone, so the first ones cannot be shown again, and stop working. It needs a code as the first one did, and is refused
 * once the person has joined, as `renewInvite` would be.
 */
export async function inviteMember(
  tx: SystemTx,
  needs: Needs,
  orgId: string,
  actor: Actor,
  invitation: Invitation,
  demand: (tx: Parameters<Parameters<typeof actForOrganisation>[2]>[0]) => Promise<void>,
): Promise<Links> {
  const { ports } = needs
  refuseUnlessOwner(actor, { role: 'viewer' }, invitation.role)
  const nowMs = ports.clock.nowMs()
  const personId = await actForOrganisation(tx, orgId, async (organisation) => {
    const { key, name, account, role } = invitation
    await demand(organisation)
    const { fresh, resultId } = await claimRequest(organisation, { key, kind: 'member_invite', resultId: newId(nowMs, ports.random), nowMs })
    if (!fresh) {
      const row = await readForChange(organisation, resultId)
      refuseUnlessOwner(actor, row)
      if (row.state !== 'invited') throw new AppError('state_changed')
      return resultId
    }
    await lockNames(organisation, 'person')
    const taken = await organisation.selectFrom('person').select('id').where('org_id', '=', orgId).where('login', '=', account).executeTakeFirst()
    if (taken) throw new AppError(teamErrors.account_taken)
    const members = await organisation.selectFrom('person').select('name').where('org_id', '=', orgId).where('state', '!=', 'removed').execute()
    const alike = members.find((each) => looksLikeName(each.name, name))
    if (alike) throw new AppError('name_taken', { details: { name: alike.name } })
    await organisation
      .insertInto('person')
      .values({
        org_id: orgId,
        id: resultId,
        name,
        login: account,
        role,
        state: 'invited',
        language: invitation.language,
        failed_logins: 0,
        created_at: nowMs,
        updated_at: nowMs,
      })
      .execute()
    await writeMemberEvent(organisation, needs, { personId: resultId, actor: actor.personId, kind: 'invited', to: role })
    return resultId
  })
  return makeLinks(tx, needs, { orgId, personId }, { signIn: true, key: invitation.approver, madeBy: actor.personId })
}

/** New links for a member who lost theirs: to sign in while they have not joined, and to make an approval key where asked for. */
export async function renewInvite(
  tx: SystemTx,
  needs: Needs,
  orgId: string,
  actor: Actor,
  { personId, approver }: { personId: string; approver: boolean },
  demand: (tx: Parameters<Parameters<typeof actForOrganisation>[2]>[0]) => Promise<void>,
): Promise<Links> {
  const target = await actForOrganisation(tx, orgId, async (organisation) => {
    await demand(organisation)
    const row = await readForChange(organisation, personId)
    refuseUnlessOwner(actor, row)
    // Whoever has joined chooses further ways to sign in alone: a link for that would be a way into their account.
    if (row.state === 'suspended' || (row.state === 'active' && !approver)) throw new AppError('state_changed')
    await writeMemberEvent(organisation, needs, { personId, actor: actor.personId, kind: row.state === 'invited' ? 'invited_again' : 'key_link' })
    return row
  })
  return makeLinks(tx, needs, { orgId, personId }, { signIn: target.state === 'invited', key: approver, madeBy: actor.personId })
}

async function makeLinks(
  tx: SystemTx,
  needs: Needs,
  person: { orgId: string; personId: string },
  wanted: { signIn: boolean; key: boolean; madeBy: string },
): Promise<Links> {
  const nowMs = needs.ports.clock.nowMs()
  if (wanted.signIn) await useInvites(tx, person, nowMs)
  const invite = wanted.signIn ? await createInvite(tx, needs.ports, person) : undefined
  const pages = wanted.key ? approvalPages(needs, (await actForOrganisation(tx, person.orgId, currentPolicy)).policy) : []
  const keys = []
  for (const page of pages) keys.push({ page, ...(await createKeyLink(tx, needs, { ...person, page, madeBy: wanted.madeBy })) })
  return {
    user_id: person.personId,
    sign_in_url: invite ? `${needs.settings.consoleOrigin}${invite.path}` : null,
    key_links: keys.map(({ page, url }) => ({ page, url })),
    expires_at: invite?.expiresAtMs ?? nowMs + LINK_LIFE_MS,
  }
}
