import type { OrganisationTx } from '@holdfast/db'
import { bytes, encode, equalBytes, list, struct, uint } from '@holdfast/encoding'
import { appendToLog } from '@holdfast/features/evidence/server'
import { type PolicyInForce, recordInForce } from '@holdfast/features/policy/server'
import type { RecoveryRecipients } from '@holdfast/policy'
import {
  KIT_ADDRESSES_MAX,
  kitHash,
  type RecoveryKit,
  recoveryKitShape,
  openSigned,
  type SealedShare,
  sealedShareShape,
  type Signed,
  signedShape,
  signerCalls,
} from '@holdfast/protocol'
import { ownAddedKey } from './insert-key.ts'
import type { KeyNeeds } from './make-key.ts'
import { readWalletKeys, signsOn, type WalletKeyRow } from './read-key.ts'
import { SignerMismatchError } from './signer-mismatch.ts'

/** What the log says of a key that is finished: the signers' own words, and the kit that must rebuild it. */
export const keyMadeShape = struct('holdfast/key-made/v1', { keyId: bytes(32), epoch: uint(), statements: list(signedShape, 3), kitHash: bytes(32) })

/**
 * Has every signer seal its share to the recipients the policy names for it, and writes the kit. With the last of its keys the wallet
 * becomes active; its deposits stay closed until a drill has proven that the kit rebuilds the key.
 */
export async function writeKit(
  { coSigners, ports }: Pick<KeyNeeds, 'coSigners' | 'ports'>,
  key: WalletKeyRow,
  inForce: PolicyInForce,
): Promise<(tx: OrganisationTx) => Promise<void>> {
  const { keyId, epoch, statements } = key
  const shares = await Promise.all(
    inForce.signers.map(async ({ party, signKey }) => {
      const named = inForce.policy.recovery.find((each) => each.party === party)
      const signed = await coSigners.call(Number(party), signerCalls.sealShare, { genesis: inForce.fingerprint, keyId, epoch })
      return checkedShare(signed, { party, signKey, key, named, fingerprint: inForce.fingerprint })
    }),
  )
  return async (tx) => {
    const nowMs = ports.clock.nowMs()
    const kit = await assembleKit(tx, { key, inForce, shares, nowMs })
    await tx
      .insertInto('recovery_kit')
      .values({ org_id: tx.orgId, key_id: keyId, epoch, kit: encode(recoveryKitShape, kit), drill: null, created_at: nowMs, verified_at: null })
      .execute()
    await tx
      .updateTable('wallet_key')
      .set({ state: 'ready', updated_at: nowMs })
      .where('org_id', '=', tx.orgId)
      .where('key_id', '=', keyId)
      .where('epoch', '=', epoch)
      .execute()
    await (key.isAdded ? ownAddedKey(tx, key, nowMs) : openWhereReady(tx, key.walletId, nowMs))
    const body = encode(keyMadeShape, { keyId, epoch, statements, kitHash: kitHash(kit) })
    await appendToLog(tx, { genesis: inForce.fingerprint, type: 'key', body, atMs: nowMs })
  }
}

/** A wallet is open once each of its keys is ready. */
async function openWhereReady(tx: OrganisationTx, walletId: string, nowMs: number): Promise<void> {
  if ((await readWalletKeys(tx, walletId)).some(({ keyState }) => keyState !== 'ready')) return
  await tx.updateTable('wallet').set({ state: 'active', updated_at: nowMs }).where('org_id', '=', tx.orgId).where('id', '=', walletId).execute()
}

/** Everything that rebuilds a key from these sealed shares. */
export async function assembleKit(
  tx: OrganisationTx,
  { key, inForce, shares, nowMs }: { key: WalletKeyRow; inForce: PolicyInForce; shares: Signed[]; nowMs: number },
): Promise<RecoveryKit> {
  const { keyId, epoch, protocol, publicKey, chainCode, statements } = key
  if (!publicKey || !chainCode || statements.length !== 3) throw new Error('the key is not attested yet')
  const addresses = await kitAddresses(tx, key)
  return { genesisRecord: recordInForce(inForce), keyId, epoch, protocol, publicKey, chainCode, shares, addresses, createdAtMs: BigInt(nowMs) }
}

type Expected = { party: bigint; signKey: Uint8Array; key: WalletKeyRow; named: RecoveryRecipients | undefined; fingerprint: Uint8Array }

/** A signer's answer, where it is its share of this key sealed to these very recipients. Throws SignerMismatchError. */
export function checkedShare(signed: Signed, { party, signKey, key, named, fingerprint }: Expected): Signed {
  const share = openSigned(sealedShareShape, signed, signKey)
  const isOurs =
    share &&
    signed.party === party &&
    share.party === party &&
    equalBytes(share.genesis, fingerprint) &&
    equalBytes(share.keyId, key.keyId) &&
    share.epoch === key.epoch
  if (!isOurs) throw new SignerMismatchError(`signer ${party} sealed something else than its share of this key`)
  if (!named || !isSealedAs(share, named)) throw new SignerMismatchError(`signer ${party} sealed its share to other recipients than those named for it`)
  return signed
}

function isSealedAs(share: SealedShare, named: RecoveryRecipients): boolean {
  const recipients = share.kind === 'single' ? share.recipients : share.officers.map((officer) => officer.recipient)
  const needs = (each: SealedShare | RecoveryRecipients) => (each.kind === 'single' ? 1n : each.threshold)
  const isSame = recipients.length === named.recipients.length && named.recipients.every((recipient) => recipients.includes(recipient))
  return named.recipients.length > 0 && isSame && share.kind === named.kind && needs(share) === needs(named)
}

/**
 * The first addresses of the sub-wallets of a wallet that this key signs for, of as many as a kit has room for: there may be a million others, at the paths
 * that follow.
 */
async function kitAddresses(tx: OrganisationTx, key: WalletKeyRow): Promise<RecoveryKit['addresses']> {
  const rows = await tx
    .selectFrom('address')
    .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.id', '=', 'address.sub_wallet_id').onRef('sub_wallet.org_id', '=', 'address.org_id'))
    .select(['address.path', 'address.chain', 'address.address'])
    .where('address.org_id', '=', tx.orgId)
    .where('address.number', '=', 0)
    .where('sub_wallet.wallet_id', '=', key.walletId)
    .orderBy('sub_wallet.number')
    .orderBy('address.chain')
    .execute()
  const own = rows.filter(({ chain }) => signsOn(key, chain)).slice(0, KIT_ADDRESSES_MAX)
  return own.map(({ path, chain, address }) => ({ path: path.map(BigInt), chain, address }))
}
