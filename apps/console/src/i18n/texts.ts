import type { Locale } from '@holdfast/ui'
import type { ResourceLanguage } from 'i18next'

/** The words of one part of the console, by namespace. */
export type Texts = ResourceLanguage

/** The sign-in and set-up pages need the words of `entry` only; the rest comes with the pages behind them. */
export const textLoaders: Record<Locale, { entry: () => Promise<Texts>; pages: () => Promise<Texts> }> = {
  'en-US': {
    entry: () => import('./en-us-entry.ts').then((module) => module.texts),
    pages: () => import('./en-us-pages.ts').then((module) => module.texts),
  },
  'zh-CN': {
    entry: () => import('./zh-cn-entry.ts').then((module) => module.texts),
    pages: () => import('./zh-cn-pages.ts').then((module) => module.texts),
  },
}
