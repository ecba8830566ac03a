import { AppError } from '@holdfast/contract'
import { nextNumber, type OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import { claimRequest, type RequestKey } from '@holdfast/http'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import { governanceQuorum } from '@holdfast/features/proposal/server'
import { decidersOf } from '@holdfast/policy'
import { requireKey, type WalletKeyRow } from '@holdfast/features/key/server'
import { signatureKindOf } from '@holdfast/mpc'
import { newId, uuidToBytes } from '@holdfast/units'
import { keyRecoveryErrors } from '../errors.ts'
import type { ChangeProgress } from './change-progress.ts'
import { type KeyChange, keyChanges } from './key-change.ts'
import type { KeyWords } from './key-words.ts'

/** An approver's clock may be this far behind ours and their approval still counts as made after the order. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

type Needs = Pick<ServerContext, 'ports'>

/** What every order about a key says alike. */
type Opening = Pick<KeyChange['intent'], 'genesis' | 'orderId' | 'keyId' | 'wallet' | 'notBeforeMs' | 'policyVersion' | 'policyHash' | 'initiator' | 'nonce'>

/** An order that a request made before, or the id under which it is to be made now. */
export async function claimKeyChange(tx: OrganisationTx, { ports }: Needs, key: RequestKey): Promise<{ known: KeyChange } | { id: string }> {
  const nowMs = ports.clock.nowMs()
  const id = newId(nowMs, ports.random)
  const { fresh, resultId } = await claimRequest(tx, { key, kind: 'key_change', resultId: id, nowMs })
  if (fresh) return { id }
  const known = await keyChanges.read(tx, resultId)
  if (!known) throw new AppError('duplicate_request')
  return { known }
}

/**
 * The key of a wallet, locked, and what every order about it says, where one can be proposed now. `initiator` is a person's id or BY_SCHEDULE. Throws AppError
 * `key_change_refused` with the reason, `key_change_open` while another order waits.
 */
export async function openingOf(
  tx: OrganisationTx,
  { ports }: Needs,
  { id, walletId, kind, initiator, words }: { id: string; walletId: string; kind?: string | undefined; initiator: Uint8Array; words: KeyWords },
): Promise<{ key: WalletKeyRow; opening: Opening }> {
  // The number is taken under a lock that every proposal of the organisation takes, so that two cannot both find none open.
  await nextNumber(tx, 'key_change')
  const nowMs = ports.clock.nowMs()
  const key = await requireKey(tx, walletId, kind, true)
  if (key.walletState !== 'active' || key.keyState !== 'ready') throw refusedKeyChange(words.notReady)
  const open = await tx
    .selectFrom('key_change')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('key_id', '=', key.keyId)
    .where('state', 'in', ['approving', 'approved'])
    .executeTakeFirst()
  if (open) throw new AppError(keyRecoveryErrors.key_change_open)
  const { policy, hash, fingerprint } = await currentPolicy(tx)
  const { approvers, threshold } = decidersOf(policy, { kind: 'keyOrder' })
  if (approvers.filter((each) => !equalBytes(each, initiator)).length < Number(threshold)) throw refusedKeyChange(words.tooFewForYou)
  if (policy.expiresAtMs <= BigInt(nowMs)) throw refusedKeyChange(words.policyExpired)
  const opening = {
    genesis: fingerprint,
    orderId: uuidToBytes(id),
    keyId: key.keyId,
    wallet: nameOfKey(key),
    notBeforeMs: BigInt(nowMs - CLOCK_TOLERANCE_MS),
    policyVersion: policy.version,
    policyHash: hash,
    initiator,
    nonce: ports.random.bytes(32),
  }
  return { key, opening }
}

/** What approvers read of the key: its wallet's name, and of several keys the kind. */
const nameOfKey = ({ walletName, protocol, walletProtocols }: WalletKeyRow): string =>
  walletProtocols.length === 1 ? walletName : `${walletName} (${KIND_NAMES[signatureKindOf(protocol)]})`

/** The same in every language. */
const KIND_NAMES = { ecdsa: 'ECDSA', ed25519: 'Ed25519', taproot: 'Schnorr' } as const

export const refusedKeyChange = (reason: string): AppError => new AppError(keyRecoveryErrors.key_change_refused, { details: { reason } })

/** Writes an order that was made: nothing can change its intent afterwards, and the log has it. `personId` is null if the server proposes it by itself. */
export async function insertKeyChange(
  tx: OrganisationTx,
  needs: Needs,
  made: { id: string; walletId: string; personId: string | null; intent: KeyChange['intent']; fromEpoch: bigint; progress: ChangeProgress },
): Promise<KeyChange> {
  const { id, walletId, personId, intent, fromEpoch, progress } = made
  const deciders = governanceQuorum(intent, (await currentPolicy(tx)).policy).eligible
  return keyChanges.open(tx, needs, { id, intent, initiator: personId, walletId, words: [intent.wallet], deciders }, (common, places) =>
    tx
      .insertInto('key_change')
      .values({
        ...common,
        wallet_id: walletId,
        key_id: intent.keyId,
        from_epoch: fromEpoch,
        policy_version: intent.policyVersion,
        initiator: personId,
        places: JSON.stringify(places),
        progress: JSON.stringify(progress),
        statements: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}
