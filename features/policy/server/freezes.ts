import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import { approvalRefused } from '@holdfast/features/evidence/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { type Freeze, freezeHash, freezeShape } from '@holdfast/intent'
import { announceAll } from '@holdfast/jobs'
import { checkFreeze, FreezeRefused } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { bytesToUuid } from '@holdfast/units'
import { currentPolicy } from './current-policy.ts'
import type { FollowNeeds } from './signer-order/follow-signer-order.ts'
import { isUntold, tellSigners } from './tell-signers.ts'

/**
 * Keeps a freeze that somebody gave at a signer's page, so that every signer is told of it. It is checked as signers check it, and kept once. Throws AppError.
 */
export async function keepFreeze(needs: Pick<FollowNeeds, 'db' | 'ports'>, encoded: Uint8Array): Promise<{ state: 'frozen' }> {
  const freeze = decode(freezeShape, encoded)
  const { genesis } = freeze.statement
  const founded = await needs.db.asSystem((tx) => tx.selectFrom('genesis').select('org_id').where('hash', '=', genesis).executeTakeFirst())
  if (!founded) throw new AppError(proposalErrors.order_not_found)
  await needs.db.asOrganisation(founded.org_id, (tx) => insertFreeze(tx, needs, freeze, encoded))
  return { state: 'frozen' }
}

async function insertFreeze(tx: OrganisationTx, { ports }: Pick<FollowNeeds, 'ports'>, freeze: Freeze, record: Uint8Array): Promise<void> {
  const { policy, fingerprint } = await currentPolicy(tx)
  try {
    checkFreeze(freeze, policy, fingerprint)
  } catch (cause) {
    if (cause instanceof FreezeRefused) throw approvalRefused(cause.message, cause)
    throw cause
  }
  const nowMs = ports.clock.nowMs()
  const { person } = freeze.statement
  await tx
    .insertInto('signing_freeze')
    .values({
      org_id: tx.orgId,
      hash: freezeHash(freeze.statement),
      record,
      person_id: bytesToUuid(person),
      told: '[]',
      lifted_by: null,
      created_at: nowMs,
      updated_at: nowMs,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'hash']).doNothing())
    .execute()
  await announceAll(tx, ports, [{ topic: 'policy.changed', ids: { freeze: toHex(freezeHash(freeze.statement)) } }])
}

/** Tells every signer of the freezes it has not heard of. One that refuses a freeze knows better, and is not asked again. */
export async function spreadFreezes(needs: FollowNeeds): Promise<void> {
  const open = await needs.db.asSystem((tx) =>
    tx
      .selectFrom('signing_freeze')
      .select(['org_id', 'hash', 'record', 'told'])
      .where('lifted_by', 'is', null)
      .where(isUntold(needs))
      .orderBy('created_at')
      .limit(200)
      .execute(),
  )
  for (const { org_id: orgId, hash, record, told } of open) {
    const freeze = new Uint8Array(record)
    const { genesis } = decode(freezeShape, freeze).statement
    await tellSigners(needs, { table: 'signing_freeze', orgId, hash, told: told as number[] }, (party) =>
      needs.coSigners.call(party, signerCalls.freeze, { genesis, freeze }),
    )
  }
}
