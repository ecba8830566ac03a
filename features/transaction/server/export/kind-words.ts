import type { Language } from '@holdfast/contract'
import type { TransactionKind } from '../../contract.ts'
import enUs from '../../locales/en-US.json' with { type: 'json' }
import zhCn from '../../locales/zh-CN.json' with { type: 'json' }

type Kind = {
  type: TransactionKind
  purpose?: 'pay' | 'speed_up' | 'cancel' | undefined
  call?: unknown
  lifts?: string | undefined
  stake?: { action: string } | undefined
}

const WORDS: Record<Language, { type: Record<TransactionKind | 'web3' | 'cpfp' | 'speed_up' | 'cancel', string>; stake: Record<string, string> }> = {
  en_US: enUs.transaction,
  zh_CN: zhCn.transaction,
}

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
