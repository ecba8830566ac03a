import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { approvalRefused } from '@holdfast/features/evidence/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { type Freeze, freezeHash, freezeShape } from '@holdfast/intent'
import { announceAll } from '@holdfast/jobs'
import { checkFreeze, FreezeRefused } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { bytesToUuid } from '@holdfast/units'
import { currentPolicy } from './current-policy.ts'
import type { FollowNeeds } from './signer-order/follow-signer-order.ts'

const PARTIES = [1, 2, 3]

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
    tx.selectFrom('signing_freeze').select(['org_id', 'hash', 'record', 'told']).where('lifted_by', 'is', null).limit(200).execute(),
  )
  for (const { org_id: orgId, hash, record, told } of open) {
    const missing = PARTIES.filter((party) => !(told as number[]).includes(party))
    if (missing.length === 0) continue
    const { genesis } = decode(freezeShape, new Uint8Array(record)).statement
    const heard: number[] = []
    for (const party of missing.filter((each) => needs.coSigners.online().includes(each))) {
      try {
        await needs.coSigners.call(party, signerCalls.freeze, { genesis, freeze: new Uint8Array(record) })
        heard.push(party)
      } catch (cause) {
        if (!(cause instanceof CoSignerError)) throw cause
        if (cause.kind === 'refused') heard.push(party)
      }
    }
    if (heard.length > 0) await needs.db.asOrganisation(orgId, (tx) => writeTold(tx, needs, hash, heard))
  }
}

async function writeTold(tx: OrganisationTx, { ports }: FollowNeeds, hash: Uint8Array, heard: readonly number[]): Promise<void> {
  const wanted = tx.selectFrom('signing_freeze').select(['told', 'updated_at']).where('org_id', '=', tx.orgId).where('hash', '=', hash).forNoKeyUpdate()
  const row = await wanted.executeTakeFirst()
  if (!row) return
  const told = [...new Set([...(row.told as number[]), ...heard])].sort()
  await tx
    .updateTable('signing_freeze')
    .set({ told: JSON.stringify(told), updated_at: Math.max(ports.clock.nowMs(), Number(row.updated_at)) })
    .where('org_id', '=', tx.orgId)
    .where('hash', '=', hash)
    .execute()
}
