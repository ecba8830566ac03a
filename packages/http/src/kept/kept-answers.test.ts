import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineEndpoint } from '@holdfast/contract'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import * as z from 'zod'
import { handle } from '../handle.ts'
import { KeptAnswers } from './kept-answers.ts'
import type { SessionAuthority } from '../session.ts'
import { startTestServer } from '../test-server.ts'

const kept = (answer: string, change: object = {}) => ({ revision: '1', readHeights: false, untilMs: 10, answer: Buffer.from(answer), ...change })

test('what is kept has a bound, whatever comes and goes, and is what was kept last for its key', () => {
  const step = fc.record({ key: fc.nat(9).map(String), length: fc.nat(3_000), isFind: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const answers = new KeptAnswers(10_000)
      const last = new Map<string, string>()
      for (const { key, length, isFind } of steps) {
        if (isFind) {
          const found = answers.find(key, 0)
          if (found) assert.equal(String(found.answer), last.get(key))
          continue
        }
        last.set(key, `${last.size} ${'x'.repeat(length)}`)
        answers.keep(key, kept(last.get(key)!))
        assert.equal(String(answers.find(key, 0)?.answer), last.get(key))
        assert.ok(answers.size <= 10_000)
      }
    }),
  )
})

test('what was unused for the longest time goes first, and what is too large is not kept', () => {
  const answers = new KeptAnswers(3_500)
  for (const key of ['a', 'b', 'c']) answers.keep(key, kept('x'.repeat(600)))
  answers.find('a', 0)
  answers.keep('d', kept('x'.repeat(600)))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => answers.find(key, 0) !== undefined),
    [true, false, true, true],
  )
  answers.keep('a', kept('x'.repeat(2 ** 20 + 1)))
  assert.equal(answers.find('a', 0), undefined)
})

test('an answer is not found once it is too old, nor while the revision changed the last times', () => {
  const answers = new KeptAnswers()
  answers.keep('a', kept('x'))
  assert.ok(answers.find('a', 9))
  assert.equal(answers.find('a', 10), undefined)
  answers.keep('a', kept('y', { revision: '2' }))
  assert.equal(answers.find('a', 0), undefined)
  answers.keep('a', kept('y', { revision: '2' }))
  assert.equal(String(answers.find('a', 0)?.answer), 'y')
})

test("only the answers of a member's GET without effect can be kept", () => {
  const sound = { method: 'GET', path: '/api/a', permission: 'member', summary: '', input: z.object({}), output: z.null(), keptForMs: 1 } as const
  defineEndpoint(sound)
  for (const change of [{ method: 'POST' }, { permission: 'public' }, { hasEffect: true }])
    assert.throws(() => defineEndpoint({ ...sound, ...change } as typeof sound), /kept/)
})

const list = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/list',
  permission: 'wallet.read',
  summary: '',
  input: z.object({ page: z.string().optional() }),
  output: z.object({ n: z.int(), by: z.string() }),
  keptForMs: 5_000,
})

/** A server whose sessions say that nothing was written, as often as it is asked. */
async function startKeeping(options: Parameters<typeof startTestServer>[0] = {}) {
  let made = 0
  const sessions = new Map<string, ReturnType<Awaited<ReturnType<typeof startTestServer>>['addPerson']>['session']>()
  const resolve = async (hash: Uint8Array) => sessions.get(Buffer.from(hash).toString('hex'))
  const authority: SessionAuthority = {
    resolve,
    reading: async (hash, _, act, again) => {
      const session = await resolve(hash)
      const found = session && again?.find(session, nodePorts.clock.nowMs())
      if (found) {
        again?.admit(session)
        return found.answer
      }
      const answer = await act(session)
      if (session) again?.keep(session, { revision: '1', readHeights: false, untilMs: Number.POSITIVE_INFINITY, answer })
      return answer
    },
    alive: async () => new Set(),
  }
  const endpoints = [handle(list, async ({ personId }) => ({ n: ++made, by: personId, secret: 'not in the shape' }))]
  const started = await startTestServer({ sessions: authority, endpoints, ...options })
  const addPerson: typeof started.addPerson = (...given) => {
    const person = started.addPerson(...given)
    for (const [hash, session] of started.sessions) sessions.set(hash, session)
    return person
  }
  const get = (person: ReturnType<typeof addPerson>, query = '', headers: Record<string, string> = {}) =>
    started.server.inject({ method: 'GET', url: `/api/mpc/list${query}`, headers: started.headersOf(person, headers) })
  return { ...started, addPerson, get }
}

test('an answer that is given again has the bytes and headers of the first, and a line in the log like it', async () => {
  const { addPerson, get, log } = await startKeeping()
  const ada = addPerson('ada')
  const answers = [await get(ada), await get(ada)]
  assert.deepEqual(answers[0]!.json(), { code: '0', msg: 'success', data: { n: 1, by: 'ada' } })
  assert.equal(answers[0]!.body, answers[1]!.body)
  const headersOf = ({ headers }: (typeof answers)[number]) => ({ ...headers, 'x-request-id': null, date: null })
  assert.deepEqual(headersOf(answers[0]!), headersOf(answers[1]!))
  assert.match(String(answers[1]!.headers['content-type']), /^application\/json/)
  const lineOf = (at: number) => ({ ...log[at], atMs: 0, durationMs: 0, requestId: '' })
  assert.deepEqual(lineOf(0), lineOf(1))
  assert.equal(log[1]?.personId, 'ada')
})

test('what is kept is for one person, role, language, time zone and question', async () => {
  const { addPerson, get } = await startKeeping()
  const ada = addPerson('ada')
  const seen = new Set<number>()
  const numberOf = async (asked: ReturnType<typeof get>) => (await asked).json().data.n as number
  const ways: [query: string, headers: Record<string, string>][] = [
    ['', {}],
    ['?page=1', {}],
    ['', { language: 'zh_CN' }],
    ['', { timezone: 'Asia/Tokyo' }],
  ]
  for (const [query, headers] of ways) seen.add(await numberOf(get(ada, query, headers)))
  seen.add(await numberOf(get(addPerson('bo'))))
  ada.session.role = 'owner'
  seen.add(await numberOf(get(ada)))
  ada.session.epoch = '2'
  seen.add(await numberOf(get(ada)))
  ada.session.orgId = 'org-2'
  seen.add(await numberOf(get(ada)))
  assert.equal(seen.size, 8)
  assert.ok(seen.has(await numberOf(get(ada))))
})

test('rate and permission hold for what is kept as for what is made', async () => {
  const { addPerson, get } = await startKeeping({ rateLimits: { perSession: { burst: 3, perSecond: 0.001 } } })
  const ada = addPerson('ada')
  const codes = []
  for (let i = 0; i < 4; i++) codes.push((await get(ada)).json().code)
  assert.deepEqual(codes.slice(0, 3), ['0', '0', '0'])
  assert.notEqual(codes[3], '0')
  const bo = addPerson('bo')
  assert.equal((await get(bo)).json().code, '0')
  bo.session.permissions = new Set()
  assert.equal((await get(bo)).json().code, '110249')
  const forged = await get(bo, '', { 'x-xsrf-token': 'other' })
  assert.notEqual(forged.json().code, '0')
})
