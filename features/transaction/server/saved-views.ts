import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'

export type SavedView = { name: string; query: string }

const PAGE = 'transactions'
const MOST_KEPT = 20

/** The filters a person has kept, in the order in which they were named. */
export async function listViews(tx: OrganisationTx, personId: string): Promise<SavedView[]> {
  const row = await tx
    .selectFrom('saved_view')
    .select('views')
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('page', '=', PAGE)
    .executeTakeFirst()
  return (row?.views as SavedView[] | undefined) ?? []
}

/** Keeps filters under a name; the same name replaces them, an empty query forgets them. Answers all that are kept. */
export async function saveView(tx: OrganisationTx, personId: string, { name, query }: SavedView, nowMs: number): Promise<SavedView[]> {
  // Two pages of one person may save at once: the row is held from here.
  await tx
    .insertInto('saved_view')
    .values({ org_id: tx.orgId, person_id: personId, page: PAGE, views: '[]', updated_at: nowMs })
    .onConflict((conflict) => conflict.columns(['org_id', 'person_id', 'page']).doUpdateSet({ updated_at: nowMs }))
    .execute()
  const kept = await listViews(tx, personId)
  const isKnown = kept.some((each) => each.name === name)
  const views = query === '' ? kept.filter((each) => each.name !== name) : replaced(kept, { name, query }, isKnown)
  if (views.length > MOST_KEPT)
    throw new AppError('invalid_parameters', { details: { field: 'name', reason: `${MOST_KEPT} filters are kept already; remove one first` } })
  await tx
    .updateTable('saved_view')
    .set({ views: JSON.stringify(views), updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('page', '=', PAGE)
    .execute()
  return views
}

function replaced(kept: readonly SavedView[], view: SavedView, isKnown: boolean): SavedView[] {
  return isKnown ? kept.map((each) => (each.name === view.name ? view : each)) : [...kept, view]
}
