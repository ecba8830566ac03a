import { encode, toHex } from '@holdfast/encoding'
import { componentsOf, signatureBase, signatureParams } from '@holdfast/http-signatures'
import { type Intent, intentHash, machineMessage, machineSignatureShape } from '@holdfast/intent'
import { CALLS, type OpenCalls } from './calls.ts'
import { type AskedBatch, checkAsked, checkBatch, checkCalled } from './check-asked.ts'
import { type RemoteKey, signingKey } from './signing-key.ts'

/** A call that was refused: `code` and the sentence say why, `data` has what the sentence names. */
export class OpenCallError extends Error {
  override name = 'OpenCallError'
  readonly code: string
  readonly httpStatus: number
  readonly data: unknown
  constructor({ code, msg, data }: Envelope, httpStatus: number) {
    super(`${code}: ${msg}`)
    this.code = code
    this.httpStatus = httpStatus
    this.data = data
  }
}

type Envelope = { code: string; msg: string; data: unknown }
type Name = keyof OpenCalls

export type OpenClientOptions = {
  /** The server, such as https://console.example. */
  baseUrl: string
  /** What the page of API keys calls the key, `organisation.name`. */
  keyId: string
  /** The private half of the API key, Ed25519 or P-256: of WebCrypto (`importKey`), or one that signs somewhere else. */
  key: CryptoKey | RemoteKey
  fetch?: typeof fetch
  nowMs?: () => number
}

export type OpenClient = {
  /** Makes a call. Throws OpenCallError where it is refused. */
  call<N extends Name>(name: N, input: OpenCalls[N]['input']): Promise<OpenCalls[N]['output']>
  /**
   * Asks for a payment, reads in the bytes of the order that it is the one that was asked for, and hands the signature in. The same `request_id` again goes on
   * where it stands. Throws OpenCallError and OrderFault.
   */
  withdraw(asked: OpenCalls['openCreateWithdrawal']['input']): Promise<Signed>
  /** The same for a call of a contract, of which every byte of the call data is compared. */
  callContract(asked: OpenCalls['openCreateCall']['input']): Promise<Signed>
  /** The same for a batch, line by line. */
  payBatch(asked: AskedBatch): Promise<Signed>
}

/** An order that the key has signed, where it stands, and how many approvals it still lacks. */
export type Signed = { id: string; state: string; missing: number }

/** A client of the door for programs. It signs each call, and the orders that it asks for; the key never leaves it. */
export function createOpenClient({ baseUrl, keyId, key, fetch = globalThis.fetch, nowMs = Date.now }: OpenClientOptions): OpenClient {
  const { origin, host } = new URL(baseUrl)
  const { algorithm, sign } = signingKey(key)

  const call: OpenClient['call'] = async (name, input) => {
    const { method, path } = CALLS[name]
    const form = formOf(input)
    const query = method === 'GET' ? form : ''
    const body = method === 'POST' ? form : undefined
    const headers: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded', 'content-digest': await digestOf(body) }
    const components = componentsOf(body !== undefined)
    const nonce = base64(crypto.getRandomValues(new Uint8Array(18)))
    const params = signatureParams(components, { created: Math.floor(nowMs() / 1000), nonce, keyId, algorithm })
    const base = signatureBase({ method, authority: host, path, query, headers }, components, params) ?? ''
    const signature = base64(await sign(new TextEncoder().encode(base)))
    const answer = await fetch(`${origin}${path}${query === '' ? '' : `?${query}`}`, {
      method,
      headers: { ...headers, 'signature-input': `sig=${params}`, signature: `sig=:${signature}:` },
      redirect: 'error',
      ...(body === undefined ? {} : { body }),
    })
    const envelope = (await answer.json()) as Envelope
    if (envelope.code !== '0') throw new OpenCallError(envelope, answer.status)
    return envelope.data as never
  }

  /** That the key asks for an order, signed over its hash. */
  const signed = async (intent: Intent): Promise<string> => {
    const said = {
      genesis: intent.genesis,
      intentHash: intentHash(intent),
      policyHash: intent.policyHash,
      machine: keyId.slice(keyId.indexOf('.') + 1),
      decision: 'ask',
      signedAtMs: BigInt(nowMs()),
    }
    return toHex(encode(machineSignatureShape, { ...said, signature: await sign(machineMessage(said)) }))
  }

  return {
    call,
    withdraw: async (asked) => {
      const { withdraw_id: id } = await call('openCreateWithdrawal', asked)
      const { intent } = await call('openWithdrawalIntent', { id })
      return { id, ...(await call('openSignWithdrawal', { id, signature: await signed(checkAsked(asked, intent)) })) }
    },
    callContract: async (asked) => {
      const { trans_id: id } = await call('openCreateCall', asked)
      const { intent } = await call('openCallIntent', { id })
      return { id, ...(await call('openSignCall', { id, signature: await signed(checkCalled(asked, intent)) })) }
    },
    payBatch: async (asked) => {
      const { batch_id: id } = await call('openCreateBatch', { ...asked, lines: JSON.stringify(asked.lines) })
      const { intent } = await call('openBatchIntent', { id })
      return { id, ...(await call('openSignBatch', { id, signature: await signed(checkBatch(asked, intent)) })) }
    },
  }
}

/** Fields as they travel: text as it is, numbers as text, structures as JSON; what is undefined is left out. */
function formOf(input: object): string {
  const pairs = Object.entries(input).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined || value === null) return []
    return [[name, (typeof value === 'object' ? JSON.stringify(value) : String(value)).normalize('NFC')]]
  })
  return new URLSearchParams(pairs).toString()
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

async function digestOf(body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  return `sha-256=:${base64(new Uint8Array(digest))}:`
}
