import type { KeyChangeState } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import { currentPolicy, policyAt } from '@holdfast/features/policy/server'
import { insertEpoch, readWalletKey } from '@holdfast/features/key/server'
import type { GovernedMove } from '@holdfast/features/proposal/server'
import { replacedSigners } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { nextChangeStep } from '../change-progress.ts'
import { isShareChange, keyChanges, type ShareChange } from '../key-change.ts'
import { heldByBeginner } from '../key-change-view.ts'
import { epochStatementsShape, type KeyChangeNeeds } from '../take-change-step.ts'

const PARTIES = [1, 2, 3]

/**
 * Ends an order for new shares that were made with a signer which has none of them any more: it has been replaced since, or it has given its word and lost its
 * folder after. Once all three have given their word, one may sign with the new epoch already, so both that stay go over to it first, and a repair begins from
 * there. `goesOn` where nothing is lost, `wait` where one that stays is away.
 */
export async function endWithReplacedSigner(needs: KeyChangeNeeds, orgId: string, id: string): Promise<'goesOn' | 'wait' | 'ended'> {
  const { db, coSigners, ports } = needs
  const found = await db.asOrganisation(orgId, async (tx) => {
    const change = await keyChanges.read(tx, id)
    if (change?.row.state !== 'approved' || !isShareChange(change)) return undefined
    const { signers, fingerprint } = await currentPolicy(tx)
    const replaced = replacedSigners((await policyAt(tx, change.row.policy_version)).signers, signers).map(({ party }) => Number(party))
    return { change, fingerprint, replaced }
  })
  if (!found) return 'goesOn'
  const { change, fingerprint, replaced } = found
  const lost = replaced.length > 0 ? undefined : await whoLost(needs, change, fingerprint)
  if (replaced.length === 0 && lost === undefined) return 'goesOn'
  const staying = PARTIES.filter((party) => party !== lost && !replaced.includes(party))
  const attested = change.row.statements
  const isAttested = attested !== null && nextChangeStep(change.progress) === 'activate'
  if (isAttested) {
    if (staying.some((party) => !coSigners.online().includes(party))) return 'wait'
    const { statements } = decode(epochStatementsShape, new Uint8Array(attested))
    const { keyId, toEpoch: epoch } = change.intent
    for (const party of staying) await coSigners.call(party, signerCalls.activateEpoch, { genesis: fingerprint, keyId, epoch, statements })
  }
  await db.asOrganisation(orgId, async (tx) => {
    const key = await readWalletKey(tx, change.row.wallet_id, change.intent.keyId, true)
    const present = await keyChanges.read(tx, id, true)
    if (present?.row.state !== 'approved') return
    // What the three said of the key holds for its next epoch as well: key and chain code are the same.
    if (isAttested && key?.epoch === change.intent.fromEpoch) await insertEpoch(tx, ports, key, key.statements)
    await keyChanges.move(tx, needs, present, lost === undefined ? { state: 'superseded', actor: 'server' } : refusedFor(lost))
  })
  return 'ended'
}

const refusedFor = (party: number): GovernedMove<KeyChangeState> => ({
  state: 'refused',
  actor: `signer-${party}`,
  reason: `signer ${party} lost its share of the new epoch, as when its folder is gone or was put back: repair signer ${party}`,
})

/** The one signer that has nothing of an epoch of which all three have said that they have it; undefined while one does not answer. */
async function whoLost({ coSigners }: KeyChangeNeeds, { intent: { keyId, toEpoch }, progress }: ShareChange, genesis: Uint8Array): Promise<number | undefined> {
  const step = nextChangeStep(progress)
  const isThere = PARTIES.every((party) => coSigners.online().includes(party))
  if (!isThere || (step !== 'activate' && step !== 'kit')) return undefined
  const held = await Promise.all(PARTIES.map((party) => coSigners.call(party, signerCalls.keyEpochs, { genesis, keyId }).catch(heldByBeginner)))
  const has = held.map((each) => each === undefined || each.active === toEpoch || each.staged?.epoch === toEpoch)
  const without = PARTIES.filter((party) => !at(has, party - 1))
  return without.length === 1 ? without[0] : undefined
}
