import { AppError } from '@holdfast/contract'
import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { protocolFor } from '@holdfast/features/network/server'
import { PROTOCOLS } from '@holdfast/mpc'
import { sql } from 'kysely'

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

const CLOSED: RecoveryState = {
  state: 'none',
  epoch: 0n,
  verifiedAtMs: null,
  nextDrillAtMs: null,
  depositsOpen: false,
  overdue: false,
  dueSoon: false,
  provenBeforeMs: null,
  retired: false,
}

/** How far recovery of one key of a wallet is proven. */
export type KeyRecovery = RecoveryState & { keyId: Uint8Array; protocol: string }

/** A key of a wallet, and its kit. */
type KeyRow = {
  id: string
  state: 'creating' | 'active' | 'failed'
  retired_at: bigint | null
  key_id: Uint8Array
  protocol: string
  epoch: bigint
  key_state: string
  since: bigint
  written_at: bigint | null
  verified_at: bigint | null
}

const KEYS = sql`wallet.id, wallet.state, owned.retired_at, made.key_id, made.protocol, made.epoch, made.state as key_state, made.created_at as since,
  kit.created_at as written_at, kit.verified_at`
const ITS_KEYS = sql`(key_of_wallet owned join wallet_key made on made.org_id = owned.org_id and made.key_id = owned.key_id
    left join recovery_kit kit on kit.org_id = made.org_id and kit.key_id = made.key_id and kit.epoch = made.epoch)
  on owned.org_id = wallet.org_id and owned.wallet_id = wallet.id`

/** The keys of some wallets, or of all, and the kit of each. */
const askKeys = writtenOnce(
  (_, { orgId, walletIds }: { orgId: string; walletIds: readonly string[] | null }) => sql<KeyRow>`
    select ${KEYS} from wallet join ${ITS_KEYS}
    where wallet.org_id = ${orgId} and (${walletIds}::uuid[] is null or wallet.id = any(${walletIds}::uuid[])) order by made.epoch`,
)

/** The same of the wallet of a sub-wallet; one row without a key where it has none. */
const askKeysOf = writtenOnce(
  (_, { orgId, subWalletId }: { orgId: string; subWalletId: string }) => sql<KeyRow | (Pick<KeyRow, 'id' | 'state'> & { key_id: null })>`
    select ${KEYS} from sub_wallet join wallet on wallet.org_id = sub_wallet.org_id and wallet.id = sub_wallet.wallet_id left join ${ITS_KEYS}
    where sub_wallet.org_id = ${orgId} and sub_wallet.id = ${subWalletId} order by made.epoch`,
)

/**
 * How far recovery of each key is proven, by the id of its wallet and in the order of their protocols; of all wallets with keys where no ids are given. Keys
 * that are not finished are closed like those without a proof.
 */
export async function recoveryStates(tx: OrganisationTx, walletIds: readonly string[] | undefined, nowMs: number): Promise<Map<string, KeyRecovery[]>> {
  return walletIds?.length === 0 ? new Map() : statesOf(await askKeys(tx, { orgId: tx.orgId, walletIds: walletIds ?? null }), nowMs)
}

function statesOf(rows: readonly KeyRow[], nowMs: number): Map<string, KeyRecovery[]> {
  const states = new Map<string, Map<string, KeyRecovery>>()
  // Ordered by epoch: the newest is set last and stands. An older epoch's proof says nothing about it.
  for (const { id, state, retired_at, key_id: keyId, protocol, epoch, key_state, written_at, verified_at, since } of rows) {
    const ofWallet = states.get(id) ?? new Map<string, KeyRecovery>()
    states.set(id, ofWallet)
    const before = ofWallet.get(protocol) ?? CLOSED
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
    ofWallet.set(protocol, { ...present, keyId, protocol, provenBeforeMs, retired: retired_at !== null })
  }
  return new Map([...states].map(([id, ofWallet]) => [id, PROTOCOLS.flatMap((protocol) => ofWallet.get(protocol) ?? [])]))
}

/** Until when addresses were made under a former epoch that was proven. */
function provenUnder(former: RecoveryState, endedAtMs: number): number | null {
  if (former.depositsOpen) return endedAtMs
  return former.provenBeforeMs === null ? null : Math.min(former.provenBeforeMs, endedAtMs)
}

/** The same of one wallet. */
export async function recoveryOfKeys(tx: OrganisationTx, walletId: string, nowMs: number): Promise<KeyRecovery[]> {
  return (await recoveryStates(tx, [walletId], nowMs)).get(walletId) ?? []
}

/** The wallet of a sub-wallet, and the same of its keys. Throws `wallet_not_found`. */
export async function recoveryOfSubWallet(
  tx: OrganisationTx,
  subWalletId: string,
  nowMs: number,
): Promise<{ walletId: string; state: KeyRow['state']; keys: KeyRecovery[] }> {
  const rows = await askKeysOf(tx, { orgId: tx.orgId, subWalletId })
  const [wallet] = rows
  if (!wallet) throw new AppError('wallet_not_found')
  const keys = rows.filter((row) => row.key_id !== null)
  return { walletId: wallet.id, state: wallet.state, keys: statesOf(keys, nowMs).get(wallet.id) ?? [] }
}

/** The recovery of the key that signs on a network. Where no key does, nothing is open. */
export function recoveryOn(chain: string, keys: readonly KeyRecovery[]): RecoveryState {
  const protocol = protocolFor(
    chain,
    keys.map((key) => key.protocol),
  )
  return keys.find((key) => key.protocol === protocol) ?? CLOSED
}

/** The recovery of a wallet as a whole: no better than that of any key in use. It is retired once all its keys are. */
export function recoveryOfWallet(keys: readonly RecoveryState[]): RecoveryState {
  const inUse = keys.filter(({ retired }) => !retired)
  const [first, ...others] = inUse.length > 0 ? inUse : keys
  return first ? others.reduce(worseOf, first) : CLOSED
}

const STATES = ['none', 'written', 'verified'] as const

function worseOf(a: RecoveryState, b: RecoveryState): RecoveryState {
  return {
    state: STATES.find((each) => each === a.state || each === b.state) ?? 'none',
    epoch: a.epoch,
    verifiedAtMs: earlier(a.verifiedAtMs, b.verifiedAtMs),
    nextDrillAtMs: earlier(a.nextDrillAtMs, b.nextDrillAtMs),
    depositsOpen: a.depositsOpen && b.depositsOpen,
    overdue: a.overdue || b.overdue,
    dueSoon: a.dueSoon || b.dueSoon,
    provenBeforeMs: earlier(a.provenBeforeMs, b.provenBeforeMs),
    retired: a.retired && b.retired,
  }
}

/** The earlier of two moments. What was never is no moment of both. */
const earlier = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : Math.min(a, b))

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
