import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { sampleRule } from './testing/sample-rule.ts'
import {
  approversIn,
  changeCount,
  differences,
  dropRule,
  duplicateRule,
  freeName,
  isNamed,
  moveRule,
  placeRule,
  type NamedDraft,
  putRule,
  rulesOn,
  rulesWithGroup,
  shelfOf,
} from './rules-draft.ts'

const ABOUT_KEPT = (id: string) => (id === 'old calls' ? ('calls' as const) : ('payments' as const))
const draftOf = (...rules: RulesDraft['rules']): RulesDraft => ({ base_version: 3, groups: [], rules, add_keys: [] })
const idsOf = ({ rules }: RulesDraft) => rules.map(({ id }) => id)
const kept = (id: string): RulesDraft['rules'][number] => ({ kind: 'kept', id })

const levels = fc.constantFrom('higher' as const, 'basic' as const)
const covers = fc.constantFrom('payments' as const, 'stake' as const)
const drafts = fc.array(fc.tuple(levels, covers), { minLength: 1, maxLength: 8 }).map((kinds) =>
  draftOf(
    ...kinds.map(([level, about], at) => ({
      ...sampleRule({ id: `r${at}`, name: `Rule ${at}`, level }),
      covers:
        about === 'payments'
          ? { kind: about }
          : { kind: about, chain: 'tron:1', actions: ['stake' as const], receivers: null, max_amount: '1', max_lock_blocks: 0 },
    })),
  ),
)

test('a rule moves among those of its own level and kind, and no other rule changes its place', () => {
  fc.assert(
    fc.property(drafts, fc.nat(7), fc.constantFrom(-1 as const, 1 as const), (draft, at, step) => {
      const moved = draft.rules[at % draft.rules.length]!
      const shelf = shelfOf(moved, ABOUT_KEPT)
      const after = moveRule(draft, moved.id, step, ABOUT_KEPT)
      const others = (each: RulesDraft) =>
        each.rules.map((rule, no) => [rule.id, no]).filter(([id]) => !rulesOn(draft, shelf, ABOUT_KEPT).some((rule) => rule.id === id))
      assert.deepEqual(others(after), others(draft))
      const [before, now] = [rulesOn(draft, shelf, ABOUT_KEPT), rulesOn(after, shelf, ABOUT_KEPT)].map((rules) => rules.indexOf(moved))
      assert.equal(now, Math.max(0, Math.min(rulesOn(draft, shelf, ABOUT_KEPT).length - 1, before! + step)))
      assert.deepEqual(
        moveRule(after, moved.id, step === 1 ? -1 : 1, ABOUT_KEPT),
        now === before ? moveRule(draft, moved.id, step === 1 ? -1 : 1, ABOUT_KEPT) : draft,
      )
    }),
  )
})

test('a rule that is put at a place stands there among those of its level and kind, and the others keep their order', () => {
  fc.assert(
    fc.property(drafts, fc.nat(7), fc.nat(9), (draft, no, at) => {
      const moved = draft.rules[no % draft.rules.length]!
      const shelf = shelfOf(moved, ABOUT_KEPT)
      const after = placeRule(draft, moved.id, at, ABOUT_KEPT)
      const [before, now] = [rulesOn(draft, shelf, ABOUT_KEPT), rulesOn(after, shelf, ABOUT_KEPT)]
      assert.equal(now.indexOf(moved), Math.min(before.length - 1, at))
      const without = (rules: RulesDraft['rules']) => rules.filter((each) => each !== moved)
      assert.deepEqual(without(now), without(before))
      assert.deepEqual(
        after.rules.filter((each) => !now.includes(each)),
        draft.rules.filter((each) => !before.includes(each)),
      )
    }),
  )
})

test('a new rule is asked before those of the first forms, behind which nothing is asked', () => {
  const draft = draftOf(sampleRule({ id: 'a' }), kept('old calls'), kept('old payments'))
  assert.deepEqual(idsOf(putRule(draft, sampleRule({ id: 'new' }), ABOUT_KEPT)), ['a', 'old calls', 'new', 'old payments'])
  assert.deepEqual(idsOf(putRule(draft, sampleRule({ id: 'a', name: 'Other' }), ABOUT_KEPT)), idsOf(draft))
})

test('a copy stands behind its rule, under a name that no other rule has', () => {
  const long = 'A name that has thirty letters'
  const draft = draftOf(sampleRule({ id: 'a', name: long }), sampleRule({ id: 'b', name: 'B' }))
  const twice = duplicateRule(duplicateRule(draft, 'a', 'c'), 'a', 'd')
  assert.deepEqual(idsOf(twice), ['a', 'd', 'c', 'b'])
  const names = twice.rules.filter(isNamed).map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.ok([...name].length <= 30, name)
  assert.equal(freeName(draft, 'B'), 'B 2')
})

test('what differs is counted once: new, changed, moved and gone rules, and groups', () => {
  const base = draftOf(sampleRule({ id: 'a' }), sampleRule({ id: 'b' }), sampleRule({ id: 'c' }), sampleRule({ id: 'd' }))
  assert.equal(changeCount(base, base, ABOUT_KEPT), 0)
  const lastFirst = moveRule(moveRule(moveRule(base, 'd', -1, ABOUT_KEPT), 'd', -1, ABOUT_KEPT), 'd', -1, ABOUT_KEPT)
  assert.deepEqual([...differences(base, lastFirst, ABOUT_KEPT)], [['d', 'moved']])
  const changed = { ...dropRule(lastFirst, 'a'), groups: [{ id: 'g', name: 'Desk', members: ['p'] }] }
  assert.equal(changeCount(base, putRule(changed, { ...sampleRule({ id: 'b' }), name: 'Other' }, ABOUT_KEPT), ABOUT_KEPT), 4)
})

test('a group is in use wherever a rule names it, and whoever is in it approves', () => {
  const step = (id: string): NamedDraft['action'] => ({
    kind: 'approve',
    steps: [{ need: 1, who: [{ kind: 'group', id }] }],
    may_stop: [],
    delay_s: 0,
    expire_s: 0,
  })
  const asked: NamedDraft['conditions'] = [{ kind: 'askers', who: [{ kind: 'group', id: 'g' }] }]
  const draft = {
    ...draftOf(
      sampleRule({ id: 'a', name: 'A', action: step('g') }),
      sampleRule({ id: 'b', name: 'B', conditions: asked }),
      sampleRule({ id: 'c', name: 'C' }),
    ),
    groups: [{ id: 'g', name: 'Desk', members: ['p', 'q'] }],
  }
  assert.deepEqual(rulesWithGroup(draft, 'g'), ['A', 'B'])
  assert.deepEqual([...approversIn(draft)], ['p', 'q'])
})
