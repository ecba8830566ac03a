import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Database } from '@holdfast/db'
import { insertSampleRows, openTestDatabase, type SampleIds } from '@holdfast/db/test'
import type { MemberContext } from '@holdfast/http'
import { type Mail, type Mailer, type MailFailure, openMailer } from '@holdfast/mail'
import type { Ports } from '@holdfast/ports'
import { nodePorts } from '@holdfast/ports/node'
import { newId } from '@holdfast/units'
import { getOwnMail, saveOwnMail } from '../contract.ts'
import { readMail } from './read-mail.ts'
import { mailEndpoints } from './routes.ts'
import { startMail } from './run-mail.ts'
import { GIVE_UP_AFTER_MS, sendDueMail } from './send-mail.ts'
import { writeMail } from './write-mail.ts'

let db: Database
let ids: SampleIds
let aheadMs = 0
const ports: Ports = { ...nodePorts, clock: { ...nodePorts.clock, nowMs: () => nodePorts.clock.nowMs() + aheadMs } }
const settings = { consoleOrigin: 'https://console.example' }
const never = new AbortController().signal

before(async () => {
  db = await openTestDatabase()
  ids = await insertSampleRows(db, 'alpha')
  await db.asSystem(async (tx) => {
    await tx
      .updateTable('organisation')
      .set({ name: 'Acme\r\nhttp://evil.example' } as never)
      .execute()
    await tx.updateTable('person').set({ login: 'ann@acme-1a2b3c', state: 'active', language: 'zh-CN' }).execute()
  })
})
beforeEach(() => choose({}))
after(() => db.close())

async function choose(change: { wanted?: boolean; address?: string | null; language?: 'en-US' | 'zh-CN' }): Promise<void> {
  const choice = { wanted: true, address: 'ann@company.example', language: 'zh-CN' as const, updated_at: 1, ...change }
  await db.asSystem((tx) => tx.updateTable('mail_choice').set(choice).execute())
}

const words = { 'en-US': { subject: 'A thing waits', text: 'A thing waits:' }, 'zh-CN': { subject: '有事项等待处理', text: '有事项等待处理：' } }

/** Writes an e-mail about something new; answers what became of it, whenever that is asked. */
async function write(fail = false): Promise<() => Promise<string>> {
  const aboutId = newId(ports.clock.nowMs(), ports.random)
  const sinceMs = ports.clock.nowMs()
  await db.asOrganisation(ids.orgId, async (tx) => {
    await writeMail(tx, { ports, settings }, { topic: 'order_waits', aboutId, personIds: [ids.personId], path: '/mpc/thing', words })
    if (fail) throw new Error('rolled back')
  })
  return async () => {
    const mails = await db.asOrganisation(ids.orgId, (tx) => readMail(tx, { topic: 'order_waits', aboutId, sinceMs }))
    return mails.map(({ state, reason }) => [state, ...(reason === null ? [] : [reason])].join(' ')).join()
  }
}

/** A mail server that answers each try with the next of some failures, the last one for good. */
function answering(...failures: (MailFailure | undefined)[]): { mailer: Mailer; tries: Mail[] } {
  const tries: Mail[] = []
  const send = async (mail: Mail) => failures[Math.min(tries.push(mail), failures.length) - 1]
  return { mailer: { send }, tries }
}

const holderOf = () => newId(ports.clock.nowMs(), ports.random)
async function drain(mailer: Mailer | undefined): Promise<void> {
  for (;;) {
    if ((await sendDueMail({ db, ports, mailer }, holderOf(), never)) > 0) continue
    const { at } = await db.asSystem((tx) =>
      tx
        .selectFrom('mail')
        .select((row) => row.fn.min('next_at').as('at'))
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow(),
    )
    if (at === null) return
    aheadMs += Math.max(1, Number(at) - ports.clock.nowMs())
  }
}

describe('an e-mail to a member', () => {
  it('is there with what it is about or not at all, in their language, with one link and no line of a stranger', async () => {
    await assert.rejects(write(true), /rolled back/)
    const { mailer, tries } = answering(undefined)
    await drain(mailer)
    assert.equal(tries.length, 0)
    const became = await write()
    assert.equal(await became(), 'waiting')
    await drain(mailer)
    assert.equal(await became(), 'sent')
    const { to, subject, text } = tries[0]!
    assert.deepEqual([to, subject, tries.length], ['ann@company.example', '有事项等待处理', 1])
    assert.deepEqual(text.split('\n\n').slice(0, 3), [
      '此邮件涉及组织“Acme http[:]//evil[.]example”。',
      '有事项等待处理：',
      'https://console.example/mpc/thing',
    ])
    assert.equal(text.match(/:\/\/|www\./g)?.length, 1)
  })

  it('is sent once, however many send at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => write()))
    const { mailer, tries } = answering(undefined)
    await Promise.all(Array.from({ length: 4 }, () => drain(mailer)))
    assert.deepEqual([tries.length, new Set(tries.map(({ id }) => id)).size], [20, 20])
  })

  it('is tried again, the same, until the mail server takes it', async () => {
    const became = await write()
    const { mailer, tries } = answering('unreachable', 'timeout', 'lost', 'deferred', 'login', undefined)
    await sendDueMail({ db, ports, mailer }, holderOf(), never)
    assert.equal(await became(), 'waiting unreachable')
    await drain(mailer)
    assert.equal(await became(), 'sent')
    assert.deepEqual(
      tries,
      Array.from({ length: 6 }, () => tries[0]),
    )
  })

  it('is sent again by another where whoever took it died, and not before their time is over', async () => {
    const became = await write()
    const dying = sendDueMail({ db, ports, mailer: { send: () => Promise.reject(new Error('killed')) } }, holderOf(), never)
    await assert.rejects(dying, /killed/)
    const { mailer, tries } = answering(undefined)
    assert.equal(await sendDueMail({ db, ports, mailer }, holderOf(), never), 0)
    aheadMs += 60_000
    await drain(mailer)
    assert.deepEqual([await became(), tries.length], ['sent', 1])
  })

  it('is not begun by who was held up so long that another may have it soon', async () => {
    const became = await write()
    const { mailer, tries } = answering(undefined)
    let stalls = 0
    const stalling = { ...ports, clock: { ...ports.clock, monotonicMs: () => 40_000 * stalls++ } }
    await sendDueMail({ db, ports: stalling, mailer }, holderOf(), never)
    assert.deepEqual([await became(), tries.length], ['waiting', 0])
    await drain(mailer)
    assert.deepEqual([await became(), tries.length], ['sent', 1])
  })

  it('is given up after a day, or at once where the mail server refuses it, and the reason stays', async () => {
    const refused = await write()
    await drain(answering('refused').mailer)
    assert.equal(await refused(), 'not_sent refused')
    const late = await write()
    const { mailer, tries } = answering('unreachable')
    const startedMs = ports.clock.nowMs()
    await drain(mailer)
    assert.equal(await late(), 'not_sent unreachable')
    const tookMs = ports.clock.nowMs() - startedMs
    assert.ok(tookMs >= GIVE_UP_AFTER_MS - 1_000 && tookMs < GIVE_UP_AFTER_MS + 60_000, `${tookMs}`)
    assert.ok(tries.length > 10 && tries.length < 25, `${tries.length}`)
  })

  it('that cannot be sent says why: no mail server, no address, or no wish for any', async () => {
    const without = await write()
    await drain(undefined)
    assert.equal(await without(), 'not_sent no_server')
    await choose({ address: null })
    const nowhere = await write()
    await choose({ wanted: false })
    const unwanted = await write()
    const { mailer, tries } = answering(undefined)
    await drain(mailer)
    assert.deepEqual([await nowhere(), await unwanted(), tries], ['not_sent no_address', 'not_sent not_wanted', []])
    await db.asSystem((tx) => tx.updateTable('person').set({ state: 'suspended' }).execute())
    assert.equal(await (await write())(), '')
    await db.asSystem((tx) => tx.updateTable('person').set({ state: 'active' }).execute())
  })

  it('is sent by the server, and what is under way when the server ends is sent by the next', async () => {
    const { promise: isUnderway, resolve: underway } = Promise.withResolvers<void>()
    const stalled: Mailer = {
      send: (_, signal) => {
        underway()
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve('interrupted')))
      },
    }
    const became = await write()
    const one = startMail({ db, ports }, stalled)
    await isUnderway
    await one.stop()
    assert.equal(await became(), 'waiting')
    const { promise: isSent, resolve: sent } = Promise.withResolvers<void>()
    const next = startMail(
      { db, ports },
      {
        send: async () => {
          sent()
          return undefined
        },
      },
    )
    await isSent
    await next.stop()
    assert.equal(await became(), 'sent')
  })

  it('waits for a mail server that is not there, and nothing else does', async () => {
    const became = await write()
    const gone = openMailer(ports, { host: '127.0.0.1', port: 1, isSecure: false, user: '', password: undefined, from: 'holdfast@company.example' })
    await sendDueMail({ db, ports, mailer: gone }, holderOf(), never)
    assert.equal(await became(), 'waiting unreachable')
    await drain(answering(undefined).mailer)
  })

  it('goes where its member chooses, in the language they choose, or nowhere', async () => {
    const endpoints = mailEndpoints({ db, ports }, undefined)
    const call = async (endpoint: typeof getOwnMail | typeof saveOwnMail, input: Record<string, string> = {}) => {
      const caller = { orgId: ids.orgId, personId: ids.personId } as MemberContext
      return endpoints.find((each) => each.endpoint === endpoint)!.handler(caller, endpoint.input.parse(input) as never)
    }
    await call(saveOwnMail, { wanted: 'true', address: ' Ann@Company.example ', language: 'en-US' })
    assert.deepEqual(await call(getOwnMail), { server: false, wanted: true, address: 'ann@company.example', account_address: null, language: 'en-US' })
    const { mailer, tries } = answering(undefined)
    await write()
    await drain(mailer)
    assert.deepEqual([tries[0]!.to, tries[0]!.subject], ['ann@company.example', 'A thing waits'])
    for (const address of ['ann', 'ann@acme-1a2b3c', 'ann@company.example\r\nBcc: eve@evil.example'])
      await assert.rejects(call(saveOwnMail, { wanted: 'true', address, language: 'en-US' }), { errorName: 'invalid_parameters' }, address)
    await call(saveOwnMail, { wanted: 'false', address: '', language: 'zh-CN' })
    assert.deepEqual(await call(getOwnMail), { server: false, wanted: false, address: null, account_address: null, language: 'zh-CN' })
  })
})
