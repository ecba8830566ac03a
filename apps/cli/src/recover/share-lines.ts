import type { Locale } from '@holdfast/intent'
import type { Examined } from './examine-share.ts'
import { RECOVERY_WORDS } from './recovery-words.ts'

/**
 * How each share of a kit stands, in words: a line for the share, one for each officer where several are needed, one for each identity that opens
 * nothing.
 */
export function shareLines(shares: readonly Examined[], strangers: readonly string[], locale: Locale): string[] {
  const words = RECOVERY_WORDS[locale]
  return [...shares.flatMap((examined) => [shareLine(examined, locale), ...officerLines(examined, locale)]), ...strangers.map(words.stranger)]
}

function shareLine(examined: Examined, locale: Locale): string {
  const words = RECOVERY_WORDS[locale]
  const detail = examined.state === 'faulty' && examined.detail !== '' ? ` (${examined.detail})` : ''
  return `${words.share(String(examined.signer.party), examined.signer.name)}: ${stateOf(examined, locale)}${detail}`
}

function stateOf(examined: Examined, locale: Locale): string {
  const words = RECOVERY_WORDS[locale]
  if (examined.state === 'good') return words.good
  if (examined.state === 'faulty') return words.faults[examined.fault]
  const opened = examined.officers.filter(({ state }) => state === 'opened').length
  return examined.needs === 1 ? words.locked : words.lockedFor(String(examined.needs), String(opened))
}

function officerLines({ officers, needs }: Examined, locale: Locale): string[] {
  const words = RECOVERY_WORDS[locale]
  if (officers.length === 0) return []
  const lines = officers.map(({ fingerprint, state, detail }) => `  ${fingerprint}: ${words.officer[state]}${detail === '' ? '' : ` (${detail})`}`)
  return [`  ${words.officers(String(needs), String(officers.length))}`, ...lines]
}
