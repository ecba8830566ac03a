import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultService, expireDay, isExpire, type ScreeningService } from './rules.ts'

const NOW = Date.UTC(2026, 10, 21)
const DAY_MS = 86_400_000

test('expireDay counts the whole days that are left, and isExpire says that they are negative (spec 3.4)', () => {
  const rows: [number, number, boolean][] = [
    [NOW + 30 * DAY_MS, 30, false],
    [NOW + 2 * DAY_MS - 1, 1, false],
    [NOW + DAY_MS, 1, false],
    [NOW + 1, 0, false],
    [NOW, 0, false],
    [NOW - 1, -1, true],
    [NOW - DAY_MS, -1, true],
    [NOW - DAY_MS - 1, -2, true],
  ]
  for (const [expire_time, days, expired] of rows) {
    assert.equal(expireDay({ expire_time }, NOW), days, String(expire_time - NOW))
    assert.equal(isExpire({ expire_time }, NOW), expired, String(expire_time - NOW))
  }
})

type Flags = { status?: number; config?: number; open?: number; expired?: boolean }
const service = (name: string, { status = 0, config = 0, open = 0, expired = false }: Flags): ScreeningService => ({
  kyt_service: name,
  expire_time: expired ? NOW - 1 : NOW + DAY_MS,
  status,
  config_status: config,
  open_status: open,
})
const chosen = (...services: ScreeningService[]) => defaultService(services, NOW)?.kyt_service

test('of the services that have not expired, one that runs is used, else one that is configured, else one that was bought (spec 4.3)', () => {
  const bought = service('bought', { open: 1 })
  const configured = service('configured', { config: 1 })
  const running = service('running', { status: 1 })
  assert.equal(chosen(bought, configured, running), 'running')
  assert.equal(chosen(bought, configured), 'configured')
  assert.equal(chosen(bought), 'bought')
  assert.equal(chosen(service('a', { status: 1 }), service('b', { status: 1 })), 'a', 'the first of equals')
  assert.equal(chosen(service('off', { status: 2, config: 2, open: 2 }), bought), 'bought', 'only 1 counts')
  assert.equal(chosen(service('over', { status: 1, expired: true }), bought), 'bought', 'one that was only bought goes before an expired one that ran')
})

test('where none of them can serve, the same order is tried over all services (spec 4.4)', () => {
  const idle = service('idle', {})
  const ranOnce = service('ran once', { status: 1, expired: true })
  const wasConfigured = service('was configured', { config: 1, expired: true })
  const wasBought = service('was bought', { open: 1, expired: true })
  assert.equal(chosen(idle, wasBought, wasConfigured, ranOnce), 'ran once')
  assert.equal(chosen(idle, wasBought, wasConfigured), 'was configured')
  assert.equal(chosen(idle, wasBought), 'was bought')
  assert.equal(chosen(idle), undefined)
  assert.equal(chosen(), undefined)
})

test('an expired service is never used while one that has not expired could be', () => {
  const flag = fc.constantFrom(0, 1, 2)
  const any = fc.record({
    kyt_service: fc.string(),
    expire_time: fc.integer({ min: NOW - 5, max: NOW + 5 }),
    status: flag,
    config_status: flag,
    open_status: flag,
  })
  fc.assert(
    fc.property(fc.array(any), (services) => {
      const found = defaultService(services, NOW)
      const serves = (each: ScreeningService) => each.status === 1 || each.config_status === 1 || each.open_status === 1
      if (!found) return assert.equal(services.some(serves), false)
      if (isExpire(found, NOW))
        assert.equal(
          services.some((each) => serves(each) && !isExpire(each, NOW)),
          false,
        )
    }),
  )
})
