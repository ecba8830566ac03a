import { ChainError } from './chain-error.ts'

/** How a node is reached, and how long and how much of an answer is waited for and read. */
export type NodeLimits = {
  fetch: typeof globalThis.fetch
  timer: { after(ms: number, callback: () => void): () => void }
  /** Longest wait for one whole answer. */
  timeoutMs: number
  /** Longest answer that is read. */
  answerMaxBytes: number
}

const REASON_MAX_CHARACTERS = 200

/** Text from outside made fit for a log line: one line, bounded. */
export function shorten(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > REASON_MAX_CHARACTERS ? `${line.slice(0, REASON_MAX_CHARACTERS)}…` : line
}

/** The address of a node; throws ChainError if it is none of HTTP. */
export function nodeUrl(rpcUrl: string): URL {
  const url = URL.canParse(rpcUrl) ? new URL(rpcUrl) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new ChainError('the RPC URL of a chain must start with http:// or https://')
  return url
}

/** A whole answer, as text. */
export type WholeAnswer = { status: number; ok: boolean; text: string }

/** Fetches an answer with its whole body, within the time and size that the configuration allows. */
export async function fetchWhole(config: NodeLimits, place: string, input: string | URL, init?: RequestInit): Promise<WholeAnswer> {
  const abort = new AbortController()
  let giveUp!: (reason: ChainError) => void
  const late = new Promise<never>((_, reject) => {
    giveUp = reject
  })
  const cancel = config.timer.after(config.timeoutMs, () => {
    const reason = new ChainError(`${place} did not answer within ${config.timeoutMs} ms`)
    giveUp(reason)
    abort.abort(reason)
  })
  const read = async (): Promise<WholeAnswer> => {
    // A redirect would hand the question, and the key in its URL, to somebody else.
    const response = await config.fetch(input, { ...init, signal: abort.signal, redirect: 'error' })
    return { status: response.status, ok: response.ok, text: await readCapped(response, config.answerMaxBytes, place) }
  }
  try {
    return await Promise.race([read(), late])
  } finally {
    cancel()
  }
}

async function readCapped({ body }: Response, maxBytes: number, place: string): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > maxBytes) {
      // So no more than one piece above the cap is ever held.
      await reader.cancel()
      throw new ChainError(`${place} answered with more than ${maxBytes} bytes`)
    }
    text += decoder.decode(next.value, { stream: true })
  }
  return text + decoder.decode()
}
