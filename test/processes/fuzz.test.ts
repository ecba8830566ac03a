import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { type Endpoint, envelopeSchema, systemErrors } from '@holdfast/contract'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { contractEndpoints, nameOf } from './testing/all-endpoints.ts'
import { type Belongings, foundWithEverything, idsOf } from './testing/belongings.ts'
import { brokenForm, encodeForm, fieldsOf, someForm } from './testing/hostile-texts.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { headersOf } from './testing/raw-call.ts'
import { type HttpAnswer, type HttpCall, sendRaw } from './testing/raw-http.ts'
import { seededRandom } from './testing/seeded-random.ts'
import { OWN_CALLS } from './testing/own-calls.ts'

const REQUESTS = Number(process.env.HOLDFAST_FUZZ ?? 300)
const AT_ONCE = 6
/** Sign-ins after a fuzzed logout, for each endpoint; the server lets one address sign in only so often. */
const SIGN_INS_MAX = 15
/** No one address is used for so many requests that the limit for guessing passwords is all they meet. */
const REQUESTS_OF_ADDRESS = 30
const INSIDES = /\n\s+at |node:internal|file:\/\/|\.ts:\d|node_modules|kysely|violates|relation "|syntax error|duplicate key|ECONN|ENOENT|TypeError|ZodError/
const random = seededRandom('fuzz')

let stack: JoinedStack
let org: Belongings
let endpoints: Endpoint[]
let sent = 0

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  endpoints = await contractEndpoints()
  org = await foundWithEverything(stack, 'Fuzz')
})
after(() => stack?.dispose())

/** Texts that mean something on this server. Few request ids, so that what can be created is created a few times and then asked for again. */
/** What a server wrote to its log but for the refusals that it notes by design, one line of JSON each. */
const faultsIn = (log: string): string =>
  log
    .split('\n')
    .filter((line) => !/^\{"at":"[^"]+","event":"refus/.test(line))
    .join('\n')

function knownTexts(endpoint: Endpoint): string[] {
  const requestIds = nameOf(endpoint) === 'POST /api/mpc/wallet/create' ? ['fuzz-wallet'] : Array.from({ length: 10 }, (_, i) => `fuzz-request-${i}`)
  const address = freshAddress()
  return [
    ...idsOf(org),
    org.sessionId,
    org.address,
    org.address.toLowerCase(),
    address,
    ...requestIds,
    org.drill,
    'eip155:31337',
    'ETH',
    'USDX',
    '0.1',
    '1',
    '2',
    '20',
    '200',
    '1000',
    '0.0000001',
    String(Date.now()),
    'Name',
    'Fuzz',
    '["Ann","Ben","Cid"]',
    JSON.stringify([['age1'.padEnd(62, 'q')], ['age1'.padEnd(62, 'q')], ['age1'.padEnd(62, 'q')]]),
    JSON.stringify({ id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {}, clientExtensionResults: {} }),
    '123456',
    'nobody@example',
    'a password of some length',
  ]
}

function address(): string {
  const number = Math.floor(sent++ / REQUESTS_OF_ADDRESS) + 2
  return `127.0.${Math.floor(number / 250) % 250}.${(number % 250) + 2}`
}

/** Takes headers away, or puts strange ones in their place. */
function strangeHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const change = random.pick<OutgoingHttpHeaders>([
    { Cookie: undefined },
    { 'X-XSRF-TOKEN': undefined },
    { openToken: undefined },
    { Origin: undefined },
    { 'Content-Type': undefined },
    { 'Content-Type': 'application/json' },
    { 'Content-Type': 'multipart/form-data; boundary=x' },
    { 'Content-Type': '' },
    { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-16' },
    { Origin: 'null' },
    { Origin: 'https://evil.example' },
    { Host: 'evil.example' },
    { Cookie: '__Host-holdfast=x; __Host-holdfast=y' },
    { Cookie: 'a'.repeat(4000) },
    { openToken: '\u00ff\u00fe' },
    { Language: 'xx' },
    { Language: 'zh-CN' },
    { timezone: '\u00e9'.repeat(100) },
    { 'X-Background': '1' },
    { 'X-Forwarded-For': '1.2.3.4' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Mode': 'navigate' },
    { 'Content-Encoding': 'gzip' },
    { Accept: 'text/html' },
    { 'User-Agent': 'x'.repeat(3000) },
  ])
  return Object.fromEntries(Object.entries({ ...headers, ...change }).filter(([, value]) => value !== undefined))
}

function nextCall(endpoint: Endpoint, fields: ReturnType<typeof fieldsOf>): HttpCall {
  const { consoleOrigin, ports } = stack.settings
  const isGet = endpoint.method === 'GET'
  const formType = isGet ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }
  const good: OutgoingHttpHeaders = { Host: new URL(consoleOrigin).host, ...headersOf(org.alice, endpoint), ...formType }
  const form = someForm(fields, random)
  const encoded = random.next() < 0.85 ? encodeForm(form) : brokenForm(form, random)
  const method = random.next() < 0.98 ? endpoint.method : random.pick(['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', isGet ? 'POST' : 'GET'])
  const inQuery = method === 'GET' || method === 'HEAD'
  // A request line has its own limit, which is not the subject here; a body may be as large as it likes.
  const query = Buffer.from(encoded, 'latin1')
    .toString('latin1')
    .replace(/[^!-~]/g, '%C3%A9')
    .slice(0, 7000)
  const body = random.next() < 0.02 ? Buffer.alloc(70_000, 'a=') : Buffer.from(encoded, 'latin1')
  return {
    port: ports.console,
    method,
    path: inQuery && query !== '' ? `${endpoint.path}?${query}` : endpoint.path,
    headers: random.next() < 0.85 ? good : strangeHeaders(good),
    body: inQuery ? undefined : body,
    from: address(),
  }
}

function judge(answer: HttpAnswer, call: HttpCall): string {
  const asked = () => `${call.method} ${call.path.slice(0, 300)} ${JSON.stringify(call.headers)} ${call.body?.toString('latin1').slice(0, 500) ?? ''}`
  const told = () => `${asked()}\n${answer.status} ${answer.text.slice(0, 1000)}`
  assert.ok(answer.status < 500, `a fault of the server: ${told()}`)
  // A HEAD has no body, by its definition.
  if (call.method === 'HEAD') return ''
  assert.match(answer.contentType, /^application\/json/, told())
  const { data: envelope } = envelopeSchema.strict().safeParse(JSON.parse(answer.text))
  assert.ok(envelope, `not an envelope: ${told()}`)
  assert.notEqual(envelope.code, systemErrors.system_error.code, told())
  assert.doesNotMatch(answer.text, INSIDES, told())
  return envelope.code
}

async function fuzz(endpoint: Endpoint): Promise<Map<string, number>> {
  const fields = fieldsOf(endpoint, OWN_CALLS[nameOf(endpoint)]?.(org) ?? {}, knownTexts(endpoint))
  const codes = new Map<string, number>()
  let signIns = 0
  for (let done = 0; done < REQUESTS; done += AT_ONCE) {
    const calls = Array.from({ length: Math.min(AT_ONCE, REQUESTS - done) }, () => nextCall(endpoint, fields))
    const answers = await Promise.all(calls.map(sendRaw))
    for (const [i, answer] of answers.entries()) {
      const code = judge(answer, calls[i]!)
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    if (codes.has(systemErrors.signed_out.code) && signIns < SIGN_INS_MAX && !(await org.alice.reload())) {
      signIns++
      await org.alice.signIn()
    }
  }
  return codes
}

test(`${REQUESTS} requests of every kind to each endpoint: no fault of the server, no hang, always an envelope, nothing of the insides`, async () => {
  const logged = faultsIn(stack.log('server'))
  const admitted: string[] = []
  for (const endpoint of endpoints) {
    const codes = await fuzz(endpoint)
    if (codes.has('0')) admitted.push(nameOf(endpoint))
    if (process.env.HOLDFAST_FUZZ_SHOW) console.log(nameOf(endpoint), JSON.stringify(Object.fromEntries(codes)))
  }
  assert.equal((await fetch(`${stack.settings.consoleOrigin}/healthz`)).status, 200)
  assert.equal(faultsIn(stack.log('server')), logged, 'the server wrote a fault to its log')
  // Fuzzing that never gets past the first check proves little.
  assert.ok(admitted.length >= endpoints.length / 2, `only ${admitted.length} endpoints ever answered with success`)
  console.log(`${sent} requests to ${endpoints.length} endpoints, of which ${admitted.length} also did what they are for`)
})
