import type { OrganisationTx } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { bringLogUp } from '@holdfast/features/evidence/server'
import { bringSignersUp, currentPolicy, type PolicyInForce } from '@holdfast/features/policy/server'
import { type KeyStatement, type Signed, signedShape, signerCalls, verifyKeyRecord } from '@holdfast/protocol'
import { announce } from '@holdfast/jobs'
import { at, known } from '@holdfast/units'
import { attestAddresses } from './attest-addresses.ts'
import { insertKey } from './insert-key.ts'
import { type KeyStep, nextStep, pairOf, withStep } from './key-progress.ts'
import { encodeStatements, readKeysInMaking, type WalletKeyRow } from './read-key.ts'
import { SignerMismatchError } from './signer-mismatch.ts'
import { writeKit } from './write-kit.ts'

export type KeyNeeds = Pick<ServerContext, 'ports' | 'db' | 'coSigners' | 'networks'>

const PARTIES = [1n, 2n, 3n]
/** A key that could not be made in this many tries is not going to be: something is wrong that waiting does not cure. */
const GENERATIONS_MAX = 5
/** The one purpose of these keys: orders of a custody wallet. A signer uses a key for nothing else. */
const PURPOSE = 'custody'

/** What a step found, to be written in one transaction with the step itself. */
type Found = (tx: OrganisationTx) => Promise<void>

/** Nothing of the key has been begun: its id can serve. */
class NotBegunError extends Error {
  override name = 'NotBegunError'
}

/**
 * Takes the next step of a wallet that is being made, key after key, and says whether there is another one to take now. Every step is
 * written before and after, so that a server that dies takes the same step again; only a key whose making was cut off is
 * begun anew under another id, for nobody knows who has a share of it, and so is one made with a signer that was replaced since.
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
    const isFinal = await isDecided(needs, inForce, cause)
    return needs.db.asOrganisation(orgId, (tx) => failStep(tx, needs, { key, step, cause, isFinal }))
  }
}

/** A refusal by this check speaks of how far signers have come, which passes. */
const OF_THE_MOMENT = 'c12'

/**
 * A refusal is a decision, cheating and disagreement need a person; only what was an accident is tried again. What signers refuse while they follow different
 * versions of the policy is one, for each of them may take another for a stranger.
 */
async function isDecided(needs: KeyNeeds, inForce: PolicyInForce, cause: unknown): Promise<boolean> {
  if (cause instanceof SignerMismatchError) return true
  if (!(cause instanceof CoSignerError)) return false
  return (
    cause.kind === 'cheat' || (cause.kind === 'refused' && cause.check !== OF_THE_MOMENT && (await bringSignersUp(needs, inForce)).length === PARTIES.length)
  )
}

/** Whether a key waits for its next step: one of a wallet that is being made, or one that a wallet gets beside those it has. */
function isInMaking({ walletState, isAdded, keyState, progress }: WalletKeyRow): boolean {
  if (nextStep(progress) === undefined) return false
  return isAdded ? walletState === 'active' && keyState !== 'failed' : walletState === 'creating'
}

/** A key as it stands, with its wallet held, while it is still being made. */
async function presentOf(tx: OrganisationTx, { walletId, keyId }: Pick<WalletKeyRow, 'walletId' | 'keyId'>): Promise<WalletKeyRow | undefined> {
  return (await readKeysInMaking(tx, walletId, true)).find((key) => equalBytes(key.keyId, keyId) && isInMaking(key))
}

async function beginStep(
  tx: OrganisationTx,
  needs: KeyNeeds,
  walletId: string,
): Promise<{ key: WalletKeyRow; step: KeyStep; inForce: PolicyInForce } | undefined> {
  let key = (await readKeysInMaking(tx, walletId, true)).find(isInMaking)
  if (!key) return undefined
  const inForce = await currentPolicy(tx)
  const isCutOff = at(key.progress.steps, 0).state === 'running'
  if (isCutOff) key = await beginAgain(tx, needs, key, 'cut off')
  else if (isOfFormerSigners(key, inForce)) key = await beginAnew(tx, needs, key, key.progress.generations)
  if (!key) return undefined
  const step = known(nextStep(key.progress), 'the next step of a key that is being made')
  await writeProgress(tx, needs, key, step, 'running')
  return { key, step, inForce }
}

/** Whether one of the three that made the key has been replaced since. Nobody has an address of it yet, so another key serves as well, and lacks no share. */
function isOfFormerSigners({ statements }: WalletKeyRow, { signers, fingerprint }: PolicyInForce): boolean {
  return statements.length > 0 && !verifyKeyRecord(statements, signers, fingerprint)
}

/** Gives up a key whose making failed and begins another one. Gives up where that was tried often enough. */
async function beginAgain(tx: OrganisationTx, needs: KeyNeeds, key: WalletKeyRow, reason: string): Promise<WalletKeyRow | undefined> {
  const generations = key.progress.generations + 1
  if (generations < GENERATIONS_MAX) return beginAnew(tx, needs, key, generations)
  await failKey(tx, needs, key, 'generate', reason)
  return undefined
}

/** Puts a key under another id in the place of one. `generations` is how often making one has failed so far. */
async function beginAnew(tx: OrganisationTx, needs: KeyNeeds, key: WalletKeyRow, generations: number): Promise<WalletKeyRow | undefined> {
  const nowMs = needs.ports.clock.nowMs()
  const keyId = await insertKey(tx, needs.ports, { ...key, generations })
  await tx.updateTable('wallet_key').set({ state: 'failed', updated_at: nowMs }).where('org_id', '=', tx.orgId).where('key_id', '=', key.keyId).execute()
  return presentOf(tx, { ...key, keyId })
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
  if (step === 'generate') return generate(needs, orgId, key, inForce)
  const pair = pairOf(step)
  if (pair) return setUpPair(needs, orgId, { key, inForce, parties: pair })
  if (step === 'attest') return attest(needs, key, inForce)
  const addresses = await attestAddresses(needs, orgId, key, inForce)
  const kit = await writeKit(needs, key, inForce)
  // In one transaction: a key has no address before it has its kit.
  return async (tx) => {
    await addresses(tx)
    await kit(tx)
  }
}

async function generate(needs: KeyNeeds, orgId: string, key: WalletKeyRow, inForce: PolicyInForce): Promise<Found> {
  const { coSigners, ports } = needs
  const { keyId, epoch } = key
  const following = (await bringSignersUp({ coSigners }, inForce)).map(BigInt)
  const behind = PARTIES.filter((party) => !following.includes(party))
  if (behind.length > 0)
    throw new NotBegunError(
      `signer ${behind.join(', ')} does not follow the policy in force yet: see that its owner allows the organisation, and repair it where it lost its data`,
    )
  const request = {
    kind: 'generateKey' as const,
    protocol: key.protocol,
    genesis: inForce.fingerprint,
    keyId,
    epoch,
    parties: PARTIES,
    purpose: PURPOSE,
    nonce: ports.random.bytes(32),
  }
  const results = await coSigners.runSession(request, bringLogUp(needs, orgId, inForce))
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

type Pair = { key: WalletKeyRow; inForce: PolicyInForce; parties: [bigint, bigint] }

async function setUpPair(needs: KeyNeeds, orgId: string, { key: { keyId, epoch }, inForce, parties }: Pair): Promise<Found> {
  const request = { kind: 'pairSetup' as const, genesis: inForce.fingerprint, keyId, epoch, parties, nonce: needs.ports.random.bytes(32) }
  await needs.coSigners.runSession(request, bringLogUp(needs, orgId, inForce))
  return async () => {}
}

/** Asks all three once more, from what they have on disk. */
async function attest({ coSigners }: KeyNeeds, key: WalletKeyRow, inForce: PolicyInForce): Promise<Found> {
  const { keyId, epoch } = key
  const statements = await Promise.all(
    PARTIES.map((party) => coSigners.call(Number(party), signerCalls.attestKey, { genesis: inForce.fingerprint, keyId, epoch })),
  )
  const attested = agreedKey(statements, key, inForce)
  if (!key.publicKey || !key.chainCode || !equalBytes(attested.publicKey, key.publicKey) || !equalBytes(attested.chainCode, key.chainCode)) {
    throw new SignerMismatchError('the signers attest another key than the one they made')
  }
  return async (tx) => {
    await tx
      .updateTable('wallet_key')
      .set({ statements: encodeStatements(statements) })
      .where('org_id', '=', tx.orgId)
      .where('key_id', '=', keyId)
      .where('epoch', '=', epoch)
      .execute()
  }
}

function agreedKey(statements: Signed[], { keyId, epoch }: WalletKeyRow, inForce: PolicyInForce): KeyStatement {
  const agreed = verifyKeyRecord(statements, inForce.signers, inForce.fingerprint)
  if (!agreed) throw new SignerMismatchError('the three signers do not agree on the key')
  if (!equalBytes(agreed.keyId, keyId) || agreed.epoch !== epoch) throw new SignerMismatchError('the signers speak of another key')
  return agreed
}

function resultOf(results: ReadonlyMap<number, Uint8Array>, party: bigint): Uint8Array {
  const result = results.get(Number(party))
  if (!result) throw new Error(`signer ${party} gave no result`)
  return result
}

async function endStep(tx: OrganisationTx, needs: KeyNeeds, key: WalletKeyRow, step: KeyStep, found: Found): Promise<'again' | 'done'> {
  const present = await presentOf(tx, key)
  // Another server may have gone on meanwhile; what it wrote stands.
  if (!present || nextStep(present.progress) !== step) return 'again'
  await found(tx)
  await writeProgress(tx, needs, present, step, 'done')
  return (await readKeysInMaking(tx, key.walletId)).some(isInMaking) ? 'again' : 'done'
}

type Failure = { key: WalletKeyRow; step: KeyStep; cause: unknown; isFinal: boolean }

async function failStep(tx: OrganisationTx, needs: KeyNeeds, { key, step, cause, isFinal }: Failure): Promise<'wait' | 'done'> {
  const present = await presentOf(tx, key)
  if (!present || nextStep(present.progress) !== step) return 'wait'
  const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, 500)
  if (isFinal) {
    await failKey(tx, needs, present, step, cause instanceof CoSignerError ? `signer ${cause.party}: ${cause.check} ${reason}` : reason)
    return 'done'
  }
  const isSpoiled = step === 'generate' && !(cause instanceof NotBegunError)
  const again = isSpoiled ? await beginAgain(tx, needs, present, reason) : present
  if (again) await writeProgress(tx, needs, again, step, 'waiting', reason)
  return again ? 'wait' : 'done'
}

/** A key that cannot be made fails its wallet, which has no address without it; one that is added fails alone. */
async function failKey(tx: OrganisationTx, needs: KeyNeeds, key: WalletKeyRow, step: KeyStep, reason: string): Promise<void> {
  const nowMs = needs.ports.clock.nowMs()
  if (!key.isAdded)
    await tx.updateTable('wallet').set({ state: 'failed', updated_at: nowMs }).where('org_id', '=', tx.orgId).where('id', '=', key.walletId).execute()
  await tx.updateTable('wallet_key').set({ state: 'failed' }).where('org_id', '=', tx.orgId).where('key_id', '=', key.keyId).execute()
  await writeProgress(tx, needs, key, step, 'failed', reason)
}
