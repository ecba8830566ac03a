import type { Grant, Trade } from '@holdfast/chain-evm/codec'
import type { Asset } from './asset.ts'

export const LOCALES = ['en-US', 'zh-CN'] as const
export type Locale = (typeof LOCALES)[number]

/** What the signed policy adds to the words: assets, names of people, what a new policy says, and how people compare a recovery recipient. */
export type RenderContext = {
  /** An asset as the policy pins it, or undefined. */
  asset(chain: string, contract: string): Asset | undefined
  isUnlimited(chain: string, grant: Grant): boolean
  /** What a call of a venue of the policy gives and gets; undefined of any other call. */
  trade?(call: { chain: string; contract: string; data: Uint8Array; value: bigint; signature: string | null }): Trade | 'unreadable' | undefined
  /** The own coin of a network as the policy pins it. */
  coin?(chain: string): Asset | undefined
  /** Whether words tell of every function in call data that moves something or gives a right: under policies that count tokens. */
  tellsFinds: boolean
  personName(id: Uint8Array): string | undefined
  policyLines(policy: Uint8Array, locale: Locale, asked: Pick<RenderContext, 'isLast' | 'isFormer'>): string[]
  recipientFingerprint(recipient: string): string
  /** Set: the words right before the present ones. */
  isLast?: true
  /** Set as well: those before these. Both say the same in other terms. */
  isFormer?: true
}

type InWords<W> = Partial<Record<Locale, Partial<W>>>

/** The words of a language; where earlier ones are asked for, with those that were put better since: `last` until lately, and `former` before that. */
export function wordsFor<W>(
  present: Record<Locale, W>,
  { last, former }: { last?: InWords<W>; former?: InWords<W> },
  locale: Locale,
  { isLast, isFormer }: { isLast?: true; isFormer?: true },
): W {
  return { ...present[locale], ...(isLast && last?.[locale]), ...(isFormer && former?.[locale]) }
}

/**
 * A field of the intent with its label. `isTechnical`: it is for comparing and for whoever verifies, and says nothing of who gets what; a page may fold it. What is
 * signed is label and value.
 */
export type RenderedRow = { label: string; value: string; isTechnical?: true }

/** What an approver reads: a sentence, and every field of the intent. `isGrave`: the warnings are of a kind to be shown in red. */
export type Rendering = { locale: Locale; title: string; rows: RenderedRow[]; warnings: string[]; isGrave?: boolean }

// Years past 9999 have no four-digit form; a document may say so, and the words must not fail on it.
const LAST_PLAIN_TIME_MS = 253402300799999n

/** A moment in words, UTC, exact to the millisecond. */
export function timeInWords(ms: bigint): string {
  return ms > LAST_PLAIN_TIME_MS ? `${ms} ms` : new Date(Number(ms)).toISOString().replace('T', ' ').replace('.000Z', ' UTC').replace('Z', ' UTC')
}
