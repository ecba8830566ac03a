import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Condition, NamedRule } from '@holdfast/policy'
import { namedRule, NOWHERE, personOf } from '../../../../packages/policy/src/testing/named-rules.ts'
import { CHAIN, COIN, NOW_MS } from '../testing/organisation-of.ts'
import { OTHER_ADDRESS, RECIPIENT_ADDRESS } from '../testing/order-of.ts'
import { ann, attemptOf, ben, checkOf, cleo, type Hooks, key, ORDER_MAX, organisationWith, outsider } from '../testing/world-of.ts'
import { verifySignRequest } from './verify.ts'

/** Parameters are compared in calls: see `verify-call.test.ts`; what screeners say: `screening/verify-screening.test.ts`. */
type Kind = Exclude<Condition['kind'], 'parameters' | 'comparisons' | 'screening'>
/** The check that refuses, and what a server did. */
type Try = [check: string, given: Hooks]
/** Conditions of a kind that the order of the test fits, those that it does not, and what a server tries so that it seems to. */
type Tried = { fits: Condition[]; not: Condition[]; tries: Record<string, Try> }

const MINUTES = 24n * 60n
const today = BigInt(new Date(NOW_MS).getUTCDay())
const minute = BigInt(new Date(NOW_MS).getUTCHours() * 60 + new Date(NOW_MS).getUTCMinutes())
const places = (address: string) => ({ ...NOWHERE, addresses: [{ name: 'Supplier', chain: CHAIN, address, memo: null }] })
const wallet = (path: bigint[], keyId = key.keyId) => ({ name: 'Payroll', keyId, path })
const assets = (above: bigint, atMost: bigint | null, asset = ''): Condition => ({ kind: 'assets', assets: [{ chain: CHAIN, asset, above, atMost }] })
const cents = (aboveCents: bigint, atMostCents: bigint | null): Condition => ({ kind: 'value', aboveCents, atMostCents })
const hours = (days: bigint[], fromMinute: bigint, untilMinute: bigint): Condition => ({ kind: 'times', zone: 'UTC', days, fromMinute, untilMinute })

/** Ann asks to pay 0.000001 of the coin, worth a cent, from the first wallet to the recipient; Ben approves. */
const KINDS: Record<Kind, Tried> = {
  askers: {
    fits: [{ kind: 'askers', who: [personOf(ann.person), personOf(cleo.person)] }],
    not: [{ kind: 'askers', who: [personOf(cleo.person)] }],
    tries: {
      'writes another asker into an order that was approved': ['c5', { altered: () => ({ initiator: cleo.person.id }) }],
      'has somebody ask whom the policy does not know': ['c5', { proposed: () => ({ initiator: outsider.person.id }) }],
    },
  },
  assets: {
    fits: [assets(ORDER_MAX - 1n, ORDER_MAX), assets(0n, null), { kind: 'assets', assets: [{ chain: CHAIN, asset: null, above: 0n, atMost: null }] }],
    not: [assets(ORDER_MAX, null), assets(0n, ORDER_MAX - 1n)],
    tries: {
      'has the bytes pay one unit more than the rule lets through': ['c5', { transaction: ({ amount }) => ({ amount: amount + 1n }) }],
      'writes a smaller amount into an order that was approved': ['c5', { altered: ({ amount }) => ({ amount: amount - 1n }) }],
    },
  },
  destinations: {
    fits: [{ kind: 'destinations', ...places(RECIPIENT_ADDRESS) }],
    not: [
      { kind: 'destinations', ...places(OTHER_ADDRESS) },
      { kind: 'destinations', ...NOWHERE, own: true, addresses: [] },
      { kind: 'destinations', ...NOWHERE, listed: true, addresses: [] },
      { kind: 'destinations', ...NOWHERE, paidBefore: true, addresses: [] },
    ],
    tries: {
      'has the bytes pay somebody else': ['c7', { transaction: () => ({ to: OTHER_ADDRESS }) }],
      'writes another recipient into an order that was approved': ['c5', { altered: () => ({ to: OTHER_ADDRESS }) }],
    },
  },
  memo: {
    fits: [{ kind: 'memo', isPresent: false }],
    not: [{ kind: 'memo', isPresent: true }],
    tries: { 'writes a memo into an order that was approved': ['c5', { altered: () => ({ memo: '7' }) }] },
  },
  sources: {
    fits: [
      { kind: 'sources', wallets: [wallet([0n, 7n])] },
      { kind: 'sources', wallets: [wallet([])] },
    ],
    not: [
      { kind: 'sources', wallets: [wallet([1n])] },
      {
        kind: 'sources',
        wallets: [
          wallet(
            [],
            key.keyId.map((byte) => byte ^ 1),
          ),
        ],
      },
    ],
    tries: {
      'writes the path of another wallet into an order that was approved': ['c5', { altered: () => ({ path: [0n, 8n] }) }],
      'writes the path of another wallet into the order that people see': ['c7', { proposed: () => ({ path: [0n, 7n, 1n] }) }],
    },
  },
  times: {
    fits: [hours([today], 0n, MINUTES), hours([today], minute, minute + 1n)],
    not: [hours([(today + 1n) % 7n], 0n, MINUTES), hours([today], 0n, minute), hours([today], minute + 1n, MINUTES)],
    tries: {
      'keeps the request back until tomorrow': [
        'c5',
        { view: () => ({ nowMs: NOW_MS + 86_400_000 }), proposed: () => ({ expiresAtMs: BigInt(NOW_MS) + 90_000_000n }) },
      ],
    },
  },
  value: {
    fits: [cents(0n, 1n)],
    not: [cents(1n, null)],
    tries: {
      'has the bytes pay what is worth more than the rule lets through': ['c5', { transaction: ({ amount }) => ({ amount: amount * 1000n }) }],
      'waits until nobody says any more what the coin is worth': ['c5', { view: () => ({ nowMs: NOW_MS + 60_001 }) }],
    },
  },
}

const valuation = [{ chain: CHAIN, asset: '', microUsd: 10_000_000_000n, validUntilMs: BigInt(NOW_MS + 60_000) }]
const verdictOf = (rules: NamedRule[], hooks: Hooks = {}) => {
  const { request, view } = attemptOf({
    organisation: organisationWith({ rules, valuation }),
    order: { asset: COIN, amount: ORDER_MAX },
    approvers: [ben],
    ...hooks,
  })
  return checkOf(() => verifySignRequest(request, view))
}
const of = (condition: Condition, given: Parameters<typeof namedRule>[1] = {}) =>
  namedRule('rule', { conditions: [condition], steps: [{ need: 1n, who: [personOf(ben.person)] }], ...given })

describe('a condition of every kind, by a signer', () => {
  for (const [kind, { fits, not, tries }] of Object.entries(KINDS)) {
    it(`${kind}: lets through what it fits, and nothing that it does not`, () => {
      for (const each of fits) assert.equal(verdictOf([of(each)]), 'signed', JSON.stringify(each, plain))
      for (const each of not) assert.equal(verdictOf([of(each)]), 'c5', JSON.stringify(each, plain))
    })

    it(`${kind}: has a rule refuse what it fits, whatever a later one would let through`, () => {
      const later = namedRule('later', { steps: [{ need: 1n, who: [personOf(ben.person)] }] })
      const refuses = (each: Condition) => namedRule('refuses', { conditions: [each] })
      for (const each of fits) assert.equal(verdictOf([refuses(each), later]), 'c5', JSON.stringify(each, plain))
      assert.equal(verdictOf([later, refuses(fits[0]!)]), 'signed')
    })

    for (const [what, [check, hooks]] of Object.entries(tries))
      it(`${kind}: is not got round by a server that ${what}`, () => assert.equal(verdictOf([of(fits[0]!)], hooks), check))
  }
})

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
