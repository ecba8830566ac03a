import type { OrganisationTx } from '@holdfast/db'
import { readApprovals } from '@holdfast/features/evidence/server'
import { bytesToUuid } from '@holdfast/units'
import { type ChangeViewer, changeView, roleIn } from './change-view.ts'
import { policyAt } from '../current-policy.ts'
import { changeOf, type PolicyChange } from './policy-change.ts'

/** A change of the policy among what waits for people. `decidedAtMs` is when the reader spoke, where they have. */
export type ChangeItem = { change: PolicyChange; mine: 'decide' | 'decided' | 'initiator' | 'watch'; decidedAtMs: number | null }

const MOST = 50

/** The newest changes of the policy as they concern one person. */
export async function listChangeItems(tx: OrganisationTx, personId: string): Promise<ChangeItem[]> {
  const rows = await tx.selectFrom('policy_change').selectAll().where('org_id', '=', tx.orgId).orderBy('created_at', 'desc').limit(MOST).execute()
  const items: ChangeItem[] = []
  for (const row of rows) {
    const change = changeOf(row)
    const { policy } = await policyAt(tx, row.base_version)
    const given = (await readApprovals(tx, change.row.intent_hash)).map((each) => each.approval)
    const own = given.find((each) => bytesToUuid(each.person) === personId)
    const mine = roleIn(
      change,
      policy,
      given.map((each) => each.person),
      personId,
    )
    items.push({ change, mine, decidedAtMs: own ? Number(own.signedAtMs) : null })
  }
  return items
}

/** How such an item is shown: in one sentence, with the approvals of the quorum that lacks most. */
export async function describeChangeItem(viewer: ChangeViewer, { change }: ChangeItem) {
  const view = await changeView(viewer, change)
  const behind = view.quorums.toSorted((a, b) => b.need - b.approved.length - (a.need - a.approved.length))[0]!
  return { view, node: { need: behind.need, done: behind.approved.length } }
}
