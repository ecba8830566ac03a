import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOfOwn, presentDraft, type Workspace, withPart } from './workspace.ts'

const person = (id: string) => ({ kind: 'person' as const, id })
const part = (key: Workspace['parts'][number]['key'], who: Workspace['parts'][number]['who'] = []) => ({
  key,
  is_own: who.length > 0,
  need: 1,
  who,
  approvers: [],
  since_version: 1,
  since: 0,
  last_change: null,
})
const workspace: Workspace = {
  base_version: 4,
  delay_h: 0,
  cooling_h: 24,
  deputies: [],
  governance: { need: 2, approvers: [] },
  parts: [part('members'), part('assets', [person('a')]), part('keys', [{ kind: 'group', id: 'g' }])],
  people: [],
  groups: [{ id: 'g', name: 'Desk', members: ['a', 'b'] }],
  open_change_id: null,
  touched: [],
}

test('a draft says again what is in force of parts that have approvers, and the shortest wait where there is none', () => {
  assert.deepEqual(presentDraft(workspace), {
    base_version: 4,
    delay_h: 1,
    parts: [
      { key: 'assets', need: 1, who: [person('a')] },
      { key: 'keys', need: 1, who: [{ kind: 'group', id: 'g' }] },
    ],
  })
})

test('one part gets other approvers, or goes back to those who govern, and the others stay', () => {
  const draft = presentDraft(workspace)
  assert.deepEqual(
    withPart(draft, 'assets', { need: 2, who: [person('a'), person('b')] }).parts.map(({ key, need }) => [key, need]),
    [
      ['keys', 1],
      ['assets', 2],
    ],
  )
  assert.deepEqual(
    withPart(draft, 'assets', undefined).parts.map(({ key }) => key),
    ['keys'],
  )
})

test('approvers of a part are people, each counted once, and enough of them', () => {
  const group = { kind: 'group' as const, id: 'g' }
  assert.equal(faultOfOwn({ need: 1, who: [] }, workspace), 'nobody')
  assert.equal(faultOfOwn({ need: 0, who: [group] }, workspace), 'none')
  assert.equal(faultOfOwn({ need: 3, who: [group, person('a')] }, workspace), 'many')
  assert.equal(faultOfOwn({ need: 3, who: [group, person('c')] }, workspace), undefined)
})
