import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { BY_SCHEDULE, type KeyAction, type KeyChangeIntent } from '@holdfast/intent'
import type { RequestKey } from '@holdfast/http'
import { newId, uuidToBytes } from '@holdfast/units'
import { newChangeProgress } from './change-progress.ts'
import { claimKeyChange, insertKeyChange, openingOf, refusedKeyChange } from './insert-key-change.ts'
import type { KeyChange } from './key-change.ts'
import { keyWords } from './key-words.ts'

/** How long an order can be approved and carried out: a signer takes part in none outside this time, by its own clock. */
const LIFE_MS = 7 * 24 * 3_600_000
const PARTIES = [1n, 2n, 3n]

type Needs = Pick<ServerContext, 'ports'>

export type KeyProposal = {
  personId: string
  language: Language
  key: RequestKey
  walletId: string
  /** The kind of the key, where the wallet has several. */
  kind?: string | undefined
  action: KeyAction
  /** Of a repair: the signer that lost its share. */
  party: number | undefined
  demandSecondFactor: () => Promise<void>
}

/**
 * Proposes new shares for a key of a wallet: makes the intent, which nothing can change afterwards, and writes it to the log. The same request again answers
 * the order it made. Throws AppError `key_change_refused` with the reason, `key_change_open` while another waits.
 */
export async function proposeKeyChange(tx: OrganisationTx, needs: Needs, proposal: KeyProposal): Promise<{ change: KeyChange; fresh: boolean }> {
  const { walletId, kind, action, party, personId, language, key } = proposal
  const claimed = await claimKeyChange(tx, needs, key)
  if ('known' in claimed) return { change: claimed.known, fresh: false }
  await proposal.demandSecondFactor()
  if ((action === 'repair') !== (party !== undefined)) throw refusedKeyChange(keyWords[language].whichSigner)
  const change = await insertShareChange(tx, needs, { ...claimed, walletId, kind, personId, action, party, language })
  return { change, fresh: true }
}

/** Proposes new shares of a key in nobody's name. It becomes nothing without the approvals that any other such order needs. */
export async function proposeRefresh(tx: OrganisationTx, needs: Needs, { walletId, kind }: Pick<KeyProposal, 'walletId' | 'kind'>): Promise<KeyChange> {
  const id = newId(needs.ports.clock.nowMs(), needs.ports.random)
  return insertShareChange(tx, needs, { id, walletId, kind, personId: null, action: 'refresh', party: undefined, language: 'en_US' })
}

type Asked = Pick<KeyProposal, 'walletId' | 'kind' | 'action' | 'party' | 'language'> & { id: string; personId: string | null }

async function insertShareChange(tx: OrganisationTx, needs: Needs, { id, walletId, kind, personId, action, party, language }: Asked): Promise<KeyChange> {
  const initiator = personId === null ? BY_SCHEDULE : uuidToBytes(personId)
  const words = keyWords[language]
  const { key, opening } = await openingOf(tx, needs, { id, walletId, kind, initiator, words })
  // A signer that begins anew would not know that the key is out of use.
  if (key.retiredAtMs !== null) throw refusedKeyChange(words.retired)
  const intent: KeyChangeIntent = {
    kind: 'keyChange',
    ...opening,
    action,
    fromEpoch: key.epoch,
    toEpoch: key.epoch + 1n,
    dealers: PARTIES.filter((each) => each !== BigInt(party ?? 0)),
    expiresAtMs: BigInt(needs.ports.clock.nowMs() + LIFE_MS),
  }
  return insertKeyChange(tx, needs, { id, walletId, personId, intent, fromEpoch: key.epoch, progress: newChangeProgress(key.protocol) })
}
