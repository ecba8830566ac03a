import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, encode, EncodingFault, equalBytes } from '@holdfast/encoding'
import { appendToLog } from '@holdfast/features/evidence/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { readWalletKeys, type RecoveryState, recoveryOfKeys, recoveryOfWallet, type WalletKeyRow } from '@holdfast/features/key/server'
import { announce } from '@holdfast/jobs'
import { verifyByRootKey } from '@holdfast/mpc'
import type { Ports } from '@holdfast/ports'
import { drillDigest, type DrillRecord, drillRecordShape, kitHash, readDrills, type RecoveryKit, recoveryKitShape } from '@holdfast/protocol'

/** A drill is evidence of now: one that was made longer ago is made again, and so is one whose clock ran ahead of ours. */
const AGE_MAX_MS = 7 * 24 * 3_600_000
const CLOCK_TOLERANCE_MS = 5 * 60_000

type Stored = { kit: Uint8Array; drill: Uint8Array | null; created_at: bigint }

/**
 * Takes the proof that the kits of a wallet rebuild its keys: words about these very kits, each signed by the rebuilt key itself. From then on the addresses of
 * each of these keys are shown, until the next drill is due, and of no other. The same drill serves once. Answers how these keys stand.
 */
export async function submitDrill(tx: OrganisationTx, ports: Pick<Ports, 'clock' | 'random'>, walletId: string, encoded: Uint8Array): Promise<RecoveryState> {
  const keys = await readWalletKeys(tx, walletId, true)
  if (keys.length === 0) throw new AppError('wallet_not_found')
  const { fingerprint } = await currentPolicy(tx)
  const nowMs = ports.clock.nowMs()
  const records = readRecords(encoded)
  for (const record of records) {
    const key = keys.find(({ keyId }) => equalBytes(keyId, record.drill.keyId))
    if (!key) throw refused(equalBytes(record.drill.genesis, fingerprint) ? "it is of another wallet's key" : 'it is of another organisation')
    const stored = await readKit(tx, key)
    if (!stored) throw refused('this wallet has no recovery kit yet')
    checkDrill(record, { key, stored, fingerprint, nowMs })
    const drill = encode(drillRecordShape, record)
    await tx
      .updateTable('recovery_kit')
      .set({ drill, verified_at: nowMs })
      .where('org_id', '=', tx.orgId)
      .where('key_id', '=', key.keyId)
      .where('epoch', '=', key.epoch)
      .execute()
    await appendToLog(tx, { genesis: fingerprint, type: 'drill', body: drill, atMs: nowMs })
  }
  await announce(tx, ports, 'wallet.changed', { wallet_id: walletId })
  const states = await recoveryOfKeys(tx, walletId, nowMs)
  return recoveryOfWallet(states.filter(({ keyId }) => records.some(({ drill }) => equalBytes(drill.keyId, keyId))))
}

/** The kit of a key's present epoch. */
export async function readKit(tx: OrganisationTx, key: WalletKeyRow): Promise<Stored | undefined> {
  return tx
    .selectFrom('recovery_kit')
    .select(['kit', 'drill', 'created_at'])
    .where('org_id', '=', tx.orgId)
    .where('key_id', '=', key.keyId)
    .where('epoch', '=', key.epoch)
    .executeTakeFirst()
}

/** The kits of a wallet, which one file has together; undefined until each of its keys has one. */
export async function kitsOf(tx: OrganisationTx, keys: readonly WalletKeyRow[]): Promise<RecoveryKit[] | undefined> {
  const stored = await Promise.all(keys.map((key) => readKit(tx, key)))
  return stored.every((each) => each !== undefined) ? stored.map(({ kit }) => decode(recoveryKitShape, kit)) : undefined
}

type Expected = { key: WalletKeyRow; stored: Stored; fingerprint: Uint8Array; nowMs: number }

function checkDrill({ drill, signature }: DrillRecord, { key, stored, fingerprint, nowMs }: Expected): void {
  if (!key.publicKey) throw refused('this wallet has no key yet')
  if (!equalBytes(drill.genesis, fingerprint)) throw refused('it is of another organisation')
  if (drill.epoch !== key.epoch)
    throw refused(`it is of epoch ${drill.epoch} of the key, and epoch ${key.epoch} is in use: download the present kit and run the drill with it`)
  if (!equalBytes(drill.kitHash, kitHash(decode(recoveryKitShape, stored.kit))))
    throw refused('it was made with another kit than the one kept here: download the kit again')
  if (!verifyByRootKey(key.protocol, signature, drillDigest(drill), key.publicKey)) throw refused('it is not signed by the key it is about')
  if (drill.atMs > BigInt(nowMs + CLOCK_TOLERANCE_MS)) throw refused('it says that it will be made in the future: check the clock of the machine that made it')
  if (drill.atMs < BigInt(nowMs - AGE_MAX_MS) || drill.atMs + BigInt(CLOCK_TOLERANCE_MS) < stored.created_at)
    throw refused('it is too old: run the drill again')
  const last = stored.drill ? decode(drillRecordShape, stored.drill).drill.atMs : undefined
  if (last !== undefined && drill.atMs <= last) throw refused('it was taken before: run the drill again')
}

function readRecords(encoded: Uint8Array): DrillRecord[] {
  try {
    return readDrills(encoded)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw refused('it is not a drill record: give the file that the recovery tool wrote, unchanged', cause)
    throw cause
  }
}

function refused(reason: string, cause?: unknown): AppError {
  return new AppError('invalid_parameters', { details: { field: 'drill', reason }, ...(cause === undefined ? {} : { cause }) })
}
