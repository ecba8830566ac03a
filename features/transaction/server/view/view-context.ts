import type { Language } from '@holdfast/contract'
import { type Heights, type OrganisationTx, readHeights, writtenOnce } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import type { Fiat } from '@holdfast/features/price/contract'
import { policyOf } from '@holdfast/features/policy/server'
import { machineSpeakers, type Policy } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { type Ask, askWhenWanted } from './ask-ahead.ts'

/** Who looks for transactions, and in which transaction of the database. */
export type Viewer = {
  tx: OrganisationTx
  networks: Networks
  language: Language
  nowMs: number
  /** The currency of values. */
  fiat: Fiat
  /** Who looks: their own contacts name addresses for them. */
  personId?: string
}

/** What is needed to show orders and deposits: read once for a page of them. */
export type ViewContext = Viewer & {
  /** How far each chain has been read. */
  heights: Heights
  /** Name of a member, or of a machine of a policy that was read; the id's first part where there is none. */
  personName(id: string): string
  /** Whether somebody of the organisation has this id; a machine has none of theirs. */
  isPerson(id: string): boolean
  /** From here on machines of a version of the policy have their names. */
  nameMachines(policy: Policy): void
  policy(version: bigint): Promise<Policy>
  /** Asks what a page of transactions asks the database. */
  ask: Ask
}

const askPeople = writtenOnce((db, { orgId }: { orgId: string }) => db.selectFrom('person').select(['id', 'name']).where('org_id', '=', orgId))

/** Reads what is needed to show transactions. */
export async function openView(viewer: Viewer, ask = askWhenWanted(viewer)): Promise<ViewContext> {
  const { tx } = viewer
  const [people, heights] = await Promise.all([askPeople(tx, { orgId: tx.orgId }), readHeights(tx)])
  const names = new Map(people.map((each) => [each.id, each.name]))
  const persons = new Set(names.keys())
  return {
    ...viewer,
    heights,
    personName: (id) => names.get(id) ?? id.slice(0, 8),
    isPerson: (id) => persons.has(id),
    nameMachines: (policy) => {
      for (const { id, name } of machineSpeakers(policy)) names.set(bytesToUuid(id), name)
    },
    policy: (version) => policyOf(tx, version),
    ask,
  }
}
