import { decode } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { type FollowNeeds, isUntold, tellSigners } from '@holdfast/features/policy/server'
import { sweepForSigners } from '@holdfast/features/signer-link/server'
import { delegationShape } from '@holdfast/intent'
import type { Repeating } from '@holdfast/jobs'
import { signerCalls } from '@holdfast/protocol'
import { bytesToUuid } from '@holdfast/units'

const sweeps = sweepForSigners()

/** Has the signers told now by this process; otherwise a process that tells them does within a second. */
export const pokeDelegations: typeof sweeps.poke = sweeps.poke

/** Brings who decides for whom, and who no longer does, to each signer that has not heard of it. */
export function startDelegations(needs: Pick<ServerContext, 'ports' | 'db' | 'coSigners'>, report: (cause: unknown) => void = () => {}): Repeating {
  return sweeps.start(needs, { report }, () => spreadDelegations(needs))
}

/** Tells every signer of the statements it has not heard of. One that refuses a statement knows better, and is not asked again. */
export async function spreadDelegations(needs: FollowNeeds): Promise<void> {
  const open = await needs.db.asSystem((tx) =>
    tx.selectFrom('delegation').select(['org_id', 'hash', 'record', 'told']).where(isUntold(needs)).orderBy('sequence').limit(200).execute(),
  )
  for (const { org_id: orgId, hash, record, told } of open) {
    const delegation = new Uint8Array(record)
    const { genesis, delegator } = decode(delegationShape, delegation).statement
    const shown = { topic: 'member.changed' as const, ids: { person_id: bytesToUuid(delegator) } }
    await tellSigners(needs, { table: 'delegation', orgId, hash, told: told as number[], shown }, (party) =>
      needs.coSigners.call(party, signerCalls.setDelegation, { genesis, delegation }),
    )
  }
}
