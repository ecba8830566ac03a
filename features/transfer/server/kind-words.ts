import type { Language } from '@holdfast/contract'
import type { TransactionKind } from '../contract.ts'
import enUs from '../locales/en-US.json' with { type: 'json' }
import zhCn from '../locales/zh-CN.json' with { type: 'json' }

type Kind = { type: TransactionKind; call?: unknown; lifts?: string | undefined; stake?: { action: string } | undefined }

const WORDS: Record<Language, { type: Record<TransactionKind | 'web3' | 'lift', string>; stake: Record<string, string> }> = {
  en_US: enUs.transfer,
  zh_CN: zhCn.transfer,
}

/** What a transaction is called, as the console calls it: an order about stake by what it does, a call of a contract or what lifts a deposit as one. */
export function kindIn(language: Language, { type, call, lifts, stake }: Kind): string {
  const words = WORDS[language]
  if (stake) return words.stake[stake.action] ?? stake.action
  return words.type[lifts !== undefined ? 'lift' : call ? 'web3' : type]
}
