import { sweepForSigners } from '@holdfast/features/signer-link/server'
import type { Repeating } from '@holdfast/jobs'
import { applyPolicyChange, type ApplyNeeds, endStaleChange } from './apply-policy-change.ts'
import { bringSignersUp } from './bring-signers-up.ts'
import { policyChanges } from './policy-change.ts'
import { currentPolicy } from '../current-policy.ts'
import { signersInForce } from '../signers-in-force.ts'

const sweeps = sweepForSigners()

/** Has changes of the policy looked at now by this process; otherwise a process that drives them does within a second. */
export const pokePolicyChanges: typeof sweeps.poke = sweeps.poke

/**
 * Brings changes that have their quorum to the signers, ends those nobody can approve any more, lets in the signers that the policies in force name, and
 * hands each that connects the versions it missed.
 */
export function startPolicyChanges(needs: ApplyNeeds, report: (cause: unknown) => void = () => {}): Repeating {
  let mayBeBehind = true
  const onSigners = () => {
    mayBeBehind = true
  }
  return sweeps.start(needs, { report, onSigners }, async ({ isStopped }) => {
    const tellsAgain = mayBeBehind
    for (const { org_id: orgId, id, state } of await policyChanges.unfinished(needs.db)) {
      if (isStopped()) return
      // A signer that was asked and did not answer may still be connected.
      if (await driveChange(needs, orgId, id, state, tellsAgain).catch(report)) mayBeBehind = true
    }
    if (!mayBeBehind) return
    mayBeBehind = false
    await letIn(needs)
      .then(() => bringAllUp(needs))
      .catch((cause: unknown) => {
        mayBeBehind = true
        report(cause)
      })
  })
}

/** True if a new version came into force. */
async function driveChange(needs: ApplyNeeds, orgId: string, id: string, state: string, tellsAgain: boolean): Promise<boolean> {
  await needs.db.asOrganisation(orgId, (tx) => endStaleChange(tx, needs, id))
  return state === 'approved' && (await applyPolicyChange(needs, orgId, id, { tellsAgain })) === 'applied'
}

async function letIn(needs: ApplyNeeds): Promise<void> {
  needs.coSigners.admit(await signersInForce(needs))
}

/** Organisations whose policy has changed since the founding: a signer may have missed it. */
async function bringAllUp(needs: ApplyNeeds): Promise<void> {
  const organisations = await needs.db.asSystem((tx) => tx.selectFrom('policy_version').select('org_id').where('version', '>', 1n).groupBy('org_id').execute())
  for (const { org_id: orgId } of organisations) {
    const inForce = await needs.db.asOrganisation(orgId, (tx) => currentPolicy(tx))
    await bringSignersUp(needs, inForce)
  }
}
