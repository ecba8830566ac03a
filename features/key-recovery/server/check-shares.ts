import { bringLogUp } from '@holdfast/features/evidence/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { readWalletKey, type WalletKeyRow } from '@holdfast/features/key/server'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { announce } from '@holdfast/jobs'
import type { KeyChangeNeeds } from './take-change-step.ts'

/** How soon a check that failed, or that could not be made, is tried again. */
const TRY_AGAIN_MS = 10 * 60_000
/** A key that was just made is left to its first orders: each session with a key waits for the one before. */
const FIRST_AFTER_MS = 3_600_000
const PARTIES = [1n, 2n, 3n]

/** Has the signers check the shares of every key whose next check has come. Nothing is signed, so nobody is asked. */
export async function checkDueShares(needs: KeyChangeNeeds, isStopped: () => boolean): Promise<void> {
  if (PARTIES.some((party) => !needs.coSigners.online().includes(Number(party)))) return
  for (const { org_id: orgId, wallet_id: walletId, key_id: keyId } of await dueKeys(needs)) {
    if (isStopped()) return
    const key = await needs.db.asOrganisation(orgId, (tx) => readWalletKey(tx, walletId, keyId))
    if (key) await checkShares(needs, orgId, key, null)
  }
}

function dueKeys({ db, ports }: KeyChangeNeeds) {
  const nowMs = ports.clock.nowMs()
  return db.asSystem((tx) =>
    tx
      .selectFrom('wallet')
      .innerJoin('key_of_wallet', (join) => join.onRef('key_of_wallet.org_id', '=', 'wallet.org_id').onRef('key_of_wallet.wallet_id', '=', 'wallet.id'))
      .leftJoin('share_check', (join) => join.onRef('share_check.org_id', '=', 'key_of_wallet.org_id').onRef('share_check.key_id', '=', 'key_of_wallet.key_id'))
      .select(['key_of_wallet.org_id', 'key_of_wallet.wallet_id', 'key_of_wallet.key_id'])
      .where('wallet.state', '=', 'active')
      .where((row) =>
        row.or([
          row.and([row('share_check.tried_at', 'is', null), row('wallet.updated_at', '<', BigInt(nowMs - FIRST_AFTER_MS))]),
          row.and([row('share_check.tried_at', 'is not', null), row('share_check.next_at', 'is', null)]),
          row('share_check.next_at', '<=', BigInt(nowMs)),
        ]),
      )
      .limit(50)
      .execute(),
  )
}

/** Why a check did not succeed. `party` is the signer it is about, where one is known. */
export type ShareFault = { reason: string; party: number | null }

/**
 * Has the three signers of a key show each other their shares, and keeps what came of it: null if all three did. `askedBy` is the person who
 * asked, null for the schedule. That a signer is away or at work with the key is no word about its share, and is kept as none.
 */
export async function checkShares(needs: KeyChangeNeeds, orgId: string, key: WalletKeyRow, askedBy: string | null): Promise<ShareFault | null> {
  const { db, coSigners, ports, settings } = needs
  const inForce = await db.asOrganisation(orgId, (tx) => currentPolicy(tx))
  const { walletId, keyId, epoch } = key
  const request = { kind: 'shareCheck' as const, genesis: inForce.fingerprint, keyId, epoch, parties: PARTIES, nonce: ports.random.bytes(32) }
  const failure = await coSigners.runSession(request, bringLogUp(needs, orgId, inForce)).then(
    () => null,
    (cause: unknown) => ({
      reason: (cause instanceof Error ? cause.message : String(cause)).slice(0, 1000),
      party: cause instanceof CoSignerError ? cause.party : null,
      isWord: !(cause instanceof CoSignerError && cause.kind === 'unavailable'),
    }),
  )
  const nowMs = ports.clock.nowMs()
  const next_at = nowMs + (failure ? Math.min(TRY_AGAIN_MS, settings.keyUpkeep.checkEveryMs) : settings.keyUpkeep.checkEveryMs)
  const outcome = failure ? { fault: failure.reason, fault_party: failure.party } : { fault: null, fault_party: null, checked_at: nowMs }
  const values = failure && !failure.isWord ? { next_at } : { ...outcome, epoch, tried_at: nowMs, asked_by: askedBy, next_at }
  await db.asOrganisation(orgId, async (tx) => {
    await tx
      .insertInto('share_check')
      .values({ org_id: tx.orgId, key_id: keyId, epoch, checked_at: null, tried_at: nowMs, fault: null, fault_party: null, asked_by: askedBy, ...values })
      .onConflict((conflict) => conflict.columns(['org_id', 'key_id']).doUpdateSet(values))
      .execute()
    await announce(tx, ports, 'wallet.changed', { wallet_id: walletId })
  })
  return failure
}
