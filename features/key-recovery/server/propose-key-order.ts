import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { signsOn } from '@holdfast/features/key/server'
import { holdingsByWallet, tokensOfWallet } from '@holdfast/features/wallet/server'
import type { KeyOrderIntent } from '@holdfast/intent'
import { formatAmount, uuidToBytes, withinBytes } from '@holdfast/units'
import { type ExportHolder, newOrderProgress } from './change-progress.ts'
import { claimKeyChange, insertKeyChange, openingOf, refusedKeyChange } from './insert-key-change.ts'
import { type KeyChange, keyChangeOf } from './key-change.ts'
import { keyWords } from './key-words.ts'
import type { KeyProposal } from './propose-key-change.ts'
import { unfinishedPayments } from './unfinished-payments.ts'

const DAY_MS = 24 * 3_600_000
/** How long an export can be approved and followed, beside the time in which it can only be rejected. */
const EXPORT_LIFE_MS = 7 * DAY_MS
/** A retirement waits for each of the three signers. */
const RETIRE_LIFE_MS = 30 * DAY_MS
/** An age recipient: X25519 (`age1…`) or the hybrid kind (`age1pq1…`). */
const RECIPIENT = /^age1[0-9a-z]{16,4092}$/

type Needs = Pick<ServerContext, 'ports' | 'networks' | 'settings'>
type Asked = Omit<KeyProposal, 'action' | 'party'> & { remark: string }

/**
 * Proposes an export of a key of a wallet: each named signer seals its share to one recipient of one person, each a different one, so that no person alone can
 * rebuild the key. Nothing is released before the delay has passed. Throws AppError `key_change_refused`, `key_change_open`.
 */
export async function proposeExport(
  tx: OrganisationTx,
  needs: Needs,
  asked: Asked & { holders: ExportHolder[] },
): Promise<{ change: KeyChange; fresh: boolean }> {
  const { walletId, kind, remark, language, personId } = asked
  const holders = asked.holders.toSorted((a, b) => a.party - b.party)
  const claimed = await claimKeyChange(tx, needs, asked.key)
  if ('known' in claimed) return { change: claimed.known, fresh: false }
  await asked.demandSecondFactor()
  const words = keyWords[language]
  await checkHolders(tx, holders, words)
  const { key, opening } = await openingOf(tx, needs, { ...claimed, walletId, kind, initiator: uuidToBytes(personId), words })
  const usableFromMs = needs.ports.clock.nowMs() + needs.settings.keyUpkeep.exportDelayMs
  const intent: KeyOrderIntent = {
    kind: 'keyOrder',
    ...opening,
    action: 'export',
    epoch: key.epoch,
    recipients: holders.map(({ party, recipient }) => ({ party: BigInt(party), recipients: [recipient] })),
    remark,
    usableFromMs: BigInt(usableFromMs),
    expiresAtMs: BigInt(usableFromMs + EXPORT_LIFE_MS),
  }
  const progress = newOrderProgress('export', holders)
  return { change: await insertKeyChange(tx, needs, { ...claimed, walletId, personId, intent, fromEpoch: key.epoch, progress }), fresh: true }
}

async function checkHolders(tx: OrganisationTx, holders: readonly ExportHolder[], words: (typeof keyWords)['en_US' | 'zh_CN']): Promise<void> {
  const differ = (of: (holder: ExportHolder) => unknown) => new Set(holders.map(of)).size === holders.length
  if (holders.length < 2 || !differ((each) => each.party)) throw refusedKeyChange(words.recipients)
  if (!differ((each) => each.personId) || !differ((each) => each.recipient)) throw refusedKeyChange(words.differentPeople)
  for (const { recipient } of holders) if (!RECIPIENT.test(recipient)) throw refusedKeyChange(words.recipient(recipient.slice(0, 40)))
  const known = await tx
    .selectFrom('person')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('state', '=', 'active')
    .where(
      'id',
      'in',
      holders.map((each) => each.personId),
    )
    .execute()
  if (known.length !== holders.length) throw refusedKeyChange(words.notMember)
}

/**
 * Proposes to retire a key of a wallet. While something is left on its networks it must be said that it is left to the recovery tool; the order then names
 * it. Throws AppError `key_change_refused`, `key_change_open`.
 */
export async function proposeRetirement(
  tx: OrganisationTx,
  needs: Needs,
  asked: Asked & { leavesHoldings: boolean },
): Promise<{ change: KeyChange; fresh: boolean }> {
  const { walletId, kind, remark, language, personId, leavesHoldings } = asked
  const claimed = await claimKeyChange(tx, needs, asked.key)
  if ('known' in claimed) return { change: claimed.known, fresh: false }
  await asked.demandSecondFactor()
  const words = keyWords[language]
  const { key, opening } = await openingOf(tx, needs, { ...claimed, walletId, kind, initiator: uuidToBytes(personId), words })
  if (await isRetired(tx, key.keyId)) throw refusedKeyChange(words.retired)
  const unfinished = await unfinishedPayments(tx, key)
  if (unfinished > 0) throw refusedKeyChange(words.unfinished(unfinished))
  const holdings = (await holdingsByWallet(tx, needs.networks)).get(walletId) ?? []
  const coins = holdings
    .filter(({ asset, amount }) => amount > 0n && signsOn(key, asset.chain))
    .map(({ asset, amount }) => `${formatAmount(amount, asset.decimals)} ${asset.symbol} (${asset.chain})`)
  const tokens = (await tokensOfWallet(tx, needs.networks, walletId)).filter(({ chain }) => signsOn(key, chain))
  const held = [...coins, ...tokens.map(({ name, chain, pieces }) => `${pieces} ${name} (${chain})`)]
  if (held.length > 0 && !leavesHoldings) throw refusedKeyChange(words.holds(held.join(', ')))
  const left = held.length > 0 ? words.leaves(held.join(', ')) : ''
  const intent: KeyOrderIntent = {
    kind: 'keyOrder',
    ...opening,
    action: 'retire',
    epoch: key.epoch,
    recipients: [],
    // What is signed is bounded in bytes.
    remark: withinBytes([left, remark].filter(Boolean).join(' '), 800),
    usableFromMs: opening.notBeforeMs,
    expiresAtMs: BigInt(needs.ports.clock.nowMs() + RETIRE_LIFE_MS),
  }
  const progress = newOrderProgress('retire')
  return { change: await insertKeyChange(tx, needs, { ...claimed, walletId, personId, intent, fromEpoch: key.epoch, progress }), fresh: true }
}

/** Whether all three signers have said that they sign nothing with a key any more. An order that ended before can be followed by another. */
export async function isRetired(tx: OrganisationTx, keyId: Uint8Array): Promise<boolean> {
  const rows = await tx.selectFrom('key_change').selectAll().where('org_id', '=', tx.orgId).where('key_id', '=', keyId).where('state', '=', 'done').execute()
  return rows.map(keyChangeOf).some(({ intent }) => intent.action === 'retire')
}
