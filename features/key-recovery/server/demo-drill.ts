import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { readWalletKeys, type RecoveryState } from '@holdfast/features/key/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { encodeKits } from '@holdfast/protocol'
import { keyRecoveryErrors } from '../errors.ts'
import { kitsOf, submitDrill } from './submit-drill.ts'

const ANSWER_MS = 60_000
const PROOF_BYTES_MAX = 6_000

type Settings = Pick<ServerContext['settings'], 'demoRecipients' | 'demoDrillUrl'>

/**
 * Who holds the drills of this organisation at the press of a button; undefined of every real one. It is a demo whose signers seal to the identities that lie
 * on this machine, and to no others.
 */
export async function demoDrillUrl(tx: OrganisationTx, { demoRecipients, demoDrillUrl: url }: Settings): Promise<string | undefined> {
  if (demoRecipients === null || url === null) return undefined
  const organisation = await tx.selectFrom('organisation').select('demo').where('id', '=', tx.orgId).executeTakeFirstOrThrow()
  if (!organisation.demo) return undefined
  const { policy } = await currentPolicy(tx)
  const own = demoRecipients.flat().toSorted()
  const named = policy.recovery.flatMap(({ recipients }) => recipients).toSorted()
  return named.length === own.length && named.every((each, at) => each === own[at]) ? url : undefined
}

/**
 * Has the recovery tool rebuild the keys of a demo wallet on this machine, and takes its proof as any other. The kit goes out and the proof comes back: the
 * identities stay where they are. Throws AppError `not_permitted` for an organisation that is no demo.
 */
export async function holdDemoDrill(
  { db, ports, settings }: Pick<ServerContext, 'db' | 'ports' | 'settings'>,
  orgId: string,
  walletId: string,
): Promise<RecoveryState> {
  const { url, kits } = await db.asOrganisation(orgId, async (tx) => {
    const keys = await readWalletKeys(tx, walletId)
    if (keys.length === 0) throw new AppError('wallet_not_found')
    return { url: await demoDrillUrl(tx, settings), kits: await kitsOf(tx, keys) }
  })
  if (url === undefined) throw new AppError('not_permitted')
  if (kits === undefined) throw new AppError('invalid_parameters', { details: { field: 'wallet_id', reason: 'this wallet has no recovery kit yet' } })
  const proof = await proofOf(ports, url, encodeKits(kits))
  return db.asOrganisation(orgId, (tx) => submitDrill(tx, ports, walletId, proof))
}

async function proofOf(ports: Pick<ServerContext['ports'], 'fetch' | 'timer'>, url: string, kit: Uint8Array): Promise<Uint8Array> {
  const late = new AbortController()
  const stop = ports.timer.after(ANSWER_MS, () => late.abort())
  try {
    const headers = { 'content-type': 'application/octet-stream' }
    const answer = await ports.fetch(url, { method: 'POST', headers, body: new Uint8Array(kit), signal: late.signal, redirect: 'error' })
    if (!answer.ok) throw new Error(`the drill was answered with ${answer.status}: ${await answer.text()}`)
    const proof = new Uint8Array(await answer.arrayBuffer())
    if (proof.length > PROOF_BYTES_MAX) throw new Error('the drill was answered with what is too long for a proof')
    return proof
  } catch (cause) {
    throw new AppError(keyRecoveryErrors.drill_not_held, { cause })
  } finally {
    stop()
  }
}
