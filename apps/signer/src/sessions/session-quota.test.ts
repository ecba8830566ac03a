import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '@holdfast/encoding'
import { Register } from '../state/register.ts'
import { OF_MANY_MAX, OF_ONE_MAX, SessionQuota } from './session-quota.ts'

const hash = (id: number) => {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(0, id)
  return bytes
}
const organisation = { fingerprint: hash(1 << 20), register: new Register() }
const BATCH = hash(1 << 21)
const tooMany = { kind: 'unavailable', message: /began in these ten minutes: ask again when they are over/ }

test('of one order so many sessions begin in ten minutes, whatever becomes of them, and those of another one as well', () => {
  const quota = new SessionQuota()
  const begin = (order: number, nowMs = 0) => quota.take(organisation, { approved: [hash(order)] }, nowMs)
  for (let i = 0; i < OF_ONE_MAX; i++) assert.equal(begin(1), null)
  assert.throws(() => begin(1), tooMany)
  assert.equal(begin(2), null)
  assert.equal(begin(1, 600_000), null)
})

test('of orders that a server makes up under one approval so many begin, but those that pay for the first time do not count', () => {
  const quota = new SessionQuota()
  const begin = (order: number) => quota.take(organisation, { approved: [hash(order), BATCH] }, 0)
  for (let i = 0; i < 2 * OF_MANY_MAX; i++) quota.giveBack(begin(i)!)
  for (let i = 0; i < OF_MANY_MAX; i++) assert.equal(begin(i), toHex(BATCH))
  assert.throws(() => begin(OF_MANY_MAX), tooMany)
  assert.equal(quota.take(organisation, { approved: [hash(1)] }, 0), null, 'another approval is another matter')
})

test('an order that was begun before counts also if it is signed', () => {
  const quota = new SessionQuota()
  const register = new Register()
  register.stood.set(toHex(hash(1)), { witness: 3n, absence: null })
  assert.equal(quota.take({ ...organisation, register }, { approved: [hash(1), BATCH] }, 0), null)
})

test('of sessions that sign nothing so many begin for all keys of an organisation together, and those that sign go on', () => {
  const quota = new SessionQuota()
  for (let i = 0; i < OF_MANY_MAX; i++) quota.take(organisation, { approved: [] }, 0)
  assert.throws(() => quota.take(organisation, { approved: [] }, 0), tooMany)
  assert.equal(quota.take(organisation, { approved: [hash(1)] }, 0), null)
  assert.equal(quota.take({ ...organisation, fingerprint: hash(7) }, { approved: [] }, 0), null)
})
