import type { OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { recoveryStates } from '@holdfast/features/key/server'
import { demoDrillUrl } from '@holdfast/features/key-recovery/server'
import type { getFirstSteps, StepName } from '../contract.ts'

const OF_DEMO: readonly StepName[] = ['wallet', 'recovery', 'deposit', 'ask', 'approve']
const OF_ORGANISATION: readonly StepName[] = ['wallet', 'recovery', 'deposit', 'pay', 'invite']

/** How far an organisation has come with what is done first, by what there is of it. */
export async function readFirstSteps(
  tx: OrganisationTx,
  { ports, settings }: Pick<ServerContext, 'ports' | 'settings'>,
): Promise<OutputOf<typeof getFirstSteps>> {
  const wallet = await tx
    .selectFrom('wallet')
    .select(['id', 'name', 'alias', 'state'])
    .where('org_id', '=', tx.orgId)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst()
  const recovery = await recoveryStates(tx, undefined, ports.clock.nowMs())
  const deposit = await tx.selectFrom('deposit').select('id').where('org_id', '=', tx.orgId).where('state', '=', 'credited').limit(1).executeTakeFirst()
  const orders = tx.selectFrom('transfer_order').where('org_id', '=', tx.orgId).where('kind', '=', 'withdraw')
  const asked = await orders.select(['id', 'intent_hash', 'state']).orderBy('created_at').orderBy('id').limit(1).executeTakeFirst()
  const paid = await orders.select('id').where('state', '=', 'completed').limit(1).executeTakeFirst()
  const demo = (await demoDrillUrl(tx, settings)) !== undefined
  const done: Record<StepName, boolean> = {
    wallet: wallet?.state === 'active',
    recovery: [...recovery.values()].flat().some(({ verifiedAtMs }) => verifiedAtMs !== null),
    deposit: deposit !== undefined,
    ask: asked !== undefined,
    approve: paid !== undefined,
    pay: paid !== undefined,
    invite: await hasFurtherPeople(tx),
  }
  return {
    demo,
    steps: (demo ? OF_DEMO : OF_ORGANISATION).map((name) => ({ name, done: done[name] })),
    wallet: wallet ? { wallet_id: wallet.id, name: wallet.alias ?? wallet.name } : null,
    order: asked ? { id: asked.id, approval_url: approvalUrl({ settings }, asked.intent_hash), is_waiting: asked.state === 'approving' } : null,
  }
}

/** Whether somebody was invited beside the people who founded it. */
async function hasFurtherPeople(tx: OrganisationTx): Promise<boolean> {
  const { created_at: foundedAt } = await tx.selectFrom('organisation').select('created_at').where('id', '=', tx.orgId).executeTakeFirstOrThrow()
  const further = await tx.selectFrom('person').select('id').where('org_id', '=', tx.orgId).where('created_at', '>', foundedAt).limit(1).executeTakeFirst()
  return further !== undefined
}
