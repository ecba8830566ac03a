import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CALLED_BACK_SIDES, KEY_PERMISSIONS, keySettings, type KeySettings } from '../settings-contract.ts'
import { isWider } from './settings.ts'

const some = <T>(values: readonly T[]) => fc.subarray([...values])
const settings: fc.Arbitrary<KeySettings> = fc.record({
  permissions: some(KEY_PERMISSIONS.slice(0, 4)),
  wallets: fc.option(some(['a', 'b', 'c'])),
  addresses: some(['203.0.113.7', '198.51.100.0/24', '2001:db8::1']),
  per_minute: fc.integer({ min: 1, max: 9 }),
  is_on: fc.boolean(),
  door_two: fc.option(
    fc.record({
      request_key: fc.constantFrom('one', 'two'),
      sign_key: fc.constant(null),
      callback: fc.option(
        fc.record({ url: fc.constantFrom('https://a.example', 'https://b.example'), sides: fc.subarray([...CALLED_BACK_SIDES], { minLength: 1 }) }),
      ),
    }),
  ),
})

/** What a key can do by its settings, one by one. */
function abilities(of: KeySettings): Set<string> {
  if (!of.is_on) return new Set()
  const wallets = of.wallets ?? ['a', 'b', 'c', 'one of tomorrow']
  const rates = Array.from({ length: of.per_minute }, (_, i) => i)
  const { request_key: door, callback } = of.door_two ?? {}
  return new Set([
    ...(door === undefined ? [] : [door]),
    ...(callback?.sides ?? []).map((side) => `${callback?.url} ${side}`),
    ...of.permissions.flatMap((permission) =>
      wallets.flatMap((wallet) => of.addresses.flatMap((address) => rates.map((rate) => `${permission} ${wallet} ${address} ${rate}`))),
    ),
  ])
}

test('settings that give a key anything that it had not are wider, whatever they take away', () => {
  fc.assert(
    fc.property(fc.option(settings, { nil: undefined }), settings, (from, to) => {
      const before = from ? abilities(from) : new Set<string>()
      const gains = [...abilities(to)].some((each) => !before.has(each))
      if (gains) assert.ok(isWider(from, to))
    }),
    { numRuns: 400 },
  )
})

test('settings are no wider than themselves, nor with anything less', () => {
  fc.assert(
    fc.property(settings, (of) => {
      if (of.is_on) assert.equal(isWider(of, of), false)
      assert.equal(isWider(of, { ...of, is_on: false }), false)
      if (of.is_on) assert.equal(isWider(of, { ...of, permissions: [], addresses: of.addresses.slice(1), wallets: [] }), false)
    }),
  )
})

test('another address for callbacks, or more that is told there, is wider by itself; less is not', () => {
  const calledBack = settings.filter(({ is_on: isOn, door_two: door }) => isOn && door !== null)
  fc.assert(
    fc.property(calledBack, (of) => {
      const withCallback = (url: string, sides: readonly (typeof CALLED_BACK_SIDES)[number][]): KeySettings => ({
        ...of,
        door_two: of.door_two && { ...of.door_two, callback: { url, sides: [...sides] } },
      })
      const [first, ...others] = CALLED_BACK_SIDES
      const from = withCallback('https://a.example', [first])
      assert.equal(isWider(from, withCallback('https://b.example', [first])), true)
      assert.equal(isWider(from, withCallback('https://a.example', [first, ...others])), true)
      assert.equal(isWider(withCallback('https://a.example', CALLED_BACK_SIDES), from), false)
    }),
  )
})

test('addresses are IPv4, IPv6 and ranges, and never a range of all', () => {
  const isAddress = (text: string) => keySettings.shape.addresses.safeParse([text]).success
  for (const text of ['203.0.113.7', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32']) assert.ok(isAddress(text), text)
  for (const text of ['', 'none', '0.0.0.0/0', '::/0', '203.0.113.7/33', '203.0.113.256', 'example.com', '203.0.113.7,203.0.113.8', '::/00'])
    assert.ok(!isAddress(text), text)
})
