import type { Language } from '@holdfast/contract'
import type { TransactionKind } from '../../contract.ts'
import { known } from '@holdfast/units'
import enUs from '../../locales/en-US.json' with { type: 'json' }
import zhCn from '../../locales/zh-CN.json' with { type: 'json' }

type Kind = {
  type: TransactionKind
  purpose?: 'pay' | 'speed_up' | 'cancel' | undefined
  call?: unknown
  lifts?: string | undefined
  stake?: { action: string } | undefined
}

type Words = Record<'stake' | 'step' | 'subStatus' | 'actor', Record<string, string>> & {
  type: Record<TransactionKind | 'web3' | 'cpfp' | 'speed_up' | 'cancel', string>
}

const WORDS: Record<Language, Words> = { en_US: enUs.transaction, zh_CN: zhCn.transaction }

/**
 * What a transaction is called, as the console calls it: one about a payment by what it does to that, an order about stake by what it does, a call of a
 * contract or what speeds a deposit up as one.
 */
export function kindIn(language: Language, { type, purpose = 'pay', call, lifts, stake }: Kind): string {
  const words = WORDS[language]
  if (purpose !== 'pay') return words.type[purpose]
  if (stake) return words.stake[stake.action] ?? stake.action
  return words.type[lifts !== undefined ? 'cpfp' : call ? 'web3' : type]
}

/** A step of a transaction's timeline as the console tells it: what happened, why, and who made it. */
export function stepIn(
  language: Language,
  { state, sub_status: subStatus, actor, reason }: { state: string; sub_status: string; actor: string; reason: string | null },
) {
  const { step, subStatus: finer } = WORDS[language]
  const isApproval = state === 'approving' && (subStatus === 'approved' || subStatus === 'rejected')
  const name = isApproval ? step[subStatus === 'approved' ? 'approve' : 'reject']?.replace('{{name}}', () => actor) : step[state]
  const detail = isApproval ? undefined : finer[subStatus]
  return { what: name ?? state, details: [detail, isApproval ? undefined : actorIn(language, actor), reason].flatMap((each) => each || []) }
}

/** Who made a step: a person by name, or the server, the network, the signers in the reader's language. */
function actorIn(language: Language, actor: string): string {
  const words = WORDS[language].actor
  const numbers = /^signers ([\d, ]+)$/.exec(actor)?.[1]
  return numbers ? known(words.signersNumbered, 'the words for signers by their numbers').replace('{{numbers}}', numbers) : (words[actor] ?? actor)
}
