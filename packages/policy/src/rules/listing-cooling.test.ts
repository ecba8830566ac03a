import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from '@holdfast/encoding'
import fc from 'fast-check'
import {
  checkPolicy,
  describeChange,
  describePolicy,
  inThirdForm,
  LISTING_COOLING_MAX_MS,
  LISTING_COOLING_MS,
  listingCoolingMs,
  policyShape,
  PolicyRefused,
  withListingCooling,
} from '../index.ts'
import { thirdForm } from '../testing/named-rules.ts'
import { member, samplePolicy } from '../testing/sample-organisation.ts'

const HOUR_MS = 3_600_000
const people = [member(1), member(2), member(3)]
const former = thirdForm(people, {})
const hours = (count: number) => withListingCooling(former, count * HOUR_MS)

test('addresses of the whitelist wait for a day by every form that does not say it', () => {
  for (const policy of [samplePolicy(people, 2), inThirdForm(samplePolicy(people, 2)), former]) assert.equal(listingCoolingMs(policy), LISTING_COOLING_MS)
  assert.equal(withListingCooling(former, LISTING_COOLING_MS), former, 'that keeps its bytes')
})

test('a policy says by its bytes how long they wait, and what it says is what it means, up to three days', () => {
  fc.assert(
    fc.property(fc.nat(2 * LISTING_COOLING_MAX_MS), (coolingMs) => {
      const policy = decode(policyShape, encode(policyShape, withListingCooling(former, coolingMs)))
      assert.equal(listingCoolingMs(policy), coolingMs)
      assert.equal(listingCoolingMs(inThirdForm(policy)), coolingMs, 'also as what the next version begins from')
      if (coolingMs <= LISTING_COOLING_MAX_MS) checkPolicy(policy)
      else assert.throws(() => checkPolicy(policy), PolicyRefused)
    }),
  )
})

test('what waits longer or shorter is said in words in both languages, before and after, and never where it stays', () => {
  const told = (before: number, after: number, locale: 'en-US' | 'zh-CN') => describeChange(hours(before), { ...hours(after), version: 2n }, locale, [])
  assert.deepEqual(told(48, 0, 'en-US'), ['An address that is put on the whitelist counts at each signer at once from now on; before, after 48 hours.'])
  assert.deepEqual(told(24, 72, 'zh-CN'), ['今后加入白名单的地址在各签名方等待 72 小时后生效；此前为 24 小时后生效。'])
  fc.assert(
    fc.property(fc.nat(72), fc.nat(72), fc.constantFrom('en-US' as const, 'zh-CN' as const), (before, after, locale) => {
      assert.equal(told(before, after, locale).length, before === after ? 0 : 1)
      assert.equal(describePolicy(hours(after), locale).length, describePolicy(former, locale).length + (after === 24 ? 0 : 1))
    }),
  )
})
