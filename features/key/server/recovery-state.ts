import type { OrganisationTx } from '@holdfast/db'
import { known } from '@holdfast/units'

const DAY_MS = 24 * 3_600_000
/** A kit must be shown to work this often; after that no new address is given out until it is shown again. */
export const DRILL_INTERVAL_MS = 90 * DAY_MS
/** How long before that people are reminded. */
const DRILL_REMINDER_MS = 15 * DAY_MS

export type RecoveryState = {
  state: 'none' | 'written' | 'verified'
  epoch: bigint
  verifiedAtMs: number | null
  nextDrillAtMs: number | null
  /** True only while recovery of the key's present epoch is proven and the proof is not too old. Everything else is closed. */
  depositsOpen: boolean
  overdue: boolean
  /** The next drill is not overdue, but so near that people are reminded of it. */
  dueSoon: boolean
  /**
   * Addresses made before this moment stay open though no new one is: they may have been given out, and what was given out cannot be taken back. It is when
   * the last proof grew too old, or when a new epoch began whose kit is not proven yet, for the old kit still rebuilds the key. Null if there is none.
   */
  provenBeforeMs: number | null
  /** The key is out of use: nothing may be sent to its addresses any more. */
  retired: boolean
}

const CLOSED: Omit<RecoveryState, 'epoch'> = {
  state: 'none',
  verifiedAtMs: null,
  nextDrillAtMs: null,
  depositsOpen: false,
  overdue: false,
  dueSoon: false,
  provenBeforeMs: null,
  retired: false,
}

/**
 * How far recovery of each wallet's key is proven, by wallet id; of those with a key where no ids are given. Wallets without a finished key are closed like
 * those without a proof.
 */
export async function recoveryStates(tx: OrganisationTx, walletIds: readonly string[] | undefined, nowMs: number): Promise<Map<string, RecoveryState>> {
  const closed = (id: string): [string, RecoveryState] => [id, { ...CLOSED, epoch: 0n }]
  const states = new Map<string, RecoveryState>(walletIds?.map(closed))
  if (walletIds?.length === 0) return states
  let found = tx
    .selectFrom('wallet')
    .innerJoin('wallet_key', (join) => join.onRef('wallet_key.org_id', '=', 'wallet.org_id').onRef('wallet_key.key_id', '=', 'wallet.key_id'))
    .leftJoin('recovery_kit', (join) =>
      join
        .onRef('recovery_kit.org_id', '=', 'wallet_key.org_id')
        .onRef('recovery_kit.key_id', '=', 'wallet_key.key_id')
        .onRef('recovery_kit.epoch', '=', 'wallet_key.epoch'),
    )
    .select([
      'wallet.id',
      'wallet.state',
      'wallet.retired_at',
      'wallet_key.epoch',
      'wallet_key.state as key_state',
      'wallet_key.created_at as since',
      'recovery_kit.created_at as written_at',
      'recovery_kit.verified_at',
    ])
    .where('wallet.org_id', '=', tx.orgId)
  if (walletIds) found = found.where('wallet.id', 'in', [...walletIds])
  const keys = await found.orderBy('wallet_key.epoch').execute()
  // Ordered by epoch: the newest is set last and stands. An older epoch's proof says nothing about it.
  for (const { id, state, retired_at, epoch, key_state, written_at, verified_at, since } of keys) {
    const before = states.get(id) ?? closed(id)[1]
    const present = recoveryStateOf(
      {
        epoch,
        usable: state === 'active' && key_state === 'ready' && retired_at === null,
        written: written_at !== null,
        verifiedAtMs: verified_at === null ? null : Number(verified_at),
      },
      nowMs,
    )
    const provenBeforeMs = retired_at === null ? (present.provenBeforeMs ?? provenUnder(before, Number(since))) : null
    states.set(id, { ...present, provenBeforeMs, retired: retired_at !== null })
  }
  return states
}

/** Until when addresses were made under a former epoch that was proven. */
function provenUnder(former: RecoveryState, endedAtMs: number): number | null {
  if (former.depositsOpen) return endedAtMs
  return former.provenBeforeMs === null ? null : Math.min(former.provenBeforeMs, endedAtMs)
}

export async function recoveryStateOfWallet(tx: OrganisationTx, walletId: string, nowMs: number): Promise<RecoveryState> {
  return known((await recoveryStates(tx, [walletId], nowMs)).get(walletId), `the recovery of wallet ${walletId}`)
}

/** The rule itself: open only with a usable key and a proof that is neither missing, nor from the future, nor too old. */
export function recoveryStateOf(key: { epoch: bigint; usable: boolean; written: boolean; verifiedAtMs: number | null }, nowMs: number): RecoveryState {
  const { epoch, verifiedAtMs } = key
  if (!key.written) return { ...CLOSED, epoch }
  if (verifiedAtMs === null) return { ...CLOSED, epoch, state: 'written' }
  const nextDrillAtMs = verifiedAtMs + DRILL_INTERVAL_MS
  const overdue = nowMs >= nextDrillAtMs
  const dueSoon = !overdue && nowMs >= nextDrillAtMs - DRILL_REMINDER_MS
  const depositsOpen = key.usable && !overdue && verifiedAtMs <= nowMs
  const provenBeforeMs = key.usable && overdue ? nextDrillAtMs : null
  return { state: 'verified', epoch, verifiedAtMs, nextDrillAtMs, overdue, dueSoon, depositsOpen, provenBeforeMs, retired: false }
}
