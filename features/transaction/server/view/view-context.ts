import type { Language } from '@holdfast/contract'
import type { Database, OrganisationTx } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import type { Fiat } from '@holdfast/features/price/contract'
import { policyAt, type PolicyInForce } from '@holdfast/features/policy/server'

/** What is needed to show orders and deposits: read once for a page of them. */
export type ViewContext = {
  tx: OrganisationTx
  networks: Networks
  language: Language
  nowMs: number
  /** The currency of values. */
  fiat: Fiat
  /** Who looks: their own contacts name addresses for them. */
  personId?: string
  /** How far each chain has been read. */
  heights: ReadonlyMap<string, bigint>
  /** Name of a member; the id's first part where there is none. */
  personName(id: string): string
  policy(version: bigint): Promise<PolicyInForce>
}

/** How far each chain has been read. Only the installation may look. */
export async function readHeights(db: Database): Promise<Map<string, bigint>> {
  const rows = await db.readSystem((tx) => tx.selectFrom('chain_cursor').select(['chain', 'height']).execute())
  return new Map(rows.map(({ chain, height }) => [chain, height]))
}

type Given = Pick<ViewContext, 'networks' | 'language' | 'nowMs' | 'personId' | 'heights'> & Partial<Pick<ViewContext, 'fiat'>>

/** Values are in US dollars unless another currency is asked for. */
export async function openView(tx: OrganisationTx, given: Given): Promise<ViewContext> {
  const people = await tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).execute()
  const names = new Map(people.map((each) => [each.id, each.name]))
  const policies = new Map<bigint, Promise<PolicyInForce>>()
  return {
    fiat: 'USD',
    ...given,
    tx,
    personName: (id) => names.get(id) ?? id.slice(0, 8),
    policy: (version) => {
      const known = policies.get(version) ?? policyAt(tx, version)
      policies.set(version, known)
      return known
    },
  }
}
