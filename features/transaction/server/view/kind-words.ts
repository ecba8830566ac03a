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
export function stepIn(language: Language, { state, sub_status: subStatus, actor, in_place_of: other, reason }: Step) {
  const { step, subStatus: finer } = WORDS[language]
  const isApproval = state === 'approving' && (subStatus === 'approved' || subStatus === 'rejected')
  const name = isApproval ? step[subStatus === 'approved' ? 'approve' : 'reject']?.replace('{{name}}', () => deciderIn(language, actor, other)) : step[state]
  const detail = isApproval ? undefined : finer[subStatus]
  return { what: name ?? state, details: [detail, isApproval ? undefined : actorIn(language, actor), reason].flatMap((each) => each || []) }
}

type Step = { state: string; sub_status: string; actor: string; in_place_of?: string | undefined; reason: string | null }

/** Who decided, and for whom, where that is another. */
function deciderIn(language: Language, name: string, other: string | undefined): string {
  if (other === undefined) return name
  const words = known(WORDS[language].actor.inPlaceOf, 'the words for who decides for another')
  return words.replace(/{{(name|other)}}/g, (_, which: string) => (which === 'name' ? name : other))
}

/** Who made a step: a person by name, or the server, the network, the signers in the reader's language. */
function actorIn(language: Language, actor: string): string {
  const words = WORDS[language].actor
  const numbers = /^signers ([\d, ]+)$/.exec(actor)?.[1]
  return numbers ? known(words.signersNumbered, 'the words for signers by their numbers').replace('{{numbers}}', numbers) : (words[actor] ?? actor)
}
