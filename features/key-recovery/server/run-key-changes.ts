import type { OrganisationTx } from '@holdfast/db'
import { sweepForSigners } from '@holdfast/features/signer-link/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { readWalletKey } from '@holdfast/features/key/server'
import type { Repeating } from '@holdfast/jobs'
import { signerCalls } from '@holdfast/protocol'
import { at, known } from '@holdfast/units'
import { checkDueShares } from './check-shares.ts'
import { endWithReplacedSigner } from './lost/end-with-replaced-signer.ts'
import { isKeyOrder, keyChanges } from './key-change.ts'
import { proposeDueRefreshes } from './propose-due-refreshes.ts'
import { readKit } from './submit-drill.ts'
import { type KeyChangeNeeds, takeChangeStep } from './take-change-step.ts'
import { takeOrderStep } from './take-order-step.ts'

/** Shares grow old slowly. */
const REFRESHES_EVERY_MS = 60_000

const sweeps = sweepForSigners()

/** Has orders about keys looked at now by this process; otherwise a process that drives them does within a second. */
export const pokeKeyChanges: typeof sweeps.poke = sweeps.poke

/**
 * Carries out approved orders about keys, has old shares deleted once the new kit has been proven, ends what nobody can approve any more, has the
 * signers show on a schedule that each still has its share, and proposes new shares for old ones.
 */
export function startKeyChanges(needs: KeyChangeNeeds, report: (cause: unknown) => void = () => {}): Repeating {
  let refreshesFromMs = 0
  return sweeps.start(needs, { report }, async ({ isStopped, attend }) => {
    for (const { org_id: orgId, id, state } of await keyChanges.unfinished(needs.db)) {
      if (!isStopped()) await attend(id, () => advance(needs, orgId, { id, state }, isStopped))
    }
    if (!isStopped()) await checkDueShares(needs, isStopped)
    if (isStopped() || needs.ports.clock.monotonicMs() < refreshesFromMs) return
    refreshesFromMs = needs.ports.clock.monotonicMs() + REFRESHES_EVERY_MS
    await proposeDueRefreshes(needs, isStopped)
  })
}

/** True if nothing is left to do now. */
async function advance(needs: KeyChangeNeeds, orgId: string, { id, state }: { id: string; state: string }, isStopped: () => boolean): Promise<boolean> {
  if (state === 'active') return retireOldEpochs(needs, orgId, id)
  await needs.db.asOrganisation(orgId, (tx) => endStaleKeyChange(tx, needs, id))
  if (state !== 'approved') return true
  if (await needs.db.asOrganisation(orgId, async (tx) => isKeyOrder(known(await keyChanges.read(tx, id), `key change ${id}`))))
    return (await takeOrderStep(needs, orgId, id)) === 'done'
  const standing = await endWithReplacedSigner(needs, orgId, id)
  if (standing !== 'goesOn') return standing === 'ended'
  let outcome: 'again' | 'wait' | 'done' = 'again'
  while (outcome === 'again' && !isStopped()) outcome = await takeChangeStep(needs, orgId, id)
  return outcome === 'done'
}

/** Ends what nobody can approve or begin any more: its time is over, or the policy is another. What the signers have begun goes on. */
export async function endStaleKeyChange(tx: OrganisationTx, needs: Pick<KeyChangeNeeds, 'ports'>, id: string): Promise<void> {
  const change = await keyChanges.read(tx, id, true)
  if (!change || change.row.is_final || change.row.state === 'active') return
  if (at(change.progress.steps, 0).state === 'done') return
  const { policy } = await currentPolicy(tx)
  if (policy.version !== change.row.policy_version) await keyChanges.move(tx, needs, change, { state: 'superseded', actor: 'server' })
  else if (change.row.expires_at < BigInt(needs.ports.clock.nowMs())) await keyChanges.move(tx, needs, change, { state: 'expired', actor: 'server' })
}

/** Has the signers delete shares of former epochs, once a drill has proven the kit of the epoch in use; each checks that itself. */
async function retireOldEpochs(needs: KeyChangeNeeds, orgId: string, id: string): Promise<boolean> {
  const found = await needs.db.asOrganisation(orgId, async (tx) => {
    const change = await keyChanges.read(tx, id)
    const key = change && (await readWalletKey(tx, change.row.wallet_id, change.intent.keyId))
    const kit = key && (await readKit(tx, key))
    return change && key && kit?.drill ? { key, drill: new Uint8Array(kit.drill), fingerprint: change.intent.genesis } : undefined
  })
  if (!found) return true
  const { keyId } = found.key
  for (const party of [1, 2, 3]) {
    if (!needs.coSigners.online().includes(party)) return false
    const { former } = await needs.coSigners.call(party, signerCalls.keyEpochs, { genesis: found.fingerprint, keyId })
    for (const epoch of former) await needs.coSigners.call(party, signerCalls.retireEpoch, { genesis: found.fingerprint, keyId, epoch, drill: found.drill })
  }
  await needs.db.asOrganisation(orgId, async (tx) => {
    const change = await keyChanges.read(tx, id, true)
    if (change?.row.state === 'active') await keyChanges.move(tx, needs, change, { state: 'done', actor: 'signers 1, 2, 3' })
  })
  return true
}
