import type { OrganisationTx } from '@holdfast/db'
import { decode, encode, equalBytes, list, struct } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { bringLogUp, readApprovals } from '@holdfast/features/evidence/server'
import { currentPolicy, type PolicyInForce } from '@holdfast/features/policy/server'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { insertEpoch, readWalletKey, SignerMismatchError, type WalletKeyRow, writeKit } from '@holdfast/features/key/server'
import { sequencesOf } from '@holdfast/features/proposal/server'
import { epochStatementShape, openSigned, signedShape, signerCalls, verifyKeyRecord } from '@holdfast/protocol'
import { at, known } from '@holdfast/units'
import { begunAgain, type ChangeStep, nextChangeStep, pairOfStep, type StepState, withChangeStep } from './change-progress.ts'
import { isShareChange, type KeyChange, keyChanges, type ShareChange, writeChangeProgress } from './key-change.ts'
import { isRefusal, readySigners, refusalOf } from './ready-signers.ts'

export type KeyChangeNeeds = Pick<ServerContext, 'ports' | 'db' | 'coSigners' | 'networks' | 'settings'>

const PARTIES = [1n, 2n, 3n]

/** The words of all three signers that the next epoch is on disk at each of them. */
export const epochStatementsShape = struct('holdfast/epoch-statements/v1', { statements: list(signedShape, 3) })

/** What a step found, to be written in one transaction with the step itself. */
type Found = (tx: OrganisationTx, change: KeyChange) => Promise<void>
type Work = { change: ShareChange; key: WalletKeyRow; step: ChangeStep; inForce: PolicyInForce; words: Uint8Array[]; sequences: number[] }

/** What the signers made so far does not go together: the steps are taken once more from the first. Nothing of it is in use. */
class BeginAgainError extends Error {
  override name = 'BeginAgainError'
}

/**
 * Takes the next step of an approved order for new shares, and says whether there is another one to take now. Every step is written before and after and can be
 * taken twice, so a server that dies takes the same step again: until every signer has gone over, each has both epochs.
 */
export async function takeChangeStep(needs: KeyChangeNeeds, orgId: string, id: string): Promise<'again' | 'wait' | 'done'> {
  if (PARTIES.some((party) => !needs.coSigners.online().includes(Number(party)))) return 'wait'
  const work = await needs.db.asOrganisation(orgId, (tx) => beginStep(tx, needs, id))
  if (!work) return 'done'
  try {
    const found = await runStep(needs, orgId, work)
    return await needs.db.asOrganisation(orgId, (tx) => endStep(tx, needs, work, found))
  } catch (cause) {
    return needs.db.asOrganisation(orgId, (tx) => failStep(tx, needs, work, cause))
  }
}

async function beginStep(tx: OrganisationTx, needs: KeyChangeNeeds, id: string): Promise<Work | undefined> {
  const change = await keyChanges.read(tx, id, true)
  if (change?.row.state !== 'approved' || !isShareChange(change)) return undefined
  const step = nextChangeStep(change.progress)
  const key = await readWalletKey(tx, change.row.wallet_id, change.intent.keyId)
  if (!step || !key) return undefined
  const inForce = await currentPolicy(tx)
  const words = (await readApprovals(tx, change.row.intent_hash)).filter((each) => each.approval.decision === 'approve')
  const sequences = sequencesOf(change.places, words)
  await writeChangeProgress(tx, needs, change, withChangeStep(change.progress, step, 'running', needs.ports.clock.nowMs()))
  return { change, key, step, inForce, words: words.map((each) => each.bytes), sequences }
}

async function runStep(needs: KeyChangeNeeds, orgId: string, work: Work): Promise<Found> {
  const { step, inForce, change } = work
  const pair = pairOfStep(step)
  if (step === 'reshare') return reshare(needs, orgId, work)
  if (pair) return setUpPair(needs, orgId, work, pair)
  if (step === 'attest') return attest(needs, work)
  if (step === 'activate') return activate(needs, work)
  // The kit is of the epoch that is in use by now.
  const key = await needs.db.asOrganisation(orgId, (tx) => readWalletKey(tx, change.row.wallet_id, change.intent.keyId))
  return writeKit(needs, known(key, `the key of wallet ${change.row.wallet_id}`), inForce)
}

/** Brings every signer to the policy in force and to the newest log entry, also one that begins anew, and has them take new shares. */
async function reshare(needs: KeyChangeNeeds, orgId: string, { change, inForce, words, sequences }: Work): Promise<Found> {
  const { coSigners, ports } = needs
  const { intent } = change
  const { fingerprint } = inForce
  const ready = await readySigners(needs, orgId, inForce, sequences)
  const { keyId, fromEpoch, toEpoch: epoch, dealers } = intent
  const { key } = await coSigners.call(Number(dealers[0]), signerCalls.keyPublic, { genesis: fingerprint, keyId, epoch: fromEpoch })
  await coSigners.runSession(
    {
      kind: 'reshare',
      genesis: fingerprint,
      keyId,
      epoch,
      parties: PARTIES,
      key,
      intent: new Uint8Array(change.row.intent),
      approvals: words,
      ...ready,
      nonce: ports.random.bytes(32),
    },
    bringLogUp(needs, orgId, inForce),
  )
  return async () => {}
}

async function setUpPair(needs: KeyChangeNeeds, orgId: string, { change, inForce }: Work, parties: [bigint, bigint]): Promise<Found> {
  const { keyId, toEpoch: epoch } = change.intent
  const request = { kind: 'pairSetup' as const, genesis: inForce.fingerprint, keyId, epoch, parties, nonce: needs.ports.random.bytes(32) }
  await needs.coSigners.runSession(request, bringLogUp(needs, orgId, inForce))
  return async () => {}
}

/** Takes the word of each signer that it has the next epoch, and believes them only where all three speak of the same. */
async function attest({ coSigners }: KeyChangeNeeds, { change, inForce }: Work): Promise<Found> {
  const { keyId, toEpoch: epoch } = change.intent
  const asked = { genesis: inForce.fingerprint, keyId }
  const ready = await Promise.all(PARTIES.map((party) => coSigners.call(Number(party), signerCalls.keyEpochs, asked)))
  const [first] = ready.map(({ staged }) => staged)
  const isOne = ready.every(({ staged }) => staged && first && staged.epoch === epoch && equalBytes(staged.key, first.key))
  if (!first || !isOne) throw new BeginAgainError('the signers do not hold the new shares of one run')
  const statements = await Promise.all(PARTIES.map((party) => coSigners.call(Number(party), signerCalls.attestEpoch, { ...asked, epoch })))
  statements.forEach((signed, i) => {
    const signer = at(inForce.signers, i)
    const said = openSigned(epochStatementShape, signed, signer.signKey)
    const isIt = said && said.party === signer.party && said.epoch === epoch && equalBytes(said.keyId, keyId)
    if (!isIt || !equalBytes(said.key, first.key)) throw new SignerMismatchError(`signer ${signer.party} attests something else than the epoch it holds`)
  })
  return async (tx) => {
    await tx
      .updateTable('key_change')
      .set({ statements: encode(epochStatementsShape, { statements }) })
      .where('org_id', '=', tx.orgId)
      .where('id', '=', change.row.id)
      .execute()
  }
}

/** Has all three go over. From the first of them on only the new epoch will do; each can follow at any time. */
async function activate(needs: KeyChangeNeeds, { change, key, inForce }: Work): Promise<Found> {
  const { coSigners } = needs
  const { keyId, toEpoch: epoch, fromEpoch } = change.intent
  const asked = { genesis: inForce.fingerprint, keyId, epoch }
  const { statements } = decode(epochStatementsShape, new Uint8Array(known(change.row.statements, 'what the signers attest of the next epoch')))
  for (const party of PARTIES) await coSigners.call(Number(party), signerCalls.activateEpoch, { ...asked, statements })
  const attested = await Promise.all(PARTIES.map((party) => coSigners.call(Number(party), signerCalls.attestKey, asked)))
  const agreed = verifyKeyRecord(attested, inForce.signers, inForce.fingerprint)
  const isSameKey =
    agreed && key.publicKey && equalBytes(agreed.publicKey, key.publicKey) && equalBytes(agreed.chainCode, known(key.chainCode, 'the chain code of the key'))
  if (!isSameKey || agreed.epoch !== epoch) throw new SignerMismatchError('the signers attest another key than the one that was given new shares')
  return async (tx) => {
    const present = await readWalletKey(tx, change.row.wallet_id, keyId)
    if (present?.epoch === fromEpoch) await insertEpoch(tx, needs.ports, present, attested)
  }
}

const isSameStep = (present: KeyChange | undefined, { change, step }: Work): present is KeyChange =>
  present?.row.state === 'approved' && present.row.id === change.row.id && nextChangeStep(present.progress) === step

async function endStep(tx: OrganisationTx, needs: KeyChangeNeeds, work: Work, found: Found): Promise<'again' | 'done'> {
  // Locked first, as whoever makes keys does.
  await readWalletKey(tx, work.change.row.wallet_id, work.change.intent.keyId, true)
  const present = await keyChanges.read(tx, work.change.row.id, true)
  // Another server may have gone on meanwhile; what it wrote stands.
  if (!isSameStep(present, work)) return 'again'
  await found(tx, present)
  await writeChangeProgress(tx, needs, present, withChangeStep(present.progress, work.step, 'done', needs.ports.clock.nowMs()))
  if (nextChangeStep(present.progress)) return 'again'
  const { statements } = known(await keyChanges.read(tx, present.row.id), `key change ${present.row.id}`).row
  await keyChanges.move(tx, needs, present, {
    state: 'active',
    actor: 'signers 1, 2, 3',
    log: [{ type: 'key', body: new Uint8Array(known(statements, 'what the signers attest of the new epoch')) }],
  })
  return 'done'
}

/** Whether a signer has nothing any more of shares that nobody signs with yet: they are made once more, or it says why it takes no part. */
function isLoss(step: ChangeStep, cause: unknown): boolean {
  const isBefore = pairOfStep(step) !== undefined || step === 'attest'
  return isBefore && cause instanceof CoSignerError && cause.kind === 'refused' && (cause.check === 'c1' || cause.check === 'c2')
}

async function failStep(tx: OrganisationTx, needs: KeyChangeNeeds, work: Work, cause: unknown): Promise<'wait' | 'done'> {
  const present = await keyChanges.read(tx, work.change.row.id, true)
  if (!isSameStep(present, work)) return 'wait'
  const nowMs = needs.ports.clock.nowMs()
  const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, 500)
  if (cause instanceof BeginAgainError || isLoss(work.step, cause)) {
    await writeChangeProgress(tx, needs, present, begunAgain(present.progress, reason))
    return 'wait'
  }
  if (work.step === 'reshare' && isRefusal(cause)) {
    await keyChanges.move(tx, needs, present, refusalOf(cause, work.inForce, reason))
    return 'done'
  }
  const state: StepState = cause instanceof SignerMismatchError ? 'failed' : 'waiting'
  await writeChangeProgress(tx, needs, present, withChangeStep(present.progress, work.step, state, nowMs, reason))
  return 'wait'
}
