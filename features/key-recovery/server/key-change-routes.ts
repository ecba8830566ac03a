import { answerPage, AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint, type MemberContext } from '@holdfast/http'
import * as contract from '../contract.ts'
import { keyChangeOf, keyChanges } from './key-change.ts'
import { actorName, keyChangeView, signerStates } from './key-change-view.ts'
import { proposingFromCalls } from './propose-from-call.ts'
import { proposeKeyChange } from './propose-key-change.ts'

/** Orders for new shares of a key. Approving happens on the approval page alone. */
export function keyChangeEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db } = context
  const propose = proposingFromCalls(context, session)
  const viewer = (tx: OrganisationTx, { language, personId }: MemberContext) => ({ tx, context, language, personId })
  return [
    handle(contract.proposeKeyChange, (caller, input) =>
      propose(caller, input, (tx, asked) => proposeKeyChange(tx, context, { ...asked, action: input.action, party: input.party })),
    ),
    handle(contract.listKeyChanges, (caller, asked) =>
      db.asOrganisation(caller.orgId, async (tx) => {
        const all = tx.selectFrom('key_change').where('org_id', '=', tx.orgId)
        const { count } = await all.select((row) => row.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
        const rows = await all
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .offset((asked.page_no - 1) * asked.page_size)
          .limit(asked.page_size)
          .execute()
        const list = []
        for (const row of rows) list.push(await keyChangeView(viewer(tx, caller), keyChangeOf(row)))
        return answerPage(asked, Number(count), list)
      }),
    ),
    handle(contract.getKeyChange, async (caller, { id }) => {
      const { change, view, timeline, inForce } = await db.asOrganisation(caller.orgId, async (tx) => {
        const found = await keyChanges.read(tx, id)
        if (!found) throw new AppError('resource_not_found')
        return { change: found, view: await keyChangeView(viewer(tx, caller), found), timeline: await readTimeline(tx, id), inForce: await currentPolicy(tx) }
      })
      const { row, intent } = change
      return {
        ...view,
        signers: await signerStates(context, inForce, intent.keyId),
        timeline,
        intent: toHex(row.intent),
        statements: row.statements ? toHex(row.statements) : null,
      }
    }),
    handle(contract.withdrawKeyChange, async ({ orgId, personId }, { id, remark }) => {
      await db.asOrganisation(orgId, (tx) => keyChanges.withdraw(tx, context, { id, personId, remark }))
      return null
    }),
  ]
}

/** Every step of an order, with names. */
export async function readTimeline(tx: OrganisationTx, id: string) {
  const events = await tx.selectFrom('key_change_event').selectAll().where('org_id', '=', tx.orgId).where('change_id', '=', id).orderBy('seq').execute()
  const people = await tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).execute()
  const names = new Map(people.map((each) => [each.id, each.name]))
  return events.map((each) => ({ state: each.state, actor: actorName(names, each.actor), reason: each.reason, at: Number(each.at) }))
}
