import { decode } from '@holdfast/encoding'
import { currentPolicy, policyAt } from '@holdfast/features/policy/server'
import { insertEpoch, readWalletKey } from '@holdfast/features/key/server'
import { replacedSigners } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { nextChangeStep } from './change-progress.ts'
import { isShareChange, keyChanges } from './key-change.ts'
import { epochStatementsShape, type KeyChangeNeeds } from './take-change-step.ts'

const PARTIES = [1, 2, 3]

/**
 * Ends an order for new shares that were made with a signer which has been replaced since: the one in its place has none of them. Once all three have given
 * their word, one may sign with the new epoch already, so both that stay go over to it first, and a repair begins from there. `goesOn` where no signer of the
 * order was replaced, `wait` where one that stays is away.
 */
export async function endWithReplacedSigner(needs: KeyChangeNeeds, orgId: string, id: string): Promise<'goesOn' | 'wait' | 'ended'> {
  const { db, coSigners, ports } = needs
  const found = await db.asOrganisation(orgId, async (tx) => {
    const change = await keyChanges.read(tx, id)
    if (change?.row.state !== 'approved' || !isShareChange(change)) return undefined
    const { signers, fingerprint } = await currentPolicy(tx)
    const replaced = replacedSigners((await policyAt(tx, change.row.policy_version)).signers, signers).map(({ party }) => Number(party))
    return replaced.length > 0 ? { change, fingerprint, staying: PARTIES.filter((party) => !replaced.includes(party)) } : undefined
  })
  if (!found) return 'goesOn'
  const { change, fingerprint, staying } = found
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
    await keyChanges.move(tx, needs, present, { state: 'superseded', actor: 'server' })
  })
  return 'ended'
}
