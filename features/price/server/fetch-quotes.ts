import type { Ports } from '@holdfast/ports'
import * as z from 'zod'

/** A feed that answers something else than quotes, or nothing in time. Names the feed by its host: the rest of its address often holds a key. */
export class PriceFeedError extends Error {
  override name = 'PriceFeedError'
}

const TIMEOUT_MS = 10_000
const ANSWER_MAX_BYTES = 8 << 20

const labelText = z
  .string()
  .transform((text) => [...text.replace(/[\p{C}\s]+/gu, ' ').trim()].slice(0, 100).join(''))
  .pipe(z.string().min(1))

const feedSchema = z.object({
  label: labelText,
  label_zh: labelText.optional(),
  currency: z.literal('usd'),
  quotes: z
    .array(z.object({ chain: z.string().max(64), contract: z.string().max(128).nullable(), price: z.string().max(90), at_ms: z.int().min(0) }))
    .max(50_000),
})
export type FeedAnswer = z.output<typeof feedSchema>

/** Asks a feed for its quotes since a moment. Throws PriceFeedError for any answer that is not one. */
export async function fetchQuotes(ports: Pick<Ports, 'fetch' | 'timer'>, url: string, sinceMs: number): Promise<FeedAnswer> {
  const address = new URL(url)
  address.searchParams.set('since', String(sinceMs))
  const place = `the price feed at ${address.host}`
  const abort = new AbortController()
  const cancel = ports.timer.after(TIMEOUT_MS, () => abort.abort())
  try {
    // A redirect would hand the address, and the key in it, to somebody else.
    const response = await ports.fetch(address, { signal: abort.signal, redirect: 'error', headers: { accept: 'application/json' } })
    if (!response.ok) throw new PriceFeedError(`${place} answered with HTTP status ${response.status}`)
    const parsed = feedSchema.safeParse(JSON.parse(await readCapped(response, place)))
    if (!parsed.success) throw new PriceFeedError(`${place} answered something else than quotes: ${z.prettifyError(parsed.error).slice(0, 300)}`)
    return parsed.data
  } catch (cause) {
    if (cause instanceof PriceFeedError) throw cause
    if (abort.signal.aborted) throw new PriceFeedError(`${place} did not answer within ${TIMEOUT_MS} ms`)
    throw new PriceFeedError(`${place} gave no usable answer: ${cause instanceof SyntaxError ? 'it is not JSON' : 'it could not be reached'}`)
  } finally {
    cancel()
  }
}

async function readCapped(response: Response, place: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > ANSWER_MAX_BYTES) throw new PriceFeedError(`${place} answered with more than ${ANSWER_MAX_BYTES} bytes`)
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}
