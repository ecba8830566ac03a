import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOf, intentHash } from '@holdfast/intent'
import { toHex } from '@holdfast/encoding'
import { rulesOf } from '@holdfast/policy'
import { at } from '@holdfast/units'
import fc from 'fast-check'
import { NOW_MS } from '../../../signer/src/testing/organisation-of.ts'
import { Register } from '../state/register.ts'
import { CHAIN, ETHER, limitsOf, organisationWith, orderOf, STRANGER, SUPPLIER } from '../testing/world.ts'
import { checkLimits } from './check-limits.ts'
import { type Limits, limitsSchema } from './read-limits.ts'

const organisation = organisationWith(new Uint8Array(32).fill(4))
const rule = at([...rulesOf(organisation.policy)], 0)

function verdictOf(limits: Partial<Limits>, changes: Parameters<typeof orderOf>[2] = {}, nowMs = NOW_MS, register = new Register()) {
  const intent = orderOf(organisation, 1, changes)
  return checkLimits(limitsOf(limits), { hash: toHex(intentHash(intent)), intent, act: actOf(intent), rule }, organisation.policy, { register, nowMs })
}

test('what the file does not name is refused', () => {
  assert.equal(verdictOf({}).kind, 'within')
  assert.equal(verdictOf({ networks: [] }).kind, 'refused')
  assert.equal(verdictOf({ assets: [] }).kind, 'refused')
  assert.equal(verdictOf({ assets: [{ network: CHAIN, contract: SUPPLIER, perOrder: '5', perDay: '8' }] }).kind, 'refused')
  assert.equal(verdictOf({ destinations: { allow: [], deny: [] } }).kind, 'refused')
  assert.equal(verdictOf({ destinations: { allow: [{ network: CHAIN, address: SUPPLIER }], deny: [] } }).kind, 'within')
  assert.equal(verdictOf({ destinations: { allow: [{ network: 'eip155:1', address: SUPPLIER }], deny: [] } }).kind, 'refused', 'on another network')
  assert.equal(verdictOf({ destinations: { allow: [{ network: CHAIN, address: SUPPLIER }], deny: [{ network: CHAIN, address: SUPPLIER }] } }).kind, 'refused')
  assert.equal(verdictOf({ destinations: { allow: [{ network: CHAIN, address: SUPPLIER }], deny: [] } }, { to: STRANGER }).kind, 'refused')
  assert.equal(
    verdictOf({ assets: [{ network: CHAIN, contract: null, perOrder: '0.0000000000000000001', perDay: '8' }] }).kind,
    'refused',
    'more decimals than there are',
  )
})

test('an order is within the limits exactly where it and the last 24 hours are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ amount: fc.bigInt(0n, 6n * ETHER), agoMs: fc.nat(2 * 86_400_000), decision: fc.constantFrom('approve', 'reject') }), {
        maxLength: 12,
      }),
      fc.bigInt(0n, 6n * ETHER),
      (history, amount) => {
        const register = new Register()
        for (const [i, each] of history.entries()) {
          const intentHash = new Uint8Array(32).fill(i + 1)
          const counted = [{ chain: CHAIN, contract: null, amount: each.amount }]
          register.apply({ kind: 'reserved', intentHash, orderId: new Uint8Array(16).fill(i + 1), expiresAtMs: 0n, counted }, NOW_MS - each.agoMs)
          register.apply({ kind: 'decided', intentHash, decision: each.decision, reason: '', spoken: new Uint8Array(0) }, NOW_MS - each.agoMs)
        }
        const used = history.filter(({ agoMs, decision }) => agoMs <= 86_400_000 && decision === 'approve').reduce((sum, each) => sum + each.amount, 0n)
        const isWithin = amount <= 5n * ETHER && used + amount <= 8n * ETHER
        assert.equal(verdictOf({}, { amount }, NOW_MS, register).kind, isWithin ? 'within' : 'refused')
      },
    ),
  )
})

test('outside of its hours an order waits, by the clock of the zone that the file names', () => {
  const hours = { zone: 'Europe/Berlin', windows: [{ days: ['mon' as const], from: '08:00', until: '18:00' }] }
  const monday = Date.UTC(2025, 5, 16)
  const open = { notBeforeMs: 0n }
  const at = (hour: number) => verdictOf({ hours }, open, monday + hour * 3_600_000).kind
  assert.deepEqual([5.9, 6, 12, 15.9, 16, 30].map(at), ['later', 'within', 'within', 'within', 'later', 'later'])
})

test('a file that says something twice, or what there is not, is none', () => {
  const good = { networks: [CHAIN], assets: [], destinations: { allow: 'any' } }
  assert.ok(limitsSchema.safeParse(good).success)
  const asset = { network: CHAIN, contract: null, perOrder: '1', perDay: '1' }
  for (const bad of [
    {},
    { ...good, everything: true },
    { ...good, assets: [asset, asset] },
    { ...good, assets: [{ ...asset, perOrder: '-1' }] },
    { ...good, assets: [{ ...asset, perOrder: 1 }] },
    { ...good, assets: [{ ...asset, perDay: '1e18' }] },
    { ...good, destinations: { allow: 'all' } },
    { ...good, hours: { zone: 'Mars/Olympus', windows: [{ days: ['mon'], from: '08:00', until: '09:00' }] } },
    { ...good, hours: { zone: 'UTC', windows: [{ days: ['mon'], from: '18:00', until: '08:00' }] } },
  ])
    assert.equal(limitsSchema.safeParse(bad).success, false, JSON.stringify(bad))
})
