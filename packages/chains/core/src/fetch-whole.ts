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

/** Fetches an answer with its whole body, within the time and size that the configuration allows. */
export async function fetchWhole(config: NodeLimits, place: string, input: string | URL | Request, init?: RequestInit): Promise<Response> {
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
  const read = async () => {
    // A redirect would hand the question, and the key in its URL, to somebody else.
    const response = await config.fetch(input, { ...init, signal: abort.signal, redirect: 'error' })
    const body = await readCapped(response, config.answerMaxBytes, place)
    // What comes with an error is mostly no JSON, but words of whoever stands before the node.
    return new Response(body, { status: response.status, headers: { 'content-type': response.ok ? 'application/json' : 'text/plain' } })
  }
  try {
    return await Promise.race([read(), late])
  } finally {
    cancel()
  }
}

async function readCapped(response: Response, maxBytes: number, place: string): Promise<Uint8Array<ArrayBuffer> | Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    // Leaving the loop cancels the stream, so no more than one piece above the cap is ever held.
    if (size > maxBytes) throw new ChainError(`${place} answered with more than ${maxBytes} bytes`)
    pieces.push(piece as Uint8Array<ArrayBuffer>)
  }
  // Most answers come in one piece, and a Blob is read again part by part.
  return pieces.length === 1 && pieces[0] ? pieces[0] : new Blob(pieces)
}
