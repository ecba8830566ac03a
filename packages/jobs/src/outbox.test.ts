import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Database } from '@holdfast/db'
import { insertSampleRows, openTestDatabase, type SampleIds } from '@holdfast/db/test'
import { nodePorts } from '@holdfast/ports/node'
import { type OutboxEvent, publish, type Relay, relayOutbox, type Subscriber } from './index.ts'

const ports = nodePorts

describe('the outbox', () => {
  let db: Database
  let alpha: SampleIds
  let beta: SampleIds
  const relays: Relay[] = []
  const told: OutboxEvent[] = []
  const reports: string[] = []
  let wake = () => {}
  const listen: Subscriber = async (_, events) => {
    told.push(...events)
    wake()
  }
  before(async () => {
    db = await openTestDatabase({ poolSize: 20 })
    alpha = await insertSampleRows(db, 'alpha')
    beta = await insertSampleRows(db, 'beta')
    await db.asSystem((tx) => tx.updateTable('outbox').set({ published_at: 1 }).execute())
  })
  afterEach(async () => {
    for (const relay of relays.splice(0)) await relay.close()
    told.length = 0
  })
  after(() => db.close())

  const relay = (subscribers: Subscriber[] = [listen], pollMs = 600_000) => {
    relays.push(relayOutbox({ ports, db, subscribers, pollMs, report: (message) => reports.push(message) }))
  }
  const say = (orgId: string, topic: string, payload: unknown = {}) => db.asOrganisation(orgId, (tx) => publish(tx, [{ topic, payload }], ports.clock.nowMs()))
  const reach = async (count: number, orgId?: string) => {
    while (told.filter((event) => orgId === undefined || event.orgId === orgId).length < count)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  const sequences = (orgId: string) => told.filter((event) => event.orgId === orgId).map((event) => event.sequence)
  const consecutive = (numbers: bigint[]) => numbers.every((number, i) => i === 0 || number === numbers[i - 1]! + 1n)

  it('tells what was committed and nothing else', async () => {
    relay()
    await assert.rejects(
      db.asOrganisation(alpha.orgId, async (tx) => {
        await publish(tx, [{ topic: 'order.lost', payload: {} }], 1)
        throw new Error('rolled back')
      }),
      { message: 'rolled back' },
    )
    await say(alpha.orgId, 'order.kept', { amount: '100' })
    await reach(1)
    assert.deepEqual(
      told.map(({ topic, payload, orgId }) => ({ topic, payload, orgId })),
      [{ topic: 'order.kept', payload: { amount: '100' }, orgId: alpha.orgId }],
    )
  })

  it('writes several events of one transaction in one question, with its end, in their order', async (t) => {
    const asked: string[] = []
    const heard = await openTestDatabase({ onQuestion: (text) => asked.push(text) })
    t.after(() => heard.close())
    const { orgId } = await insertSampleRows(heard, 'gamma')
    const events = ['order.first', 'order.second', 'order.third'].map((topic) => ({ topic, payload: { topic } }))
    const rows = () =>
      heard.asSystem((tx) => tx.selectFrom('outbox').select(['topic', 'payload', 'sequence']).where('org_id', '=', orgId).orderBy('sequence').execute())
    const before = await rows()
    asked.length = 0
    await heard.asOrganisation(orgId, async (tx) => {
      await publish(tx, events, 1)
      await publish(tx, [], 1)
    })
    assert.equal(asked.length, 1, asked.join('\n'))
    assert.match(asked.join(), /outbox.*; commit$/s)
    const last = before.at(-1)?.sequence ?? 0n
    const written = (await rows()).slice(before.length)
    assert.deepEqual(
      written,
      events.map(({ topic, payload }, i) => ({ topic, payload, sequence: last + BigInt(i + 1) })),
    )
  })

  it('keeps the order of commits within an organisation while 20 programs publish', async () => {
    relay()
    await Promise.all(
      Array.from({ length: 20 }, async (_, program) => {
        for (let i = 0; i < 10; i++) await say(program % 2 ? alpha.orgId : beta.orgId, 'order.moved', { program, i })
      }),
    )
    await reach(200)
    for (const { orgId } of [alpha, beta]) assert.ok(consecutive(sequences(orgId)), sequences(orgId).join())
    for (let program = 0; program < 20; program++) {
      const own = told.map((event) => event.payload as { program: number; i: number }).filter((payload) => payload.program === program)
      assert.deepEqual(
        own.map((payload) => payload.i),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      )
    }
  })

  it('tells each event once though three servers relay', async () => {
    for (let i = 0; i < 3; i++) relay()
    await Promise.all(Array.from({ length: 60 }, () => say(alpha.orgId, 'order.moved')))
    await reach(60)
    for (const each of relays.splice(0)) await each.close()
    assert.equal(told.length, 60)
    assert.ok(consecutive(sequences(alpha.orgId)))
  })

  it('finds events by itself where no hint arrives', async () => {
    const deaf = { ...db, listen: () => ({ close: async () => {} }) }
    relays.push(relayOutbox({ ports, db: deaf, subscribers: [listen], pollMs: 20 }))
    await say(alpha.orgId, 'order.quiet')
    await reach(1)
  })

  it('tells what was published while nobody relayed', async () => {
    for (let i = 0; i < 250; i++) await say(alpha.orgId, 'order.moved', { i })
    let calls = 0
    relay([
      async (tx, events) => {
        calls++
        await listen(tx, events)
      },
    ])
    await reach(250)
    assert.equal(calls, 1)
    assert.deepEqual(
      told.map((event) => (event.payload as { i: number }).i),
      Array.from({ length: 250 }, (_, i) => i),
    )
  })

  it('lets an organisation wait whose event cannot be told, and no other', async () => {
    let refuse = true
    relay(
      [
        async (tx, events) => {
          if (events.some(({ topic }) => topic === 'order.bad') && refuse) {
            await tx.insertInto('lease').values({ name: 'half done' }).execute()
            throw new Error('receiver is away')
          }
          await listen(tx, events)
        },
      ],
      50,
    )
    for (const topic of ['order.first', 'order.bad', 'order.after']) await say(alpha.orgId, topic)
    await say(beta.orgId, 'order.other')
    await reach(1, beta.orgId)
    await reach(1, alpha.orgId)
    assert.deepEqual(
      told.filter((event) => event.orgId === alpha.orgId).map((event) => event.topic),
      ['order.first'],
    )
    assert.deepEqual(await db.asSystem((tx) => tx.selectFrom('lease').select('name').where('name', '=', 'half done').execute()), [])
    refuse = false
    await reach(3, alpha.orgId)
    assert.deepEqual(
      told.filter((event) => event.orgId === alpha.orgId).map((event) => event.topic),
      ['order.first', 'order.bad', 'order.after'],
    )
    assert.match(reports.join('\n'), /order\.bad\): receiver is away/)
  })
})
