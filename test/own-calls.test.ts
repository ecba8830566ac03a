import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpointsByFeature, nameOf } from './processes/testing/all-endpoints.ts'
import { joinOwnCalls, ownCallsByFeature } from './processes/testing/own-calls.ts'

// What tries every call of the product is fed by the features: each has, in `testing/own-calls.ts` of its folder, a call for every endpoint that it declares.

const listed = (names: Record<string, string[]>) =>
  Object.entries(names)
    .flatMap(([feature, all]) => all.map((name) => `features/${feature}: ${name}`))
    .sort()

test('each feature has an own call for every endpoint of its contract, and for no other', async () => {
  const declared = Object.entries(await endpointsByFeature()).map(([feature, endpoints]) => [feature, endpoints.map(nameOf)])
  const given = Object.entries(await ownCallsByFeature()).map(([feature, calls]) => [feature, Object.keys(calls)])
  const wanted = listed(Object.fromEntries(declared))
  assert.ok(wanted.length > 300, `${wanted.length} endpoints`)
  assert.deepEqual(listed(Object.fromEntries(given)), wanted)
})

test('no two features name the same call', () => {
  const name = 'GET /api/mpc/notice/list'
  const [one, other] = [{ [name]: () => ({ id: 'one' }) }, { 'GET /api/mpc/notice/info': () => ({}), [name]: () => ({ id: 'other' }) }]
  assert.deepEqual(Object.keys(joinOwnCalls({ notice: one })), [name])
  assert.throws(() => joinOwnCalls({ notice: one, inbox: other }), {
    message: `${name} is among the own calls of notice and of inbox: leave it to the one whose contract declares it`,
  })
})
