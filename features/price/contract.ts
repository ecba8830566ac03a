import * as z from 'zod'

/** The currencies that values can be shown in (ISO 4217). */
export const FIATS = ['USD', 'EUR', 'GBP', 'CHF', 'CNY', 'HKD', 'JPY', 'KRW', 'SGD', 'AUD', 'CAD', 'INR'] as const
export type Fiat = (typeof FIATS)[number]

/** The currency of the values that a call answers; US dollars where none is named. */
export const fiatText = z.enum(FIATS).default('USD').describe('The currency of values')
