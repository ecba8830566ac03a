import { assetOf } from '@holdfast/features/rule-draft/console'
import type { Names } from './rule-words.ts'

/** Stands where nothing is named yet. */
export const GAP = '…'

/** Parts one after the other; what is not filled in yet stands there as a gap. */
export function list({ t }: Names, parts: readonly string[], last: 'or' | 'and' = 'or'): string {
  if (parts.length === 0) return GAP
  return parts.length === 1 ? parts.join('') : `${parts.slice(0, -1).join(t('rules.say.comma'))}${t(`rules.say.${last}`)}${parts.at(-1) ?? ''}`
}

/** A stretch of time in the largest unit that it is whole in. */
export function spanWords({ t }: Pick<Names, 't'>, seconds: number): string {
  if (seconds >= 86_400 && seconds % 86_400 === 0) return t('rules.say.days', { count: seconds / 86_400 })
  if (seconds >= 3600 && seconds % 3600 === 0) return t('rules.say.hours', { count: seconds / 3600 })
  return seconds % 60 === 0 ? t('rules.say.minutes', { count: seconds / 60 }) : t('rules.say.seconds', { count: seconds })
}

/** An asset by its symbol, or its contract where nobody knows one. */
export const symbolOf = ({ known }: Names, chain: string, asset: string) => assetOf(known, chain, asset)?.symbol ?? asset

/** An amount with its thousands apart. */
export const grouped = (text: string) => text.replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','))
