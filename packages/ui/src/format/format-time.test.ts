import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDay, formatTime, isoTime, relativeTime } from './format-time.ts'

const NOON = Date.UTC(2025, 10, 20, 12, 3, 22)

test("a moment is written in the reader's language and time zone", () => {
  assert.equal(formatTime(NOON, 'en-US', 'UTC'), '20 Nov 2025, 12:03:22')
  assert.equal(formatTime(NOON, 'zh-CN', 'Asia/Shanghai'), '2025年11月20日 20:03:22')
  assert.equal(formatDay(NOON, 'en-US', 'UTC'), '20 Nov 2025')
  assert.equal(formatDay(NOON, 'zh-CN', 'UTC'), '2025年11月20日')
  assert.equal(isoTime(NOON), '2025-11-20T12:03:22.000Z')
})

test('however many moments are written, a formatter is made once', (context) => {
  const dates = context.mock.method(Intl, 'DateTimeFormat')
  const distances = context.mock.method(Intl, 'RelativeTimeFormat')
  for (let at = 0; at < 50; at++) {
    formatTime(NOON + at, 'en-US', 'Asia/Tokyo')
    relativeTime(NOON + at * 1000, NOON, 'zh-CN')
  }
  assert.ok(dates.mock.callCount() <= 1 && distances.mock.callCount() <= 1)
})

test('a distance in time is told in its largest unit, and a limit of seven days as seven days when it begins', () => {
  assert.equal(relativeTime(NOON + 7 * 86_400_000 - 5, NOON, 'en-US'), 'in 7 days')
  assert.equal(relativeTime(NOON + 7 * 86_400_000 - 5, NOON, 'zh-CN'), '7天后')
  assert.equal(relativeTime(NOON + 6 * 86_400_000 + 5, NOON, 'en-US'), 'in 6 days')
  assert.equal(relativeTime(NOON - 150_000, NOON, 'en-US'), '2 minutes ago')
  assert.equal(relativeTime(NOON + 3_600_000, NOON, 'zh-CN'), '1小时后')
  assert.equal(relativeTime(NOON, NOON, 'en-US'), 'now')
})
