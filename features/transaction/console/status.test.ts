import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  canCancel,
  canCpfp,
  canOrderAgain,
  canCancelOnChain,
  canSpeedUp,
  canStop,
  DEPOSIT_STATUSES,
  isAlarmed,
  SPEND_STATUSES,
  statusKey,
  STATUSES,
  stepsAhead,
  storyStep,
  toldOnce,
  SUB_STATUSES,
  subStatusKey,
  toneOf,
} from './status.ts'

const words = (locale: string) => JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8')) as object
const wordAt = (tree: object, key: string) => key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], tree)

test('every state has a name in both languages and a tone', () => {
  for (const locale of ['en-US', 'zh-CN']) {
    for (const [type, statuses] of [
      ['withdraw', STATUSES],
      ['deposit', DEPOSIT_STATUSES],
      ['pull', SPEND_STATUSES],
    ] as const) {
      for (const status of statuses) assert.equal(typeof wordAt(words(locale), statusKey({ type, status }) ?? ''), 'string', `${locale} ${type} ${status}`)
    }
  }
  assert.equal(statusKey({ type: 'withdraw', status: 7 }), undefined)
  assert.deepEqual(Object.keys(wordAt(words('en-US'), 'transaction.subStatus') as object).toSorted(), SUB_STATUSES.toSorted())
  assert.deepEqual([subStatusKey('ok'), subStatusKey('reverted')], [undefined, 'transaction.subStatus.reverted'])
})

test('a state nobody knows promises nothing', () => {
  assert.equal(toneOf({ type: 'withdraw', status: 9999, sub_status: 'x' }), 'neutral')
  assert.equal(toneOf({ type: 'withdraw', status: 2000, sub_status: 'ok' }), 'good')
  assert.equal(toneOf({ type: 'withdraw', status: 1100, sub_status: 'co_signer_alarm' }), 'bad')
  assert.equal(toneOf({ type: 'deposit', status: 1100, sub_status: 'confirming' }), 'active')
  assert.deepEqual(
    [toneOf({ type: 'pull', status: 2000, sub_status: 'unacknowledged' }), toneOf({ type: 'pull', status: 2000, sub_status: 'ok' })],
    ['bad', 'neutral'],
  )
  assert.deepEqual(
    [toneOf({ type: 'pull', status: 3000, sub_status: 'reorged' }), toneOf({ type: 'deposit', status: 3000, sub_status: 'reorged' })],
    ['neutral', 'bad'],
  )
  assert.deepEqual(storyStep({ state: 'something new', sub_status: '' }), { key: 'transaction.step.something new', tone: 'active' })
})

test('a timeline tells each approval and each mishap as a step of its own', () => {
  assert.deepEqual(storyStep({ state: 'approving', sub_status: 'approving' }), { key: 'transaction.step.approving', tone: 'active' })
  assert.deepEqual(storyStep({ state: 'approving', sub_status: 'approved' }), { key: 'transaction.step.approve', tone: 'good' })
  assert.deepEqual(storyStep({ state: 'approving', sub_status: 'rejected' }), { key: 'transaction.step.reject', tone: 'bad' })
  assert.deepEqual(storyStep({ state: 'signing', sub_status: 'co_signer_not_ready' }), { key: 'transaction.subStatus.co_signer_not_ready', tone: 'warn' })
  assert.deepEqual(storyStep({ state: 'alarmed', sub_status: 'cheat_detected' }), { key: 'transaction.subStatus.cheat_detected', tone: 'bad' })
  assert.deepEqual(storyStep({ state: 'completed', sub_status: 'ok' }), { key: 'transaction.step.completed', tone: 'good' })
})

test('an order can be taken back only while it waits for approval', () => {
  assert.deepEqual(
    STATUSES.filter((status) => canCancel({ type: 'withdraw', status, sub_status: '' })),
    [1000],
  )
  assert.equal(canCancel({ type: 'deposit', status: 1000, sub_status: '' }), false)
  const unbuilt = { type: 'withdraw' as const, status: 1100, sub_status: 'build_failed' }
  assert.deepEqual([canCancel(unbuilt), canCancel({ ...unbuilt, sub_status: 'signing' })], [true, false])
  assert.deepEqual([canCancel({ ...unbuilt, can_take_back: false }), canCancel({ ...unbuilt, sub_status: 'signing', can_take_back: true })], [false, true])
})

test('a deposit can be sped up only while it is pending, and says that it does', () => {
  const of = (sub_status: string) => ({ type: 'deposit', status: 1000, sub_status }) as const
  assert.deepEqual(
    ['mempool', 'replaced', 'dropped', 'unconfirmed', 'confirming', 'ok'].filter((each) => canCpfp(of(each))),
    ['mempool'],
  )
  assert.ok(!canCpfp({ type: 'withdraw', sub_status: 'mempool' }))
  assert.deepEqual([statusKey(of('mempool')), statusKey(of('unconfirmed'))], ['transaction.subStatus.mempool', 'transaction.depositStatus.1000'])
  assert.deepEqual(stepsAhead(of('mempool')), ['network', 'finality'])
  const child = { type: 'withdraw', status: 1200, sub_status: 'mempool', lifts: 'a coin' } as const
  assert.deepEqual([canSpeedUp(child), canCancelOnChain(child)], [true, false])
  const inscribing = { type: 'withdraw', status: 1200, sub_status: 'mempool', inscribes: true } as const
  assert.deepEqual([canSpeedUp(inscribing), canCancelOnChain(inscribing)], [false, false])
})

test('what ended without payment can be ordered again, and nothing else', () => {
  assert.deepEqual(
    STATUSES.filter((status) => canOrderAgain({ type: 'withdraw', status })),
    [2100, 2200, 2201, 2202, 2300, 2400],
  )
  assert.ok(DEPOSIT_STATUSES.every((status) => !canOrderAgain({ type: 'deposit', status })))
})

test('what pays several, calls a contract or is about another payment has another form than a payment to one', () => {
  const ended = { type: 'withdraw', status: 2100 } as const
  assert.ok(canOrderAgain({ ...ended, call: null, purpose: 'pay' }))
  for (const other of [{ recipients: 3 }, { call: {} }, { stake: {} }, { purpose: 'speed_up' }, { purpose: 'cancel' }])
    assert.ok(!canOrderAgain({ ...ended, ...other }))
})

test('an order says what is still to come, step by step less, and what is over has nothing ahead', () => {
  const ahead = (status: number, sub_status = '') => stepsAhead({ type: 'withdraw', status, sub_status }).length
  assert.deepEqual([ahead(1000), ahead(1100), ahead(1200), ahead(1200, 'confirming')], [4, 3, 2, 1])
  for (const status of STATUSES.filter((each) => each >= 2000)) assert.equal(ahead(status), 0)
  assert.deepEqual(stepsAhead({ type: 'deposit', status: 1100, sub_status: 'confirming' }), ['finality'])
  assert.deepEqual(stepsAhead({ type: 'deposit', status: 1100, sub_status: 'comment_missing' }), [])
})

test('only an order whose last step was an alarm can be let go on', () => {
  const after = (...states: string[]) => isAlarmed({ timeline: states.map((state) => ({ state })) })
  assert.deepEqual([after(), after('approving'), after('signing', 'alarmed'), after('alarmed', 'signing')], [false, false, true, false])
})

test('a timeline tells a step once, and every decision and every reason', () => {
  const event = (state: string, sub_status: string, reason: string | null = null) => ({ state, sub_status, reason })
  const asked = event('approving', 'approving')
  const decisions = [event('approving', 'approved'), event('approving', 'approved')]
  const [reached, again, why] = [event('approved', 'waiting_co_signer'), event('approved', 'waiting_co_signer'), event('approved', 'waiting_co_signer', 'late')]
  assert.deepEqual(toldOnce([asked, ...decisions, reached, again, why]), [asked, ...decisions, reached, why])
  assert.deepEqual(toldOnce([reached, event('signing', 'signing'), again]).length, 3)
})

test('an approved order that waits is stopped by whoever was asked and has not rejected it, and by nobody else', () => {
  const approvers = [
    { person_id: 'ann', state: 'approved' },
    { person_id: 'ben', state: 'waiting' },
    { person_id: 'cleo', state: 'rejected' },
  ]
  const may = (stoppable: object | null) => ['ann', 'ben', 'cleo', 'dora', undefined].map((id) => canStop({ stoppable, approvers }, id))
  assert.deepEqual(may({ until: 1 }), [true, true, false, false, false])
  assert.deepEqual(may(null), [false, false, false, false, false])
})
