import { AppError } from '@holdfast/contract'
import { recoveryOfKeys } from '@holdfast/features/key/server'
import { signatureKindOf } from '@holdfast/mpc'
import { sql } from 'kysely'
import { proposeRefresh } from './propose-key-change.ts'
import type { KeyChangeNeeds } from './take-change-step.ts'

/** After people have said no, or a signer has, the schedule is silent for so long. */
const SILENT_AFTER_NO_MS = 30 * 24 * 3_600_000

/**
 * Proposes new shares for every key whose shares have grown as old as the installation lets them become. People decide it like any other order: without their
 * approvals nothing comes of it. A key whose recovery is not proven gets its drill first.
 */
export async function proposeDueRefreshes(needs: KeyChangeNeeds, isStopped: () => boolean): Promise<void> {
  const { refreshAfterMs } = needs.settings.keyUpkeep
  if (refreshAfterMs === null) return
  const nowMs = needs.ports.clock.nowMs()
  for (const { org_id: orgId, id: walletId, key_id: keyId, protocol } of await agedKeys(needs, nowMs - refreshAfterMs)) {
    if (isStopped()) return
    await needs.db
      .asOrganisation(orgId, async (tx) => {
        const recovery = (await recoveryOfKeys(tx, walletId, nowMs)).find((each) => each.protocol === protocol)
        if (!recovery?.depositsOpen) return
        const newest = await tx
          .selectFrom('key_change')
          .select(['state', 'is_final', 'created_at'])
          .where('org_id', '=', tx.orgId)
          .where('key_id', '=', keyId)
          .orderBy('created_at', 'desc')
          .limit(1)
          .executeTakeFirst()
        if (newest && !newest.is_final) return
        const wasRefused = newest && ['rejected', 'refused', 'withdrawn'].includes(newest.state)
        if (wasRefused && newest.created_at > BigInt(nowMs - SILENT_AFTER_NO_MS)) return
        await proposeRefresh(tx, needs, { walletId, kind: signatureKindOf(protocol) })
      })
      .catch((cause: unknown) => {
        // What keeps an order from being proposed, such as an expired policy, people see where it can be changed.
        if (!(cause instanceof AppError)) throw cause
      })
  }
}

/** Some keys in use whose present shares were made before this moment. */
export function agedKeys({ db }: Pick<KeyChangeNeeds, 'db'>, beforeMs: number, limit = 50) {
  return db.asSystem((tx) =>
    tx
      .selectFrom('wallet')
      .innerJoin('key_of_wallet', (join) => join.onRef('key_of_wallet.org_id', '=', 'wallet.org_id').onRef('key_of_wallet.wallet_id', '=', 'wallet.id'))
      .innerJoin('wallet_key', (join) => join.onRef('wallet_key.org_id', '=', 'key_of_wallet.org_id').onRef('wallet_key.key_id', '=', 'key_of_wallet.key_id'))
      .select(['wallet.org_id', 'wallet.id', 'wallet_key.key_id', 'wallet_key.protocol'])
      .where('wallet.state', '=', 'active')
      .where('key_of_wallet.retired_at', 'is', null)
      .groupBy(['wallet.org_id', 'wallet.id', 'wallet_key.key_id', 'wallet_key.protocol'])
      .having((row) => row.fn.max('wallet_key.created_at'), '<', BigInt(beforeMs))
      // Those that nothing can be proposed for, of which a server may have many, must not stand before all others for good.
      .orderBy(sql`random()`)
      .limit(limit)
      .execute(),
  )
}
