import { eligibleIn, neededIn, oneStep, readRule } from '@holdfast/policy'
import { equalBytes } from '@holdfast/encoding'
import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { permissionsOf } from '@holdfast/features/session/server'
import { formatAmount, uuidToBytes } from '@holdfast/units'
import type { ServerContext } from '@holdfast/features/context'
import { breaksWithout, hasOtherOwner, namedIn, type PersonRow } from './guards.ts'
import { isIrreplaceable } from './irreplaceable.ts'
import { type MemberContext, memberView } from './list-members.ts'
import { memberWords } from './words.ts'

const MOST = 20

type GivenApproval = { kind: 'transfer' | 'policy_change'; id: string; title: string; decision: 'approve' | 'reject'; at: number }

type Detail = { note: string; from: string | null; to: string | null }
export type DetailReader = { tx: OrganisationTx; members: MemberContext; language: Language; networks: ServerContext['networks'] }

export async function readMember(tx: OrganisationTx, personId: string): Promise<PersonRow> {
  const row = await tx.selectFrom('person').selectAll().where('org_id', '=', tx.orgId).where('id', '=', personId).executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
  return row
}

/** All that is known of one member, but their sessions, which only the installation can read. */
export async function memberDetail(reader: DetailReader, row: PersonRow) {
  const { tx, members, language } = reader
  const view = memberView(members, row)
  const words = memberWords[language]
  const places = await namedIn(tx, row.id, language)
  const broken = row.state === 'active' ? await breaksWithout(tx, row.id, language) : []
  const isLastOwner = row.role === 'owner' && row.state === 'active' && !(await hasOtherOwner(tx, row.id))
  const always = isLastOwner ? [words.lastOwner] : []
  return {
    ...view,
    permissions: [...permissionsOf(row.role)].sort(),
    strategies_detail: strategiesOf(members, row.id, words.governance),
    sign_in_ways: await waysOf(tx, row.id),
    events: await eventsOf(tx, row.id),
    approvals: await approvalsOf(reader, row.id),
    against: {
      suspend: row.state === 'active' || row.state === 'invited' ? [...always, ...broken.map(words.sentence)] : [],
      remove: row.state === 'removed' ? [] : [...always, ...(places === '' ? [] : [words.named(row.name, places)]), ...broken.map(words.sentence)],
    },
  }
}

/** The rules a person may approve under; `only` where nobody else could take their place in the quorum. */
function strategiesOf({ policy }: MemberContext, personId: string, governance: string) {
  const own = uuidToBytes(personId)
  const nodes = [
    ...policy.rules.map((rule) => {
      const { name, steps } = readRule(rule, policy)
      return { id: rule.id, name, steps }
    }),
    { id: 'governance', name: governance, steps: oneStep(policy.governance.approvers, policy.governance.threshold) },
  ]
  return nodes
    .map((node) => ({ ...node, people: eligibleIn(node.steps) }))
    .filter(({ people }) => people.some((id) => equalBytes(id, own)))
    .map(({ id, name, steps, people }) => ({ id, name, node: `${neededIn(steps)}/${people.length}`, only: isIrreplaceable(steps, own) }))
}

async function waysOf(tx: OrganisationTx, personId: string) {
  const rows = await tx
    .selectFrom('login_credential')
    .select(['kind', 'label', 'created_at', 'last_used_at'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .limit(50)
    .execute()
  return rows.map((each) => ({
    kind: each.kind,
    label: each.label,
    created_at: Number(each.created_at),
    last_used_at: each.last_used_at === null ? null : Number(each.last_used_at),
  }))
}

async function eventsOf(tx: OrganisationTx, personId: string) {
  const rows = await tx
    .selectFrom('member_event')
    .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'member_event.org_id').onRef('person.id', '=', 'member_event.actor'))
    .select(['member_event.kind', 'member_event.detail', 'member_event.at', 'person.name'])
    .where('member_event.org_id', '=', tx.orgId)
    .where('member_event.person_id', '=', personId)
    .orderBy('member_event.at', 'desc')
    .orderBy('member_event.id', 'desc')
    .limit(50)
    .execute()
  return rows.map((each) => {
    const detail = each.detail as Partial<Detail>
    return { kind: each.kind, actor: each.name, from: detail.from ?? null, to: detail.to ?? null, note: detail.note ?? '', at: Number(each.at) }
  })
}

async function approvalsOf({ tx, language, networks }: DetailReader, personId: string): Promise<GivenApproval[]> {
  const words = memberWords[language]
  const rows = await tx
    .selectFrom('approval')
    .leftJoin('transfer_order', (join) =>
      join.onRef('transfer_order.org_id', '=', 'approval.org_id').onRef('transfer_order.intent_hash', '=', 'approval.intent_hash'),
    )
    .leftJoin('policy_change', (join) =>
      join.onRef('policy_change.org_id', '=', 'approval.org_id').onRef('policy_change.intent_hash', '=', 'approval.intent_hash'),
    )
    .select([
      'approval.decision',
      'approval.created_at',
      'transfer_order.id as order_id',
      'transfer_order.amount',
      'transfer_order.kind as order_kind',
      'transfer_order.replaces',
      'transfer_order.symbol',
      'transfer_order.chain',
      'transfer_order.contract',
      'transfer_order.address_to',
      'policy_change.id as change_id',
      'policy_change.base_version',
    ])
    .where('approval.org_id', '=', tx.orgId)
    .where('approval.person_id', '=', personId)
    .orderBy('approval.created_at', 'desc')
    .limit(MOST)
    .execute()
  return rows.flatMap((each): GivenApproval[] => {
    const decision = each.decision as 'approve' | 'reject'
    const at = Number(each.created_at)
    if (each.change_id !== null && each.base_version !== null)
      return [{ kind: 'policy_change' as const, id: each.change_id, title: words.policyVersion(String(each.base_version + 1n)), decision, at }]
    if (each.order_id === null || each.amount === null) return []
    const asset = networks.byContract(each.chain ?? '', each.contract ?? '')
    const amount = formatAmount(each.amount, asset?.decimals ?? 0)
    const say = each.replaces === null ? words.payment : each.order_kind === 'cancel' ? words.cancellation : words.speedUp
    return [{ kind: 'transfer' as const, id: each.order_id, title: say(`${amount} ${each.symbol}`, each.address_to ?? ''), decision, at }]
  })
}
