import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, EncodingFault } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { approvalRefused } from '@holdfast/features/evidence/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { type Delegation, delegationHash, delegationShape, onlyEnds } from '@holdfast/intent'
import { announceAll } from '@holdfast/jobs'
import { checkStatement, DelegationRefused } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { writeMemberEvent } from '../member-event.ts'
import { lastDelegation, readDelegations } from './read-delegations.ts'
import { mailDelegation } from './tell-both.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'settings'>

/**
 * Keeps who decides for somebody, or that nobody does any more, as the person signed it at an approval page: checked as signers check it, and kept once. What a
 * newer statement of theirs ended before is refused. Throws AppError.
 */
export async function keepDelegation(needs: Needs, encoded: Uint8Array): Promise<{ state: 'kept' }> {
  const delegation = readDelegation(encoded)
  const { genesis } = delegation.statement
  const founded = await needs.db.asSystem((tx) => tx.selectFrom('genesis').select('org_id').where('hash', '=', genesis).executeTakeFirst())
  if (!founded) throw new AppError(proposalErrors.order_not_found)
  await needs.db.asOrganisation(founded.org_id, (tx) => insertDelegation(tx, needs, delegation, encoded))
  return { state: 'kept' }
}

async function insertDelegation(tx: OrganisationTx, needs: Needs, delegation: Delegation, record: Uint8Array): Promise<void> {
  const { statement } = delegation
  const nowMs = needs.ports.clock.nowMs()
  await refuseUnsound(tx, delegation, BigInt(nowMs))
  const personId = bytesToUuid(statement.delegator)
  // One after another for one person, or two of them would both be the newest.
  const person = tx.selectFrom('person').select(['name', 'state']).where('org_id', '=', tx.orgId).where('id', '=', personId).forNoKeyUpdate()
  const { name, state } = await person.executeTakeFirstOrThrow()
  const isEnd = onlyEnds(statement)
  if (state !== 'active' && !isEnd) throw approvalRefused(`${name} is ${state} and names nobody`)
  const hash = delegationHash(statement)
  const kept = await tx.selectFrom('delegation').select('hash').where('org_id', '=', tx.orgId).where('hash', '=', hash).executeTakeFirst()
  if (kept) return
  if (statement.sequence <= (await lastDelegation(tx, personId))) throw new AppError(proposalErrors.delegation_over)
  const before = (await readDelegations(tx, nowMs)).find((each) => each.delegatorId === personId)
  const delegateId = isEnd ? null : bytesToUuid(statement.delegate)
  await tx
    .insertInto('delegation')
    .values({
      org_id: tx.orgId,
      hash,
      record,
      person_id: personId,
      delegate_id: delegateId,
      from_at: statement.fromMs,
      until_at: statement.untilMs,
      sequence: statement.sequence,
      told: '[]',
      created_at: nowMs,
      updated_at: nowMs,
    })
    .execute()
  if (before && before.delegateId !== delegateId) await tellOf(tx, needs, { personId, delegateId: before.delegateId, kind: 'delegation_ended' })
  if (delegateId !== null) await tellOf(tx, needs, { personId, delegateId, kind: 'delegated' })
  await announceAll(tx, needs.ports, [{ topic: 'todo.changed', ids: { person_id: personId } }])
}

type Change = { personId: string; delegateId: string; kind: 'delegated' | 'delegation_ended' }

/** Writes into the person's record who decides for them, or no longer does, and tells both. */
async function tellOf(tx: OrganisationTx, needs: Needs, { personId, delegateId, kind }: Change): Promise<void> {
  await mailDelegation(tx, needs, { kind, personIds: [personId, delegateId], aboutId: personId })
  const { name } = await tx.selectFrom('person').select('name').where('org_id', '=', tx.orgId).where('id', '=', delegateId).executeTakeFirstOrThrow()
  await writeMemberEvent(tx, needs, { personId, actor: personId, kind, to: name })
}

async function refuseUnsound(tx: OrganisationTx, delegation: Delegation, nowMs: bigint): Promise<void> {
  const { policy, fingerprint } = await currentPolicy(tx)
  const { statement } = delegation
  try {
    checkStatement(delegation, policy, fingerprint)
  } catch (cause) {
    if (cause instanceof DelegationRefused) throw approvalRefused(cause.message, cause)
    throw cause
  }
  if (!onlyEnds(statement) && statement.untilMs <= nowMs) throw new AppError(proposalErrors.delegation_over)
}

function readDelegation(encoded: Uint8Array): Delegation {
  try {
    return decode(delegationShape, encoded)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw approvalRefused(cause.message, cause)
    throw cause
  }
}
