import { answerPage, AppError } from '@holdfast/contract'
import { type OrganisationTx, actForOrganisation } from '@holdfast/db'
import { approvalPages } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { parseUserAgent } from '@holdfast/features/session/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import type { ServerServices } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint, type MemberContext } from '@holdfast/http'
import { at } from '@holdfast/units'
import {
  endOutOfOffice,
  getAvailability,
  getMember,
  inviteMember,
  listVoteDelegations,
  listMembers,
  answerForOwnKey,
  makeOwnKeyLink,
  removeMember,
  renewInvite,
  saveOutOfOffice,
  saveRole,
  setMemberStatus,
} from '../contract.ts'
import { readAvailability } from './availability.ts'
import { changeRole, removeMember as remove, resumeMember, suspendMember } from './change-member.ts'
import { delegationsFor } from './delegation/read-delegations.ts'
import { inviteMember as invite, renewInvite as renew } from './invite-member.ts'
import { answerForKey, createKeyLink } from './key-links.ts'
import { lastSeen } from './last-seen.ts'
import { listPeople, memberView, openMembers } from './list-members.ts'
import { writeMemberEvent } from './member-event.ts'
import { memberDetail, readMember } from './member-detail.ts'
import { endOutOfOffice as comeBack, saveOutOfOffice as save } from './out-of-office.ts'

const READ_HISTORY = 'login_history.read'

/** The members of an organisation: who they are, what they may do, and how they come and go. */
export function teamEndpoints(context: ServerContext, session: ServerServices['session']): HandledEndpoint[] {
  const { db, networks } = context
  const actorOf = ({ personId, session: own, language }: MemberContext) => ({ personId, role: own.role, language })
  const demand = (caller: MemberContext, code: string | undefined) => (tx: OrganisationTx) => session.demandSecondFactorWhereSet(tx, caller.personId, code)
  const end = (ids: readonly string[]) => {
    for (const id of ids) session.endSession(id)
  }
  return [
    handle(listMembers, async (caller, filter) => {
      const seen = await lastSeen(context, caller.orgId)
      return db.asOrganisation(caller.orgId, async (tx) => {
        await refuseForeignWallet(tx, filter.wallet_id, filter.sub_wallet_id)
        const members = await openMembers(tx, { seen, nowMs: context.ports.clock.nowMs(), showsAccounts: caller.session.permissions.has('member.write') })
        const { rows, total } = await listPeople(tx, filter, members)
        return answerPage(
          filter,
          total,
          rows.map((row) => memberView(members, row)),
        )
      })
    }),
    handle(getMember, async (caller, { user_id: personId, wallet_id: walletId }) => {
      const seen = await lastSeen(context, caller.orgId)
      const detail = await db.asOrganisation(caller.orgId, async (tx) => {
        await refuseForeignWallet(tx, walletId, undefined)
        const row = await readMember(tx, personId)
        const showsAccounts = caller.session.permissions.has('member.write') || personId === caller.personId
        const members = await openMembers(tx, { seen, nowMs: context.ports.clock.nowMs(), showsAccounts })
        return memberDetail({ tx, members, language: caller.language, networks }, row)
      })
      const mayRead = caller.session.permissions.has(READ_HISTORY) || personId === caller.personId
      return { ...detail, devices: mayRead ? await devicesOf(context, caller.orgId, personId) : null }
    }),
    handle(inviteMember, (caller, input) => {
      const { nick_name: name, account, role, approver } = input
      const language = caller.language === 'zh_CN' ? 'zh-CN' : 'en-US'
      return db.asSystem((tx) =>
        invite(tx, context, caller.orgId, actorOf(caller), { key: caller.request, name, account, role, approver, language }, demand(caller, input.google_code)),
      )
    }),
    handle(renewInvite, (caller, { user_id: personId, approver, google_code: code }) =>
      db.asSystem((tx) => renew(tx, context, caller.orgId, actorOf(caller), { personId, approver }, demand(caller, code))),
    ),
    handle(saveRole, async (caller, { user_id: personId, role, google_code: code }) => {
      await db.asSystem(async (tx) => {
        await actForOrganisation(tx, caller.orgId, demand(caller, code))
        await changeRole(tx, context, caller.orgId, actorOf(caller), { personId, role })
      })
      return null
    }),
    handle(setMemberStatus, async (caller, { user_id: personId, status, remark, google_code: code }) => {
      if (status === 'active') {
        await db.asOrganisation(caller.orgId, async (tx) => {
          await demand(caller, code)(tx)
          await resumeMember(tx, context, actorOf(caller), { personId, remark })
        })
        return null
      }
      end(
        await db.asSystem(async (tx) => {
          await actForOrganisation(tx, caller.orgId, demand(caller, code))
          return suspendMember(tx, context, caller.orgId, actorOf(caller), { personId, remark })
        }),
      )
      return null
    }),
    handle(removeMember, async (caller, { user_id: personId, remark, google_code: code }) => {
      end(
        await db.asSystem(async (tx) => {
          await actForOrganisation(tx, caller.orgId, demand(caller, code))
          return remove(tx, context, caller.orgId, actorOf(caller), { personId, remark })
        }),
      )
      return null
    }),
    handle(makeOwnKeyLink, async (caller, { page: wanted, google_code: code }) => {
      const { orgId, personId } = caller
      const { url, expiresAtMs } = await db.asSystem(async (tx) => {
        await actForOrganisation(tx, orgId, demand(caller, code))
        const pages = approvalPages(context, (await actForOrganisation(tx, orgId, currentPolicy)).policy)
        const page = wanted === undefined ? at(pages, 0) : pages.find((each) => each === wanted)
        if (page === undefined) throw new AppError('invalid_parameters', { details: { field: 'page', reason: 'the policy takes approvals from no such page' } })
        const link = await createKeyLink(tx, context, { orgId, personId, page, madeBy: personId })
        await actForOrganisation(tx, orgId, (organisation) => writeMemberEvent(organisation, context, { personId, actor: personId, kind: 'key_link' }))
        return link
      })
      return { url, expires_at: expiresAtMs }
    }),
    handle(answerForOwnKey, async ({ orgId, personId, ...caller }, { key_id: keyId, is_mine: isMine, google_code: code }) => {
      await db.asOrganisation(orgId, async (tx) => {
        await demand({ orgId, personId, ...caller }, code)(tx)
        await answerForKey(tx, context, { personId, keyId, isMine })
      })
      return null
    }),
    handle(getAvailability, async ({ orgId, language }) => {
      const lastSeenAt = await lastSeen(context, orgId)
      return db.asOrganisation(orgId, (tx) => readAvailability(tx, { nowMs: context.ports.clock.nowMs(), language, lastSeen: lastSeenAt }))
    }),
    handle(listVoteDelegations, ({ orgId, personId }) => db.asOrganisation(orgId, (tx) => delegationsFor(tx, context, personId))),
    handle(saveOutOfOffice, (caller, input) => db.asOrganisation(caller.orgId, async (tx) => ({ warnings: await save(tx, context, actorOf(caller), input) }))),
    handle(endOutOfOffice, async (caller) => {
      await db.asOrganisation(caller.orgId, (tx) => comeBack(tx, context, actorOf(caller)))
      return null
    }),
  ]
}

/** A role counts in every wallet, so a wallet narrows nothing; one of somebody else does not exist. */
async function refuseForeignWallet(tx: OrganisationTx, walletId: string | undefined, subWalletId: string | undefined): Promise<void> {
  const wallet = walletId && (await tx.selectFrom('wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', walletId).executeTakeFirst())
  const sub = subWalletId && (await tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', subWalletId).executeTakeFirst())
  if ((walletId && !wallet) || (subWalletId && !sub)) throw new AppError('wallet_not_found')
}

async function devicesOf({ db, ports }: ServerContext, orgId: string, personId: string) {
  const rows = await db.asSystem((tx) =>
    tx
      .selectFrom('session')
      .select(['user_agent', 'ip', 'created_at', 'last_seen_at'])
      .where('org_id', '=', orgId)
      .where('person_id', '=', personId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', BigInt(ports.clock.nowMs()))
      .orderBy('last_seen_at', 'desc')
      .limit(20)
      .execute(),
  )
  return rows.map((each) => {
    const { device, os } = parseUserAgent(each.user_agent ?? '')
    return { model: [device, os].filter(Boolean).join(', '), ip: each.ip ?? '', created_at: Number(each.created_at), last_at: Number(each.last_seen_at) }
  })
}
