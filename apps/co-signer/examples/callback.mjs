// A callback for a co-signer, in Node alone: copy it and put your own rules into `judge`.
//
//   node callback.mjs field                                    answers SUCCESS or FAILURE, for the form of the field
//   node callback.mjs signed <co-signer's public key, hex>     checks who asks and signs its answer; prints its own public key at the start
//
// PORT (9000) and KEY_FILE (callback.key) say where. Bind it to an address that only the co-signer reaches.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [form = 'field', coSignerKey = ''] = process.argv.slice(2)
const port = Number(process.env.PORT ?? 9000)

/** Your rules. `undefined` lets an order through; a text refuses it and says why. Compare with what your own books say is to be paid. */
function judge(event) {
  if (event.type !== 'sign_start') return undefined
  const expected = JSON.parse(process.env.EXPECTED ?? '[]')
  const isExpected = expected.some((each) => each.to === event.to && each.amount === event.amount && each.symbol === event.symbol)
  return isExpected ? undefined : 'our books know of no such payment'
}

// What was answered to an id is answered again: the co-signer asks again where an answer was lost.
const answered = new Map()
function judgeOnce(id, event) {
  const key = `${id} ${event.type}`
  if (!answered.has(key)) answered.set(key, judge(event))
  return answered.get(key)
}

// The canonical encoding of what is signed: 8 = struct (tag, count of fields), 1 = bytes, 2 = text; lengths in four bytes, big-endian.
const u32 = (value) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const sized = (type, content) => Buffer.concat([Buffer.from([type]), u32(content.length), content])
const text = (value) => sized(2, Buffer.from(value.normalize('NFC')))
const struct = (tag, fields) => Buffer.concat([Buffer.from([8]), u32(Buffer.byteLength(tag)), Buffer.from(tag), u32(fields.length), ...fields])
const sha256 = (body) => createHash('sha256').update(body).digest()
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const publicKeyOf = (hex) => createPublicKey({ key: Buffer.concat([ED25519_SPKI, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' })

function ownKey() {
  const file = process.env.KEY_FILE ?? 'callback.key'
  if (!existsSync(file)) writeFileSync(file, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  const key = createPrivateKey(readFileSync(file))
  const hex = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(ED25519_SPKI.length).toString('hex')
  console.log(`public key of this callback: ${hex}`)
  return key
}
const key = form === 'signed' ? ownKey() : undefined

function answerField(body, response) {
  const event = JSON.parse(body)
  const why = judgeOnce(event.request_id, event)
  console.log(`${event.type} ${event.request_id ?? ''}: ${why ?? 'SUCCESS'}`)
  response.end(why === undefined ? 'SUCCESS' : 'FAILURE')
}

function answerSigned(body, headers, response) {
  const asked = struct('holdfast/callback/asked/v1', [sized(1, sha256(body))])
  const isFromCoSigner = verify(null, asked, publicKeyOf(coSignerKey), Buffer.from(String(headers['holdfast-signature']), 'hex'))
  if (!isFromCoSigner) {
    response.writeHead(403).end()
    return
  }
  const { id, sent_at: sentAt, event } = JSON.parse(body)
  if (Math.abs(Date.now() - sentAt) > 5 * 60_000) {
    response.writeHead(403).end()
    return
  }
  const why = judgeOnce(id, event)
  const decision = why === undefined ? 'approve' : 'refuse'
  const signed = struct('holdfast/callback/answered/v1', [sized(1, sha256(body)), text(decision), text(why ?? '')])
  console.log(`${event.type} ${id}: ${why ?? 'approve'}`)
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ decision, reason: why ?? '', signature: sign(null, signed, key).toString('hex') }))
}

createServer(async (request, response) => {
  try {
    const pieces = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    if (form === 'signed') answerSigned(body, request.headers, response)
    else answerField(body, response)
  } catch (cause) {
    console.error(cause)
    if (!response.headersSent) response.writeHead(500)
    response.end()
  }
}).listen(port, '127.0.0.1', () => console.log(`callback in the ${form} form at http://127.0.0.1:${port}`))
