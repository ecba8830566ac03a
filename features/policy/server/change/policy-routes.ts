import { answerPage, AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { appliedTokens } from '@holdfast/features/network/server'
import { handle, type HandledEndpoint, type MemberContext } from '@holdfast/http'
import { describeChange, eligibleIn, findPerson } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { checkPolicyDraft, getPolicy, getPolicyChange, listAddableAssets, listPolicyChanges, proposePolicy, withdrawPolicyChange } from '../../contract.ts'
import { policyErrors } from '../../errors.ts'
import { quorumsOfChange } from './change-quorums.ts'
import { actorOf, changeView } from './change-view.ts'
import { closingOrders } from './closing-orders.ts'
import { currentPolicy } from '../current-policy.ts'
import { describeAddable } from '../list-addable-assets.ts'
import { DraftRefused, PeopleRefused } from './next-policy.ts'
import { changeOf, policyChanges } from './policy-change.ts'
import { policyView, signerVersions } from '../policy-view.ts'
import { draftIntent, proposePolicyChange, type Told, toldNow } from './propose-policy.ts'

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

/** The policy in force, changes of it on their way, and proposing one. Approving happens on the approval page alone. */
export function policyEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db } = context
  const viewer = (tx: OrganisationTx, { language, personId }: MemberContext) => ({ tx, context, language, personId })
  return [
    handle(getPolicy, async (caller) => {
      const { view, inForce } = await db.asOrganisation(caller.orgId, (tx) => policyView({ ...viewer(tx, caller), networks: context.networks }))
      return { ...view, signers: await signerVersions(context, inForce) }
    }),
    handle(listAddableAssets, async ({ orgId }) => {
      const { policy, applied } = await db.asOrganisation(orgId, async (tx) => ({ policy: (await currentPolicy(tx)).policy, applied: await appliedTokens(tx) }))
      return describeAddable(context.networks, policy, applied)
    }),
    handle(checkPolicyDraft, async (caller, { draft }) => {
      const told = await toldNow(context, caller.orgId)
      return db.asOrganisation(caller.orgId, (tx) => checkDraft(tx, context, { ...caller, ...told }, draft))
    }),
    handle(proposePolicy, async (caller, input) => {
      const { orgId, personId, language } = caller
      const told = await toldNow(context, orgId)
      const { change, fresh } = await db.asOrganisation(orgId, (tx) =>
        proposePolicyChange(tx, context, {
          personId,
          language,
          ...told,
          key: caller.request,
          draft: input.draft,
          demandSecondFactor: () => session.demandSecondFactorWhereSet(tx, personId, input.google_code),
        }),
      )
      return { id: change.row.id, intent_hash: toHex(change.row.intent_hash), approval_url: approvalUrl(context, change.row.intent_hash), idempotent: !fresh }
    }),
    handle(listPolicyChanges, (caller, asked) =>
      db.asOrganisation(caller.orgId, async (tx) => {
        const all = tx.selectFrom('policy_change').where('org_id', '=', tx.orgId)
        const { count } = await all.select((row) => row.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
        const rows = await all
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .offset((asked.page_no - 1) * asked.page_size)
          .limit(asked.page_size)
          .execute()
        const list = []
        for (const row of rows) list.push(await changeView(viewer(tx, caller), changeOf(row)))
        return answerPage(asked, Number(count), list)
      }),
    ),
    handle(getPolicyChange, (caller, { id }) =>
      db.asOrganisation(caller.orgId, async (tx) => {
        const change = await policyChanges.read(tx, id)
        if (!change) throw new AppError('resource_not_found')
        const events = await tx
          .selectFrom('policy_change_event')
          .selectAll()
          .where('org_id', '=', tx.orgId)
          .where('change_id', '=', id)
          .orderBy('seq')
          .execute()
        const people = await tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).execute()
        const names = new Map(people.map((each) => [each.id, each.name]))
        const version = await tx
          .selectFrom('policy_version')
          .select('change')
          .where('org_id', '=', tx.orgId)
          .where('version', '=', change.next.version)
          .executeTakeFirst()
        return {
          ...(await changeView(viewer(tx, caller), change)),
          timeline: events.map((each) => ({ state: each.state, actor: actorOf(names, each.actor), reason: each.reason, at: Number(each.at) })),
          record: change.row.state === 'applied' && version?.change ? toHex(version.change) : null,
        }
      }),
    ),
    handle(withdrawPolicyChange, async ({ orgId, personId }, { id, remark }) => {
      await db.asOrganisation(orgId, async (tx) => {
        if ((await policyChanges.read(tx, id))?.row.state === 'rejected') throw new AppError(policyErrors.strategy_rejected)
        return policyChanges.withdraw(tx, context, { id, personId, remark })
      })
      return null
    }),
  ]
}

async function checkDraft(
  tx: OrganisationTx,
  context: ServerContext,
  { personId, language, wallets, served }: MemberContext & Told,
  draft: Parameters<typeof draftIntent>[2]['draft'],
) {
  try {
    const { inForce, next, intent } = await draftIntent(tx, context, { personId, language, wallets, served, draft })
    const named = (id: Uint8Array) => ({ person_id: bytesToUuid(id), name: (findPerson(next, id) ?? findPerson(inForce.policy, id))?.name ?? '' })
    return {
      lines: describeChange(inForce.policy, next, LOCALE[language], inForce.signers),
      closes: await closingOrders(tx, inForce.policy, language),
      fault: null,
      fault_code: null,
      quorums: quorumsOfChange({ intent, next }, inForce.policy).map(({ name, threshold, steps }) => ({
        name,
        need: threshold,
        people: eligibleIn(steps).map(named),
      })),
    }
  } catch (cause) {
    const { code } = cause instanceof PeopleRefused ? policyErrors.strategy_personnel_error : policyErrors.policy_refused
    if (cause instanceof DraftRefused) return { lines: [], closes: null, fault: cause.message, fault_code: code, quorums: [] }
    throw cause
  }
}
