import type { OrganisationTx } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { CoSignerFailure } from '@holdfast/features/co-signer/server'
import { currentPolicy, type PolicyInForce } from '@holdfast/features/strategy/server'
import { type KeyStatement, type Signed, signedShape, signerCalls, verifyKeyRecord } from '@holdfast/protocol'
import { announce } from '@holdfast/jobs'
import { attestAddresses } from './attest-addresses.ts'
import { insertKey } from './insert-key.ts'
import { type KeyStep, nextStep, pairOf, withStep } from './key-progress.ts'
import { encodeStatements, readWalletKey, type WalletKeyRow } from './read-key.ts'
import { SignerMismatch } from './signer-mismatch.ts'
import { writeKit } from './write-kit.ts'

export type KeyNeeds = Pick<ServerContext, 'ports' | 'db' | 'coSigners' | 'networks'>

const PARTIES = [1n, 2n, 3n]
/** A key that could not be made in this many tries is not going to be: something is wrong that waiting does not cure. */
const GENERATIONS_MAX = 5
/** The one purpose of these keys: orders of a custody wallet. A signer uses a key for nothing else. */
const PURPOSE = 'custody'

/** What a step found, to be written in one transaction with the step itself. */
type Found = (tx: OrganisationTx) => Promise<void>

/**
 * Takes the next step of a wallet that is being made, and says whether there is another one to take now. Every step is
 * written before and after, so that a server that dies takes the same step again; only a key whose making was cut off is
 * begun anew under another id, for nobody knows who has a share of it.
 */
export async function takeKeyStep(needs: KeyNeeds, orgId: string, walletId: string): Promise<'again' | 'wait' | 'done'> {
  if (PARTIES.some((party) => !needs.coSigners.online().includes(Number(party)))) return 'wait'
  const begun = await needs.db.asOrganisation(orgId, (tx) => beginStep(tx, needs, walletId))
  if (!begun) return 'done'
  const { key, step, inForce } = begun
  try {
    const found = await runStep(needs, orgId, key, step, inForce)
    return await needs.db.asOrganisation(orgId, (tx) => endStep(tx, needs, key, step, found))
  } catch (cause) {
    return needs.db.asOrganisation(orgId, (tx) => failStep(tx, needs, key, step, cause))
  }
}

async function beginStep(
  tx: OrganisationTx,
  needs: KeyNeeds,
  walletId: string,
): Promise<{ key: WalletKeyRow; step: KeyStep; inForce: PolicyInForce } | undefined> {
  let key = await readWalletKey(tx, walletId, true)
  if (key?.walletState !== 'creating') return undefined
  const step = nextStep(key.progress)
  if (!step) return undefined
  const cutOff = step === 'generate' && key.progress.steps[0]!.state === 'running'
  if (cutOff) key = await beginAgain(tx, needs, key, 'cut off')
  if (!key) return undefined
  await writeProgress(tx, needs, key, step, 'running')
  return { key, step, inForce: await currentPolicy(tx) }
}

/** Gives up a key id and begins another key. Fails the wallet where that was tried often enough. */
async function beginAgain(tx: OrganisationTx, needs: KeyNeeds, key: WalletKeyRow, reason: string): Promise<WalletKeyRow | undefined> {
  if (key.progress.generations + 1 >= GENERATIONS_MAX) {
    await failWallet(tx, needs, key, 'generate', reason)
    return undefined
  }
  const nowMs = needs.ports.clock.nowMs()
  const keyId = await insertKey(tx, needs.ports, key.protocol, key.progress.generations + 1)
  await tx.updateTable('wallet_key').set({ state: 'failed', updated_at: nowMs }).where('org_id', '=', tx.orgId).where('key_id', '=', key.keyId).execute()
  await tx.updateTable('wallet').set({ key_id: keyId, updated_at: nowMs }).where('org_id', '=', tx.orgId).where('id', '=', key.walletId).execute()
  return readWalletKey(tx, key.walletId)
}

async function writeProgress(
  tx: OrganisationTx,
  needs: KeyNeeds,
  key: WalletKeyRow,
  step: KeyStep,
  state: 'running' | 'done' | 'failed' | 'waiting',
  reason: string | null = null,
): Promise<void> {
  const nowMs = needs.ports.clock.nowMs()
  key.progress = withStep(key.progress, step, state, nowMs, reason)
  await tx
    .updateTable('wallet_key')
    .set({ progress: JSON.stringify(key.progress), updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('key_id', '=', key.keyId)
    .where('epoch', '=', key.epoch)
    .execute()
  await announce(tx, needs.ports, 'wallet.changed', { wallet_id: key.walletId })
}

async function runStep(needs: KeyNeeds, orgId: string, key: WalletKeyRow, step: KeyStep, inForce: PolicyInForce): Promise<Found> {
  if (step === 'generate') return generate(needs, key, inForce)
  const pair = pairOf(step)
  if (pair) return setUpPair(needs, key, inForce, pair)
  if (step === 'attest') return attest(needs, orgId, key, inForce)
  return writeKit(needs, orgId, key, inForce)
}

async function generate({ coSigners, ports }: KeyNeeds, key: WalletKeyRow, inForce: PolicyInForce): Promise<Found> {
  const { keyId, epoch } = key
  const results = await coSigners.runSession({
    kind: 'generateKey',
    protocol: key.protocol,
    genesis: inForce.fingerprint,
    keyId,
    epoch,
    parties: PARTIES,
    purpose: PURPOSE,
    nonce: ports.random.bytes(32),
  })
  const statements = PARTIES.map((party) => decode(signedShape, resultOf(results, party)))
  const made = agreedKey(statements, key, inForce)
  return async (tx) => {
    await tx
      .updateTable('wallet_key')
      .set({ state: 'setting_up', public_key: made.publicKey, chain_code: made.chainCode, statements: encodeStatements(statements) })
      .where('org_id', '=', tx.orgId)
      .where('key_id', '=', keyId)
      .where('epoch', '=', epoch)
      .execute()
  }
}

async function setUpPair({ coSigners, ports }: KeyNeeds, { keyId, epoch }: WalletKeyRow, inForce: PolicyInForce, parties: [bigint, bigint]): Promise<Found> {
  await coSigners.runSession({ kind: 'pairSetup', genesis: inForce.fingerprint, keyId, epoch, parties, nonce: ports.random.bytes(32) })
  return async () => {}
}

/** Asks all three once more, from what they have on disk, and has them attest the first address on every network. */
async function attest(needs: KeyNeeds, orgId: string, key: WalletKeyRow, inForce: PolicyInForce): Promise<Found> {
  const { keyId, epoch } = key
  const statements = await Promise.all(
    PARTIES.map((party) => needs.coSigners.call(Number(party), signerCalls.attestKey, { genesis: inForce.fingerprint, keyId, epoch })),
  )
  const attested = agreedKey(statements, key, inForce)
  if (!key.publicKey || !key.chainCode || !equalBytes(attested.publicKey, key.publicKey) || !equalBytes(attested.chainCode, key.chainCode)) {
    throw new SignerMismatch('the signers attest another key than the one they made')
  }
  const addresses = await attestAddresses(needs, orgId, key, inForce)
  return async (tx) => {
    await tx
      .updateTable('wallet_key')
      .set({ statements: encodeStatements(statements) })
      .where('org_id', '=', tx.orgId)
      .where('key_id', '=', keyId)
      .where('epoch', '=', epoch)
      .execute()
    await addresses(tx)
  }
}

function agreedKey(statements: Signed[], { keyId, epoch }: WalletKeyRow, inForce: PolicyInForce): KeyStatement {
  const agreed = verifyKeyRecord(statements, inForce.signers, inForce.fingerprint)
  if (!agreed) throw new SignerMismatch('the three signers do not agree on the key')
  if (!equalBytes(agreed.keyId, keyId) || agreed.epoch !== epoch) throw new SignerMismatch('the signers speak of another key')
  return agreed
}

function resultOf(results: ReadonlyMap<number, Uint8Array>, party: bigint): Uint8Array {
  const result = results.get(Number(party))
  if (!result) throw new Error(`signer ${party} gave no result`)
  return result
}

async function endStep(tx: OrganisationTx, needs: KeyNeeds, key: WalletKeyRow, step: KeyStep, found: Found): Promise<'again' | 'done'> {
  const present = await readWalletKey(tx, key.walletId, true)
  // Another server may have gone on meanwhile; what it wrote stands.
  if (present?.walletState !== 'creating' || !equalBytes(present.keyId, key.keyId) || nextStep(present.progress) !== step) return 'again'
  await found(tx)
  await writeProgress(tx, needs, present, step, 'done')
  return nextStep(present.progress) ? 'again' : 'done'
}

async function failStep(tx: OrganisationTx, needs: KeyNeeds, key: WalletKeyRow, step: KeyStep, cause: unknown): Promise<'wait' | 'done'> {
  const present = await readWalletKey(tx, key.walletId, true)
  if (present?.walletState !== 'creating' || !equalBytes(present.keyId, key.keyId) || nextStep(present.progress) !== step) return 'wait'
  const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, 500)
  // A refusal is a decision, cheating and disagreement need a person; only what was an accident is tried again.
  const isFinal = cause instanceof SignerMismatch || (cause instanceof CoSignerFailure && (cause.kind === 'refused' || cause.kind === 'cheat'))
  if (isFinal) {
    await failWallet(tx, needs, present, step, cause instanceof CoSignerFailure ? `signer ${cause.party}: ${cause.check} ${reason}` : reason)
    return 'done'
  }
  const again = step === 'generate' ? await beginAgain(tx, needs, present, reason) : present
  if (again) await writeProgress(tx, needs, again, step, 'waiting', reason)
  return again ? 'wait' : 'done'
}

async function failWallet(tx: OrganisationTx, needs: KeyNeeds, key: WalletKeyRow, step: KeyStep, reason: string): Promise<void> {
  const nowMs = needs.ports.clock.nowMs()
  await tx.updateTable('wallet').set({ state: 'failed', updated_at: nowMs }).where('org_id', '=', tx.orgId).where('id', '=', key.walletId).execute()
  await tx.updateTable('wallet_key').set({ state: 'failed' }).where('org_id', '=', tx.orgId).where('key_id', '=', key.keyId).execute()
  await writeProgress(tx, needs, key, step, 'failed', reason)
}
