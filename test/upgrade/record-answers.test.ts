import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { asEveryReleaseSays, commonOf, missingOf } from './record-answers.ts'

const answer = fc.jsonValue({ maxDepth: 4 })
const kept = (value: unknown) => JSON.parse(JSON.stringify({ value })) as { value?: unknown }

describe('what a release answered', () => {
  it('is found whole in every answer that it is common to', () => {
    fc.assert(
      fc.property(answer, answer, (one, two) => {
        const { value } = kept(commonOf(one, two))
        assert.deepEqual([missingOf(value, one), missingOf(value, two)], [[], []])
      }),
    )
  })

  it('may have fields and entries added', () => {
    const earlier = { list: [{ id: 1 }, { id: 2 }], total: 2 }
    assert.deepEqual(missingOf(earlier, { list: [{ id: 0 }, { id: 1, note: '' }, { id: 2 }], total: 2, next: null }), [])
  })

  it('is missed by its place where it is gone, says something else, or comes in another order', () => {
    const earlier = {
      list: [
        { id: 1, state: 'open' },
        { id: 2, state: 'done' },
      ],
    }
    assert.deepEqual(
      missingOf(
        earlier,
        {
          list: [
            { id: 1, state: 'done' },
            { id: 2, state: 'done' },
          ],
        },
        'todo',
      ),
      ['todo.list[0].state is "done" and was "open"'],
    )
    assert.deepEqual(missingOf(earlier, { list: [{ id: 1, state: 'open' }] }, 'todo'), ['todo.list[1] is undefined and was an object'])
    assert.deepEqual(missingOf(earlier, {}, 'todo'), ['todo.list is no list any more'])
    assert.notDeepEqual(missingOf(earlier, { list: earlier.list.toReversed() }), [])
    assert.deepEqual(missingOf({ note: null }, {}), ['.note is undefined and was null'])
  })
})

it('is compared without the order of what people decide, and without the empty fields of a payment that an earlier release gave to what is none', () => {
  const path = '/api/mpc/user/action/items/list'
  const earlier = {
    list: [
      { item_id: 'b', kind: 'key_change', amount: '0', symbol: '' },
      { item_id: 'a', kind: 'transfer', remark: '' },
    ],
  }
  const today = {
    list: [
      { item_id: 'a', kind: 'transfer', remark: '' },
      { item_id: 'b', kind: 'key_change' },
    ],
  }
  assert.deepEqual(asEveryReleaseSays(path, earlier), today)
  assert.deepEqual(asEveryReleaseSays('/api/other', earlier), earlier)
})

it('is compared without the wallet before the name of a sub-wallet, and without what the wallet of a key is called', () => {
  const [earlier, today] = ['Main', 'Treasury / Main'].map((to_label) => ({ list: [{ to_label, note: 'a / b' }] }))
  assert.deepEqual(asEveryReleaseSays('/api/other', today), earlier)
  assert.deepEqual(asEveryReleaseSays('/api/mpc/key/list', { list: [{ wallet_name: 'Treasury', epoch: '0' }] }), { list: [{ epoch: '0' }] })
})

it('is compared without the words for who approves policy changes, but with the names of rules', () => {
  const of = (governance: string) => ({
    strategies_detail: [
      { id: 'standard', name: 'Standard' },
      { id: 'governance', name: governance },
    ],
  })
  assert.deepEqual(asEveryReleaseSays('/api/other', of('Changes of the policy')), asEveryReleaseSays('/api/other', of('Policy changes')))
  assert.deepEqual(missingOf(asEveryReleaseSays('', { id: 'standard', name: 'Standard' }), { id: 'standard', name: 'Other' }, 'rule'), [
    'rule.name is "Other" and was "Standard"',
  ])
})
