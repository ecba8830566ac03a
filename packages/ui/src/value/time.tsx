import { browserPorts } from '@holdfast/ports/browser'
import { useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { I18nContext } from 'react-i18next'
import { formatTime, isoTime, relativeTime } from '../format/format-time.ts'
import { FALLBACK_LOCALE, type Locale } from '../language/locale.ts'

const TICK_MS = 30_000

/** The language in use, as `Intl` and the formatting functions take it. */
export function useLocale(): Locale {
  // Only the language, without the words: a table has this in every row.
  const i18n = useContext(I18nContext)?.i18n
  const subscribe = useCallback(
    (changed: () => void) => {
      i18n?.on('languageChanged', changed)
      return () => i18n?.off('languageChanged', changed)
    },
    [i18n],
  )
  return useSyncExternalStore(subscribe, () => i18n?.language) === 'zh-CN' ? 'zh-CN' : FALLBACK_LOCALE
}

/** The present, renewed twice a minute: enough for "in 6 days". All that show it are drawn anew together. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => browserPorts.clock.nowMs())
  useEffect(() => onTick(setNowMs), [])
  return nowMs
}

const watchers = new Set<(nowMs: number) => void>()
let stopTicking = () => {}

/** Tells the present at each tick of one timer, which runs while anybody watches. Returns the function that ends it. */
function onTick(watcher: (nowMs: number) => void): () => void {
  const tick = () => {
    const nowMs = browserPorts.clock.nowMs()
    for (const each of watchers) each(nowMs)
    stopTicking = browserPorts.timer.after(TICK_MS, tick)
  }
  if (watchers.size === 0) stopTicking = browserPorts.timer.after(TICK_MS, tick)
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
    if (watchers.size === 0) stopTicking()
  }
}

/** A moment, to the second, in the reader's language and time zone. */
export function Time({ ms }: { ms: number }) {
  const locale = useLocale()
  return (
    <time className="hf-numbers hf-nowrap" dateTime={isoTime(ms)}>
      {formatTime(ms, locale)}
    </time>
  )
}

/** How far away a moment is; the moment itself on hover. */
export function RelativeTime({ ms }: { ms: number }) {
  const locale = useLocale()
  const nowMs = useNow()
  return (
    <time className="hf-nowrap" dateTime={isoTime(ms)} title={formatTime(ms, locale)}>
      {relativeTime(ms, nowMs, locale)}
    </time>
  )
}
