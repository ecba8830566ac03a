import { fetchWhole, shorten, type WholeAnswer } from '@holdfast/chain-core'
import type { Language } from '@holdfast/contract'
import type { Ports } from '@holdfast/ports'
import * as z from 'zod'

/** What somebody asks who rents energy out: so many units for so many hours, delegated to an address, for coin that is paid to another. */
export type EnergyQuote = { labels: Record<Language, string>; payTo: string; energy: bigint; hours: number; price: bigint }

/** What they keep of an order. `delivered` is their word: whether the energy is there, the network says. */
export type Rental = { id: string; payTo: string; price: bigint; expiresAtMs: number; state: (typeof STATES)[number] }

/** Whoever rents energy out. Nothing that they say is believed beyond what it costs: what may be paid, to whom, signers know from people. */
export type EnergyMarket = {
  /** By what the pages name it: the host of its address, which often holds a key. */
  host: string
  quote(asked: { receiver: string; energy: bigint }): Promise<EnergyQuote>
  /** Orders; the same reference is the same order. */
  order(asked: { receiver: string; energy: bigint; payer: string; reference: string }): Promise<Rental>
  /** What has become of an order, which they are told the payment of. */
  look(id: string, paymentTxid: string | null): Promise<Rental>
}

/** A provider that does not answer, refuses, or answers something else than its form says. */
export class EnergyMarketError extends Error {
  override name = 'EnergyMarketError'
}

const TIMEOUT_MS = 10_000
const ANSWER_MAX_BYTES = 1 << 16
const STATES = ['unpaid', 'paid', 'delivered', 'over', 'failed'] as const

const whole = z
  .string()
  .regex(/^[1-9]\d{0,17}$/)
  .transform(BigInt)
const address = z.string().min(1).max(128)
const name = z.string().transform((text) => shorten(text).slice(0, 60))
const quoteShape = z.object({
  label: name,
  label_zh: name.optional(),
  chain: z.string().max(64),
  pay_to: address,
  energy: whole,
  hours: z.int().min(1).max(720),
  price: whole,
})
const rentalShape = z.object({ id: z.string().regex(/^[\w-]{1,64}$/), pay_to: address, price: whole, expires_at: z.int().min(0), state: z.enum(STATES) })

/** Opens the provider at an address, on one network. Its form is said in features/tron-tools/README.md; every call throws EnergyMarketError. */
export function openEnergyMarket({ fetch, timer }: Pick<Ports, 'fetch' | 'timer'>, url: string, chain: string): EnergyMarket {
  const base = url.endsWith('/') ? url : `${url}/`
  const { host } = new URL(base)
  const limits = { fetch, timer, timeoutMs: TIMEOUT_MS, answerMaxBytes: ANSWER_MAX_BYTES }
  const ask = async <T>(shape: z.ZodType<T>, path: string, body?: object): Promise<T> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const told = await readAnswer(() => fetchWhole(limits, host, new URL(path, base), body && post), host)
    const parsed = shape.safeParse(told)
    if (!parsed.success) throw new EnergyMarketError(`${host} answered something else than its form says: ${shorten(z.prettifyError(parsed.error))}`)
    return parsed.data
  }
  const rental = ({ pay_to: payTo, expires_at: expiresAtMs, ...rest }: z.output<typeof rentalShape>): Rental => ({ ...rest, payTo, expiresAtMs })
  return {
    host,
    quote: async ({ receiver, energy }) => {
      const asked = new URLSearchParams({ receiver, energy: String(energy) })
      const { chain: on, pay_to: payTo, label, label_zh: chinese = label, ...quote } = await ask(quoteShape, `quote?${asked}`)
      // A provider of another network would be paid here, and deliver there.
      if (on !== chain) throw new EnergyMarketError(`${host} rents energy out on ${shorten(on)}, and not on ${chain}`)
      return { ...quote, labels: { en_US: label, zh_CN: chinese }, payTo }
    },
    order: async ({ energy, ...asked }) => rental(await ask(rentalShape, 'orders', { ...asked, energy: String(energy) })),
    look: async (id, paymentTxid) => rental(await ask(rentalShape, `orders/${encodeURIComponent(id)}`, { payment_txid: paymentTxid })),
  }
}

async function readAnswer(call: () => Promise<WholeAnswer>, host: string): Promise<unknown> {
  try {
    const { ok, status, text } = await call()
    if (!ok) throw new EnergyMarketError(`${host} refused: ${status} ${shorten(text)}`)
    return JSON.parse(text) as unknown
  } catch (cause) {
    if (cause instanceof EnergyMarketError) throw cause
    throw new EnergyMarketError(`${host} gave no usable answer`, { cause })
  }
}
