import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode, equalBytes } from '@holdfast/encoding'
import fc from 'fast-check'
import { changesParts, PARTS, partsTouched, type Policy, policyShape, quorumsOfChange, type ThirdForm, type Touched } from '../index.ts'
import { approveBy, groupOf, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { ETH, member } from '../testing/sample-organisation.ts'

const people = [0, 1, 2, 3, 4].map(member)
const [ann, ben, cleo, dora, emil] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0]]
const TOKEN = { chain: ETH.chain, contract: `0x${'ab'.repeat(20)}`, symbol: 'USDC', decimals: 6n }
const governance = { approvers: [ann.id, ben.id], threshold: 2n }
const base = thirdForm(people, {
  governance,
  assets: [ETH, TOKEN],
  groups: [
    { id: 'treasury', name: 'Treasury', members: [cleo.id, dora.id] },
    { id: 'risk', name: 'Risk', members: [ben.id, dora.id] },
  ],
  rules: [
    namedRule('small', { steps: [{ need: 1n, who: [groupOf('treasury')] }] }),
    namedRule('rest', { level: 'basic', action: approveBy([{ need: 2n, who: [personOf(ben), personOf(cleo), personOf(dora)] }], { delayMs: 5n }) }),
  ],
  machines: [{ id: 'm', name: 'Desk', kind: 'api', publicKey: new Uint8Array(32).fill(1), purpose: 'desk', expiresAtMs: 9n }],
  valuation: [{ chain: ETH.chain, asset: '', microUsd: 5n, validUntilMs: 9n }],
  parts: [
    { part: 'strategies', need: 1n, who: [groupOf('risk')] },
    { part: 'members', need: 1n, who: [personOf(cleo)] },
  ],
  looseningDelayMs: 1000n,
})

/** Every place of a value where something stands, with a function that gives the whole with something else there. */
function placesIn(value: unknown, path: string[] = []): { path: string[]; put(other: unknown): unknown; was: unknown }[] {
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return [{ path, put: (other) => other, was: value }]
  const entries = Object.entries(value)
  const inside = entries.flatMap(([name, each]) =>
    placesIn(each, [...path, name]).map((place) => ({
      ...place,
      put: (other: unknown) => (Array.isArray(value) ? value.with(Number(name), place.put(other)) : { ...value, [name]: place.put(other) }),
    })),
  )
  const shorter = Array.isArray(value) && value.length > 0 ? [{ path: [...path, 'length'], put: () => value.slice(1), was: value }] : []
  return [...inside, ...shorter]
}

const otherThan = (was: unknown): unknown => {
  if (typeof was === 'bigint') return was + 1n
  if (typeof was === 'boolean') return !was
  if (typeof was === 'string') return `${was}x`
  if (was instanceof Uint8Array) return was.map((byte, i) => (i === 0 ? byte ^ 1 : byte))
  return 'other'
}

const FREE = ['genesis', 'version', 'previous', 'issuedAtMs']

test('every single difference between two versions touches something, but for what every version says anew', () => {
  const places = placesIn(base).filter(({ path }) => path.at(-1) !== 'kind')
  assert.ok(places.length > 80, String(places.length))
  const isEncoded = (policy: unknown) => {
    try {
      return !equalBytes(encode(policyShape, policy as ThirdForm), encode(policyShape, base))
    } catch {
      return false
    }
  }
  let seen = 0
  for (const { path, put, was } of places) {
    const next = put(otherThan(was)) as ThirdForm
    if (!isEncoded(next)) continue
    seen++
    assert.equal(partsTouched(base, next).length > 0, !FREE.includes(path[0]!), path.join('.'))
  }
  assert.ok(seen > 60, String(seen))
})

const touches = (changes: Partial<ThirdForm>): Touched[] => partsTouched(base, { ...base, ...changes } as Policy)
const withKeys = (id: Uint8Array) =>
  base.people.map((person) => (equalBytes(person.id, id) ? { ...person, credentials: [...person.credentials, member(9).credential] } : person))

test('each part is what it is, and what binds those who decide over the policy is for those who govern', () => {
  const cases: [Partial<ThirdForm>, Touched[]][] = [
    [{}, []],
    [{ people: withKeys(emil.id) }, ['members']],
    [{ people: withKeys(ann.id) }, ['governance', 'members']],
    [{ people: withKeys(dora.id) }, ['governance', 'members']],
    [{ people: withKeys(cleo.id) }, ['governance', 'members']],
    [{ rules: base.rules.slice(1) }, ['strategies']],
    [{ groups: base.groups.map((each) => (each.id === 'treasury' ? { ...each, members: [dora.id] } : each)) }, ['strategies']],
    [{ groups: base.groups.map((each) => (each.id === 'risk' ? { ...each, members: [dora.id] } : each)) }, ['governance', 'strategies']],
    [{ assets: [ETH] }, ['assets']],
    [{ machines: [] }, ['machines']],
    [{ valuation: [] }, ['valuation']],
    [{ parts: [] }, ['governance']],
    [{ looseningDelayMs: 0n }, ['governance']],
    [{ governance: { ...governance, threshold: 1n } }, ['governance']],
    [{ expiresAtMs: base.expiresAtMs + 5n, issuedAtMs: base.issuedAtMs + 5n }, []],
    [{ expiresAtMs: base.expiresAtMs + 5n }, ['governance']],
    [{ expiresAtMs: base.expiresAtMs - 1n }, ['governance']],
  ]
  for (const [changes, parts] of cases) assert.deepEqual(touches(changes), parts, JSON.stringify(Object.keys(changes)))
})

test('how long addresses of the whitelist wait is for those who govern, whoever decides over the whitelist', () => {
  const withCooling = (listingCoolingMs: bigint) => ({ ...base, kind: 'namedCooling', listingCoolingMs }) as Policy
  assert.deepEqual(partsTouched(base, withCooling(1n)), ['governance'])
  assert.deepEqual(partsTouched(withCooling(1n), withCooling(2n)), ['governance'])
  assert.deepEqual(partsTouched(withCooling(1n), withCooling(1n)), [])
  assert.ok(changesParts(withCooling(1n), withCooling(2n)))
})

test('the quorum of every part that a change touches is needed, and that of those who govern where no part claims it', () => {
  const fields: Partial<ThirdForm>[] = [
    { rules: base.rules.toSpliced(0, 0, namedRule('never')) },
    { people: withKeys(emil.id) },
    { assets: [ETH] },
    { machines: [] },
    { valuation: [] },
    { looseningDelayMs: 5n },
  ]
  fc.assert(
    fc.property(fc.subarray(fields), fc.constantFrom(...people), (changes, initiator) => {
      const next = { ...base, ...Object.assign({}, ...changes) } as ThirdForm
      const quorums = quorumsOfChange(base, next, initiator.id)
      const claimed = partsTouched(base, next).filter((part) => base.parts.some((each) => each.part === part))
      const isForGovernors = claimed.length < partsTouched(base, next).length || claimed.length === 0
      const names = quorums.map(({ of }) => of)
      for (const part of PARTS) assert.equal(names.includes(part), claimed.includes(part))
      assert.equal(names.includes('current'), isForGovernors)
      for (const { steps } of quorums) assert.ok(steps.every(({ eligible }) => !eligible.some((id) => equalBytes(id, initiator.id))))
    }),
  )
})
