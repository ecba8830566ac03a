import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newlyBroken, withoutPeople } from '@holdfast/features/policy/server'
import { member, samplePolicy } from '../../../packages/policy/src/testing/sample-organisation.ts'
import { withDeputies } from '@holdfast/policy'
import { approveBy, namedRule, personOf, thirdForm } from '../../../packages/policy/src/testing/named-rules.ts'
import { absenceGaps, brokenTogether, gapsBy } from './absence-gaps.ts'

const people = [0, 1, 2].map((number) => member(number))
const ids = people.map(({ id }) => id)
const everybody = { active: ids, mayPropose: ids }
const policy = samplePolicy(people, 2)
const absence = (who: number, fromMs: number, toMs: number) => ({ person: ids[who]!, fromMs, toMs })
const around = (...absences: ReturnType<typeof absence>[]) => ({ available: everybody, absences, standIns: [] })

test('of two of three nobody completes anything while one who is needed is away, and it is said until when', () => {
  const gaps = absenceGaps(policy, around(absence(2, 10, 50)), 0)
  assert.deepEqual(
    gaps.map(({ broken, fromMs, toMs }) => [broken.where, fromMs, toMs]),
    [
      ['rule', 10, 50],
      ['governance', 10, 50],
    ],
  )
})

test('absences that follow each other are one gap, and what is past is none', () => {
  const gaps = absenceGaps(policy, around(absence(2, 10, 50), absence(1, 50, 80), absence(0, 0, 5)), 20)
  assert.deepEqual(
    gaps.map(({ fromMs, toMs }) => [fromMs, toMs]),
    [
      [20, 80],
      [20, 80],
    ],
  )
  assert.deepEqual(absenceGaps(samplePolicy(people, 1), around(absence(2, 10, 50)), 0), [])
})

test('at every moment there is a gap exactly where the people who are there cannot complete it', () => {
  const absences = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 9 })), { maxLength: 4 })
  fc.assert(
    fc.property(absences, fc.integer({ min: 1, max: 2 }), fc.integer({ min: 0, max: 20 }), (given, need, atMs) => {
      const asked = samplePolicy(people, need)
      const said = given.map(([who, fromMs, length]) => absence(who, fromMs, fromMs + length))
      const away = said.filter((each) => each.fromMs <= atMs && atMs < each.toMs).map(({ person }) => person)
      const wanted = newlyBroken(asked, everybody, withoutPeople(everybody, away)).map(({ where }) => where)
      const found = absenceGaps(asked, around(...said), 0).filter((gap) => gap.fromMs <= atMs && atMs < gap.toMs)
      assert.deepEqual(found.map(({ broken }) => broken.where).sort(), wanted.sort())
    }),
  )
})

test('what only breaks without several people is said of them together, and what breaks without one of them is not', () => {
  const four = [0, 1, 2, 3].map((number) => member(number))
  const available = { active: four.map(({ id }) => id), mayPropose: four.map(({ id }) => id) }
  const lost = (need: number, ...who: number[]) =>
    brokenTogether(
      samplePolicy(four, need),
      available,
      who.map((each) => four[each]!.id),
    ).map(({ where }) => where)
  assert.deepEqual(lost(2, 0, 1), ['rule', 'governance'])
  assert.deepEqual(lost(3, 0, 1), [], 'either of them is enough to break it')
  assert.deepEqual(lost(1, 0, 1), [])
  assert.deepEqual(lost(2), [])
})

test('who says that they are away is told what breaks by it, with whoever else is away then, and not what others break anyway', () => {
  const four = [0, 1, 2, 3].map((number) => member(number))
  const available = { active: four.map(({ id }) => id), mayPropose: four.map(({ id }) => id) }
  const said = (who: number, fromMs: number, toMs: number) => ({ person: four[who]!.id, fromMs, toMs })
  const told = (absences: ReturnType<typeof said>[]) =>
    gapsBy(four[0]!.id, samplePolicy(four, 2), { available, absences, standIns: [] }, 0).map(({ broken, fromMs, toMs }) => [broken.where, fromMs, toMs])
  assert.deepEqual(told([said(0, 10, 50)]), [], 'three others are there')
  assert.deepEqual(told([said(0, 10, 50), said(1, 30, 90)]), [
    ['rule', 30, 50],
    ['governance', 30, 50],
  ])
  assert.deepEqual(told([said(1, 10, 50), said(2, 10, 50), said(0, 20, 40)]), [], 'without these two it stands still anyway')
  assert.deepEqual(
    told([said(1, 10, 90), said(2, 10, 50), said(0, 20, 80)]).map(([where]) => where),
    ['rule', 'governance'],
    'it stands still for longer',
  )
})

test('what can be completed by somebody who decides for who is away is said with them, for as long as that is so, and governance is not', () => {
  const [ann, ben, cleo] = people
  const rules = [namedRule('last', { action: approveBy([{ need: 1n, who: [personOf(cleo!)] }]) })]
  const lent = withDeputies(thirdForm([ann!, ben!, cleo!], { rules, governance: { approvers: [cleo!.id], threshold: 1n } }), [personOf(ben!)])
  const standIn = { delegator: cleo!.id, delegate: ben!.id, fromMs: 20, untilMs: 40 }
  const told = (absences: ReturnType<typeof absence>[], standIns = [standIn]) =>
    absenceGaps(lent, { available: everybody, absences, standIns }, 0).map((gap) => [gap.broken.where, gap.fromMs, gap.toMs, gap.standIns])
  assert.deepEqual(told([absence(2, 10, 50)]), [
    ['rule', 10, 20, []],
    ['governance', 10, 50, []],
    ['rule', 20, 40, [standIn]],
    ['rule', 40, 50, []],
  ])
  assert.deepEqual(told([]), [], 'nobody is away')
  assert.deepEqual(
    told([absence(2, 10, 50), absence(1, 0, 90)]).map(([where, from, to, by]) => [where, from, to, by]),
    [
      ['rule', 10, 50, []],
      ['governance', 10, 50, []],
    ],
    'who would decide is away too',
  )
  const around = { available: everybody, absences: [absence(2, 10, 50), absence(1, 25, 35)], standIns: [standIn] }
  assert.deepEqual(
    gapsBy(ben!.id, lent, around, 0).map((gap) => [gap.broken.where, gap.fromMs, gap.toMs]),
    [['rule', 25, 35]],
    'it is the absence of the one who decides that makes it so',
  )
})
