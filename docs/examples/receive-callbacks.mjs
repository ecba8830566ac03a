// Receives the callbacks of an API key of door two, and checks each. Needs Node 20 and nothing else:
//
//   APP_ID=… SYSTEM_KEY=… PORT=8080 node receive-callbacks.mjs
//
// APP_ID is the key's id and SYSTEM_KEY the RSA public key of the server, both as the page of API keys shows them. Put https in front of it.
import { constants, createHash, createPublicKey, publicDecrypt } from 'node:crypto'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

const SEGMENT_BYTES = 256
const FIVE_MINUTES_MS = 300_000
const BODY_BYTES_MAX = 65_536

/** What a callback says; undefined where it is none of the server's for this key, not whole, or not of now. `body` is the form as it came. */
export function openCallback(body, { appId, systemKey, nowMs }) {
  const form = new URLSearchParams(body)
  const sealed = Buffer.from(form.get('data') ?? '', 'base64url')
  if (form.get('app_id') !== appId || sealed.length === 0 || sealed.length % SEGMENT_BYTES !== 0) return undefined
  const key = createPublicKey({ key: Buffer.from(systemKey, 'base64'), format: 'der', type: 'spki' })
  try {
    const segments = Array.from({ length: sealed.length / SEGMENT_BYTES }, (_, i) => sealed.subarray(i * SEGMENT_BYTES, (i + 1) * SEGMENT_BYTES))
    const text = Buffer.concat(segments.map((segment) => publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, segment))).toString('utf8')
    // Each segment is by the server, and nothing but this says that they belong together.
    const [, head = '', digest] = /^(.*),"digest":"([0-9a-f]{64})"\}$/s.exec(text) ?? []
    if (createHash('sha256').update(head, 'utf8').digest('hex') !== digest) return undefined
    const said = JSON.parse(text)
    return Math.abs(nowMs - said.time) < FIVE_MINUTES_MS ? said : undefined
  } catch {
    return undefined
  }
}

/** Tells what is news from what was told before: a notification that came already, or one that a later one of its record overtook. Keep it in your database. */
export function createMemory() {
  const last = new Map()
  return ({ side, id, notify_id: notifyId, seq }) => {
    const record = `${side} ${id ?? notifyId}`
    if (seq <= (last.get(record) ?? 0)) return false
    last.set(record, seq)
    return true
  }
}

/** Answers SUCCESS once a callback is stored, or was before, and FAILURE to whatever is none. */
export function createReceiver(settings, store) {
  const isNews = createMemory()
  return createServer((request, response) => {
    const pieces = []
    let length = 0
    request.on('data', (piece) => {
      length += piece.length
      if (length > BODY_BYTES_MAX) request.destroy()
      else pieces.push(piece)
    })
    request.on('end', () => {
      const said = openCallback(Buffer.concat(pieces).toString('latin1'), { ...settings, nowMs: Date.now() })
      if (said && isNews(said)) store(said)
      response.end(said ? 'SUCCESS' : 'FAILURE')
    })
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { APP_ID: appId, SYSTEM_KEY: systemKey, PORT = '8080' } = process.env
  createReceiver({ appId, systemKey }, (said) => console.log(said.side, said.id, said.status, said.amount, said.symbol, said.txid)).listen(Number(PORT))
}
