import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ORDER_STATES } from '@holdfast/features/transfer/server'
import { RETRY_MS_MAX, retryDelayMs } from '@holdfast/jobs'
import { SIDES } from '../contract.ts'
import { TOLD_ORDER_STATES, webhooks } from '../webhook-contract.ts'
import { TRIES_MAX } from './tell-endpoints.ts'
import { type Step, type Story, type Told, untoldSteps } from './story.ts'

const step = (sourceSeq: number, marker: string, atMs = 10): Step => ({
  sourceSeq: BigInt(sourceSeq),
  marker,
  event: `withdraw.${marker}`,
  status: 1000,
  atMs,
  fields: {},
})
const story = (steps: Step[], done?: number): Story => ({
  side: 'withdraw',
  recordId: 'r',
  walletId: null,
  requestId: null,
  steps,
  progress: done === undefined ? null : { done, step: { ...step(0, 'now'), event: 'withdraw.confirmations' } },
})

test('an endpoint hears each state of a record once, in order, however often it is asked for', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.array(fc.nat(20)), (length, looks) => {
      const all = Array.from({ length }, (_, i) => step(i + 1, `s${i}`))
      let told: Told | undefined
      const heard: bigint[] = []
      // Each look sees the record as far as it is by then; a look may come late or see nothing new.
      for (const until of [...looks.toSorted((a, b) => a - b), length]) {
        const next = untoldSteps(story(all.slice(0, until)), told, 0, 0)
        heard.push(...next.steps.map((each) => each.sourceSeq))
        if (next.steps.length > 0 || told) told = next.told
      }
      assert.deepEqual(
        heard,
        all.map((each) => each.sourceSeq),
      )
    }),
  )
})

test('an endpoint hears nothing from before it listened', () => {
  const { steps } = untoldSteps(story([step(1, 'old', 5), step(2, 'new', 15)]), undefined, 10, 0)
  assert.deepEqual(
    steps.map((each) => each.marker),
    ['new'],
  )
})

test('a record without a history is told of when what it is has changed', () => {
  const first = untoldSteps(story([step(0, 'unconfirmed')]), undefined, 0, 0)
  assert.equal(first.steps.length, 1)
  assert.equal(untoldSteps(story([step(0, 'unconfirmed')]), first.told, 0, 0).steps.length, 0)
  const second = untoldSteps(story([step(0, 'credited')]), first.told, 0, 0)
  assert.deepEqual(
    second.steps.map((each) => each.marker),
    ['credited'],
  )
})

test('confirmations are told of every so many blocks, and again from the start after a reorganisation', () => {
  const events = (counts: number[], every: number) => {
    let told: Told | undefined = untoldSteps(story([step(1, 'confirming')], 0), undefined, 0, every).told
    return counts.map((done) => {
      const next = untoldSteps(story([step(1, 'confirming')], done), told, 0, every)
      told = next.told
      return next.steps.length
    })
  }
  assert.deepEqual(events([1, 2, 3, 4, 5, 6, 6], 2), [0, 1, 0, 1, 0, 1, 0])
  assert.deepEqual(events([1, 2, 3], 0), [0, 0, 0])
  assert.deepEqual(events([5, 1, 2], 2), [1, 0, 1])
})

test('tries are farther and farther apart, never beyond six hours, and take about a day together', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.nat(255), (tries, random) => {
      const delay = retryDelayMs(tries, random)
      assert.ok(Number.isInteger(delay) && delay <= RETRY_MS_MAX && delay >= 3_750, `${delay}`)
      if (tries >= 2 && tries <= 12) assert.ok(delay > retryDelayMs(tries - 1, 255))
    }),
  )
  const least = Array.from({ length: TRIES_MAX - 1 }, (_, i) => retryDelayMs(i + 1, 0)).reduce((a, b) => a + b)
  const most = Array.from({ length: TRIES_MAX - 1 }, (_, i) => retryDelayMs(i + 1, 255)).reduce((a, b) => a + b)
  assert.ok(least > 15 * 3_600_000 && most < 25 * 3_600_000, `${least} ${most}`)
})

test('the document of the interface has a webhook for everything that endpoints may be told of, in every state', () => {
  assert.deepEqual(TOLD_ORDER_STATES, ORDER_STATES)
  const described = webhooks.map(({ body }) => body.shape.side.value as string)
  assert.deepEqual(new Set(described), new Set([...SIDES, 'test']))
})
