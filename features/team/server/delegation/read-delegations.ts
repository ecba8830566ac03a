import type { OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { delegationUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import { type DecidesFor, IS_LAST } from '@holdfast/features/proposal/server'
import { DELEGATION_MAX_MS } from '@holdfast/intent'
import { deputiesMeant, findPerson } from '@holdfast/policy'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import type { listVoteDelegations } from '../../contract.ts'

const DAY_MS = 86_400_000

export type KeptDelegation = DecidesFor & { fromMs: number; told: number }

/** Who decides for whom, now or later: the newest statement of each person, where it is not over. The one that ends first comes first. */
export async function readDelegations(tx: OrganisationTx, nowMs: number): Promise<KeptDelegation[]> {
  const rows = await tx
    .selectFrom('delegation as d')
    .select(['d.person_id', 'd.delegate_id', 'd.from_at', 'd.until_at', 'd.sequence', 'd.record', 'd.told'])
    .where('d.org_id', '=', tx.orgId)
    .where('d.until_at', '>', BigInt(nowMs))
    .where(IS_LAST)
    .orderBy('d.until_at')
    .orderBy('d.person_id')
    .execute()
  return rows.flatMap(({ person_id: delegatorId, delegate_id: delegateId, from_at, until_at, sequence, record, told }) =>
    delegateId === null
      ? []
      : [
          {
            delegatorId,
            delegateId,
            fromMs: Number(from_at),
            untilMs: Number(until_at),
            sequence,
            record: new Uint8Array(record),
            told: (told as number[]).length,
          },
        ],
  )
}

/** The same, of those that are in force at this moment. */
export async function readDeciding(tx: OrganisationTx, nowMs: number): Promise<DecidesFor[]> {
  return (await readDelegations(tx, nowMs)).filter(({ fromMs }) => fromMs <= nowMs)
}

/** The highest sequence of a person's statements; 0 if there is none. */
export async function lastDelegation(tx: OrganisationTx, personId: string): Promise<bigint> {
  const row = await tx
    .selectFrom('delegation')
    .select((of) => of.fn.max('sequence').as('last'))
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return row?.last ?? 0n
}

/** Who decides for whom, and whom somebody may name by the policy in force, each as its people are called there. */
export async function delegationsFor(
  tx: OrganisationTx,
  { settings, ports }: Pick<ServerContext, 'settings' | 'ports'>,
  personId: string,
): Promise<OutputOf<typeof listVoteDelegations>> {
  const nowMs = ports.clock.nowMs()
  const { policy, fingerprint } = await currentPolicy(tx)
  const named = (id: string) => ({ user_id: id, name: findPerson(policy, uuidToBytes(id))?.name ?? id })
  const isIn = (findPerson(policy, uuidToBytes(personId))?.credentials.length ?? 0) > 0
  const deputies = isIn ? deputiesMeant(policy).map(bytesToUuid) : []
  return {
    list: (await readDelegations(tx, nowMs)).map(({ delegatorId, delegateId, fromMs, untilMs, told }) => ({
      delegator: named(delegatorId),
      delegate: named(delegateId),
      from: fromMs,
      to: untilMs,
      now: fromMs <= nowMs,
      told,
    })),
    may_name: deputies.filter((id) => id !== personId).map(named),
    longest_days: DELEGATION_MAX_MS / DAY_MS,
    url: delegationUrl({ settings }, fingerprint),
  }
}
