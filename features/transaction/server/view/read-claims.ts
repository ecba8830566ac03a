import type { Schema } from '@holdfast/db'
import { permissionsOf } from '@holdfast/features/session/server'
import { HELD_FOR_COMMENT } from '@holdfast/features/wallet/server'
import type { Selectable } from 'kysely'
import type { DepositRow } from './deposit-view.ts'
import type { ViewContext } from './view-context.ts'

type ClaimRow = Selectable<Schema['deposit_claim']>

/** Comments that are offered to a person who says whose a payment is; any other one of the address can be typed. */
const COMMENTS_MAX = 200
/** The right by which people decide what another one said. */
export const DECIDES_CLAIMS = 'deposit.audit'

export function isHeld({ state, sub_status: subStatus }: Pick<DepositRow, 'state' | 'sub_status'>): boolean {
  return (state === 'unconfirmed' || state === 'confirmed') && HELD_FOR_COMMENT.includes(subStatus ?? '')
}

/** What people said of some deposits while they were held, the oldest first, by deposit. */
export async function readClaims({ tx }: ViewContext, depositIds: readonly string[]): Promise<Map<string, ClaimRow[]>> {
  if (depositIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('deposit_claim')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('deposit_id', 'in', [...depositIds])
    .orderBy('asked_at')
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, (row) => row.deposit_id)
}

/** Who has to decide what another person said; undefined if nothing waits. */
export type WaitingClaim = { askedBy: string; who: { person_id: string; name: string }[] }

/** The claims that wait, by deposit, with everybody who may decide them. */
export async function waitingClaims(view: ViewContext, rows: readonly DepositRow[]): Promise<Map<string, WaitingClaim>> {
  const claims = await readClaims(
    view,
    rows.filter(isHeld).map(({ id }) => id),
  )
  const open = [...claims.values()].flat().filter(({ state }) => state === 'asked')
  if (open.length === 0) return new Map()
  const whoFor = await decidersOf(view)
  return new Map(open.map(({ deposit_id, asked_by }) => [deposit_id, { askedBy: view.personName(asked_by), who: whoFor(asked_by) }]))
}

/** Who may decide what a person said: everybody with the right, but for that person. */
async function decidersOf({ tx }: ViewContext): Promise<(asker: string) => WaitingClaim['who']> {
  const people = await tx.selectFrom('person').select(['id', 'name', 'role']).where('org_id', '=', tx.orgId).where('state', '=', 'active').execute()
  const deciders = people.filter(({ role }) => permissionsOf(role).has(DECIDES_CLAIMS))
  return (asker) => deciders.filter(({ id }) => id !== asker).map(({ id, name }) => ({ person_id: id, name }))
}

/** What somebody said of a held payment, as it stands for one person. */
type ClaimItem = { claim: ClaimRow; who: WaitingClaim['who']; mine: 'decide' | 'decided' | 'initiator' | 'watch' }

/** Some claims as they stand for one person. */
export async function readClaimItems(view: ViewContext, ids: readonly string[], personId: string): Promise<ClaimItem[]> {
  const rows = await view.tx
    .selectFrom('deposit_claim')
    .selectAll()
    .where('org_id', '=', view.tx.orgId)
    .where('id', 'in', [...ids])
    .execute()
  const whoFor = await decidersOf(view)
  return rows.map((claim) => {
    const who = claim.state === 'asked' ? whoFor(claim.asked_by) : []
    return { claim, who, mine: roleOf(claim, who, personId) }
  })
}

function roleOf({ asked_by, decided_by }: ClaimRow, who: WaitingClaim['who'], personId: string): ClaimItem['mine'] {
  if (asked_by === personId) return 'initiator'
  if (decided_by === personId) return 'decided'
  return who.some((each) => each.person_id === personId) ? 'decide' : 'watch'
}

/** What the details of a deposit say of its being held: the comments it may be of, and what people said. */
export async function heldFacts(view: ViewContext, row: DepositRow) {
  const claims = (await readClaims(view, [row.id])).get(row.id) ?? []
  const comments = isHeld(row) || claims.length > 0 ? await commentsOf(view, row) : []
  const labelOf = (comment: string | null) => comments.find((each) => each.memo === comment)?.label ?? null
  return {
    held: isHeld(row) ? { comments: comments.slice(0, COMMENTS_MAX) } : null,
    claims: claims.map((each) => ({
      id: each.id,
      state: each.state,
      memo: each.comment,
      label: labelOf(each.comment),
      reason: each.reason,
      by: { person_id: each.asked_by, name: view.personName(each.asked_by) },
      at: Number(each.asked_at),
      decided: each.decided_by === null ? null : { by: view.personName(each.decided_by), at: Number(each.decided_at), reason: each.decision_reason ?? '' },
    })),
  }
}

async function commentsOf({ tx }: ViewContext, { chain, address }: DepositRow): Promise<{ memo: string; label: string | null }[]> {
  return tx
    .selectFrom('deposit_comment')
    .select(['comment as memo', 'label'])
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .orderBy('created_at', 'desc')
    .orderBy('comment')
    .execute()
}

const STEP = { confirmed: 'claim_confirmed', refused: 'claim_refused', withdrawn: 'claim_withdrawn' } as const

/** The steps that people added to the story of a deposit. */
export function claimSteps({ claims }: Pick<Awaited<ReturnType<typeof heldFacts>>, 'claims'>) {
  return claims.flatMap(({ state, memo, label, reason, by, at, decided }) => {
    const said = {
      state: state === 'kept' ? 'claim_kept' : 'claim_asked',
      sub_status: '',
      at,
      actor: by.name,
      reason: [label ?? memo, reason].filter(Boolean).join(': '),
    }
    if (decided === null || state === 'asked' || state === 'kept') return [said]
    return [said, { state: STEP[state], sub_status: '', at: decided.at, actor: decided.by, reason: decided.reason || null }]
  })
}
