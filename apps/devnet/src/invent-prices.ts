import { at } from '@holdfast/units'

export type PricedAsset = { chain: string; contract: string | null }
type Wave = { hours: number; share: number }
type Invention = { base: number; decimals: number; waves: readonly Wave[] }
export type InventedPrices = {
  label: string
  label_zh: string
  currency: 'usd'
  quotes: { chain: string; contract: string | null; price: string; at_ms: number }[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const PAST_MS_MAX = 100 * 24 * HOUR_MS

const COIN: Invention = {
  base: 3_180,
  decimals: 2,
  waves: [
    { hours: 611, share: 0.09 },
    { hours: 131, share: 0.035 },
    { hours: 29, share: 0.016 },
    { hours: 7.3, share: 0.006 },
    { hours: 0.83, share: 0.0015 },
  ],
}
const TRX: Invention = {
  base: 0.29,
  decimals: 5,
  waves: [
    { hours: 211, share: 0.05 },
    { hours: 37, share: 0.02 },
    { hours: 5.1, share: 0.007 },
  ],
}
const BTC: Invention = {
  base: 61_400,
  decimals: 2,
  waves: [
    { hours: 433, share: 0.07 },
    { hours: 89, share: 0.025 },
    { hours: 13, share: 0.008 },
  ],
}
const TON: Invention = {
  base: 3.4,
  decimals: 4,
  waves: [
    { hours: 307, share: 0.06 },
    { hours: 61, share: 0.02 },
    { hours: 7.9, share: 0.006 },
  ],
}
const DOLLAR: Invention = {
  base: 1,
  decimals: 4,
  waves: [
    { hours: 97, share: 0.0006 },
    { hours: 11, share: 0.0004 },
  ],
}

/** What one of a currency is worth in dollars. */
const FIATS: Readonly<Record<string, number>> = {
  EUR: 1.09,
  GBP: 1.27,
  CHF: 1.13,
  CNY: 0.1385,
  HKD: 0.128,
  JPY: 0.0066,
  KRW: 0.00072,
  SGD: 0.745,
  AUD: 0.66,
  CAD: 0.725,
  INR: 0.0118,
}
const FIAT_WAVES = [
  { hours: 743, share: 0.012 },
  { hours: 61, share: 0.004 },
  { hours: 9.7, share: 0.001 },
]
type Invented = PricedAsset & { invention: Invention }
const INVENTED_FIATS: readonly Invented[] = Object.entries(FIATS).map(([fiat, base]) => {
  return { chain: `iso4217:${fiat}`, contract: null, invention: { base, decimals: 8, waves: FIAT_WAVES } }
})

/**
 * Prices that nobody pays, so that a console on this network has values to show. They follow from the time alone: whoever asks twice
 * for a moment hears the same. One for each full hour since `sinceMs`, of currencies for each day, and one for the present minute.
 */
export function inventPrices(assets: readonly PricedAsset[], nowMs: number, sinceMs: number): InventedPrices {
  const first = Math.max(nowMs - PAST_MS_MAX, Number.isFinite(sinceMs) ? sinceMs : nowMs)
  const times = [nowMs - (nowMs % MINUTE_MS)]
  for (let time = Math.ceil(first / HOUR_MS) * HOUR_MS; time < at(times, 0); time += HOUR_MS) times.push(time)
  const coins = assets.map(({ chain, contract }) => ({ chain, contract, invention: contract === null ? coinOf(chain) : DOLLAR }))
  const quotesOf = (moments: readonly number[]) => (asset: Invented) =>
    moments.map((at) => ({ chain: asset.chain, contract: asset.contract, price: priceOf(asset.invention, at), at_ms: at }))
  const days = times.filter((at, i) => i === 0 || at % (24 * HOUR_MS) === 0)
  const quotes = [...coins.flatMap(quotesOf(times)), ...INVENTED_FIATS.flatMap(quotesOf(days))]
  return { label: 'Invented prices of the local development network', label_zh: '本地开发网络的虚构价格', currency: 'usd', quotes }
}

function coinOf(chain: string): Invention {
  if (chain.startsWith('eip155:')) return COIN
  if (chain.startsWith('bip122:')) return BTC
  return chain.startsWith('ton:') ? TON : TRX
}

function priceOf({ base, decimals, waves }: Invention, atMs: number): string {
  const sum = waves.reduce((total, { hours, share }) => total + share * Math.sin((2 * Math.PI * atMs) / (hours * HOUR_MS)), 1)
  return (base * sum).toFixed(decimals)
}
