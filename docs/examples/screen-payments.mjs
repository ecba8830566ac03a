// Says of each payment that waits for it which risk a list finds: severe for an address of the list, low for any other. Needs Node 20 and nothing else:
//
//   ORIGIN=https://… KEY_ID=… KEY=key.pem LIST=deny.txt node screen-payments.mjs
//
// KEY_ID is the id of the screener as the page of API keys shows it, KEY the file of its Ed25519 private key, and LIST a file with an address a line. Put a
// service of your own in the place of `levelOf`.
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const EVERY_MS = 5_000
const LENGTH_BYTES = 4

/** The addresses of a list, one a line; what begins with # is a remark. Letters of addresses are compared without their case where a network has none. */
export function readList(text) {
  const lines = text.split('\n').map((line) => line.trim())
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')).map(spelled))
}

const spelled = (address) => (address.startsWith('0x') ? address.toLowerCase() : address)

/** The risk of an order: severe where anybody whom it pays is on the list. */
export const levelOf = ({ pays }, list) => (pays.some(({ to }) => list.has(spelled(to))) ? 'severe' : 'low')

const length = (bytes) => {
  const four = Buffer.alloc(LENGTH_BYTES)
  four.writeUInt32BE(bytes)
  return four
}
const field = (type, bytes) => Buffer.concat([Buffer.of(type), length(bytes.length), bytes])
const bytes = (hex) => field(1, Buffer.from(hex, 'hex'))
const text = (value) => field(2, Buffer.from(value.normalize('NFC'), 'utf8'))

/** A whole number, in as few bytes as it has. */
function number(value) {
  const hex = value.toString(16)
  return field(3, value === 0 ? Buffer.alloc(0) : Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex'))
}

/** The bytes that a screener signs: the canonical encoding of holdfast/screening/v1. */
export function encodeWord({ organisation, order_hash: order, machine, provider, level, screened_at: at, report_hash: report }) {
  const tag = Buffer.from('holdfast/screening/v1', 'ascii')
  const fields = [bytes(organisation), bytes(order), text(machine), text(provider), text(level), number(at), bytes(report)]
  return Buffer.concat([Buffer.of(8), length(tag.length), tag, length(fields.length), ...fields])
}

/** Calls the server, signed as RFC 9421 has it. Throws where the call is refused. */
export async function call({ origin, keyId, key }, method, path, input = {}) {
  const form = new URLSearchParams(input).toString()
  const body = method === 'POST' ? form : undefined
  const digest = `sha-256=:${createHash('sha256').update(form).digest('base64')}:`
  const headers = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded', 'content-digest': digest }
  const covered = ['@method', '@authority', '@path', '@query', ...(body === undefined ? [] : ['content-type', 'content-digest'])]
  const created = Math.floor(Date.now() / 1000)
  const params = `(${covered.map((each) => `"${each}"`).join(' ')});created=${created};nonce="${randomUUID()}";keyid="${keyId}";alg="ed25519"`
  const values = { '@method': method, '@authority': new URL(origin).host, '@path': path, '@query': `?${method === 'GET' ? form : ''}`, ...headers }
  const base = [...covered.map((each) => `"${each}": ${values[each]}`), `"@signature-params": ${params}`].join('\n')
  const signature = `sig=:${sign(null, Buffer.from(base), key).toString('base64')}:`
  const url = `${origin}${path}${method === 'GET' && form !== '' ? `?${form}` : ''}`
  const sent = { ...headers, 'signature-input': `sig=${params}`, signature }
  const answer = await (body === undefined ? fetch(url, { headers: sent }) : fetch(url, { method: 'POST', body, headers: sent }))
  const { code, msg, data } = await answer.json()
  if (code !== '0') throw new Error(`${path}: ${code} ${msg}`)
  return data
}

/** Looks at every order that waits, once. Answers what was said of each. */
export async function screenOnce(settings, list, nowMs = Date.now()) {
  const { organisation, list: waiting } = await call(settings, 'GET', '/open/v1/screenings/waiting')
  const said = []
  for (const order of waiting) {
    const level = levelOf(order, list)
    const report = JSON.stringify({ order_hash: order.order_hash, pays: order.pays, level })
    const found = {
      order_hash: order.order_hash,
      provider: 'deny list',
      level,
      screened_at: nowMs,
      report_hash: createHash('sha256').update(report).digest('hex'),
    }
    const machine = settings.keyId.slice(settings.keyId.indexOf('.') + 1)
    const signature = sign(null, encodeWord({ organisation, machine, ...found }), settings.key).toString('hex')
    await call(settings, 'POST', '/open/v1/screenings/submit', { ...found, signature })
    said.push({ order_id: order.order_id, level })
  }
  return said
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { ORIGIN: origin, KEY_ID: keyId, KEY = 'key.pem', LIST = 'deny.txt' } = process.env
  const settings = { origin, keyId, key: createPrivateKey(readFileSync(KEY)) }
  for (;;) {
    // The list is read anew each time, so that a change of it counts at once.
    const said = await screenOnce(settings, readList(readFileSync(LIST, 'utf8'))).catch((cause) => {
      console.error(String(cause))
      return []
    })
    for (const { order_id: order, level } of said) console.log(`${order}: ${level}`)
    await setTimeout(EVERY_MS)
  }
}
