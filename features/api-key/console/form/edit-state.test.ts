import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EditEvent, hasUnsent, isSameTyped, nextEditState, seedOf, UNTOUCHED } from './edit-state.ts'
import { draftOf, type MachineTyped, newMachine } from './typed.ts'

const after = (...events: EditEvent[]) => events.reduce(nextEditState, UNTOUCHED)
const typedIn = (form: 'settings' | 'policy', isUnsent = true): EditEvent => ({ form, isUnsent })

test('settings that were saved leave the page only where the other form has no input', () => {
  assert.equal(after(typedIn('settings'), 'settingsSaved').step, 'leaving')
  assert.equal(after(typedIn('settings'), typedIn('policy'), typedIn('policy', false), 'settingsSaved').step, 'leaving')
  const kept = after(typedIn('policy'), typedIn('settings'), 'settingsSaved')
  assert.deepEqual(kept, { settings: false, policy: true, step: 'saved' })
  assert.equal(nextEditState(kept, typedIn('policy', false)).step, 'saved', 'what is sent afterwards leaves nothing')
  assert.equal(nextEditState(kept, typedIn('settings')).step, 'open')
})

test('people are asked before the input of either form is lost', () => {
  assert.equal(hasUnsent(UNTOUCHED), false)
  assert.ok(hasUnsent(after(typedIn('policy'))))
  assert.ok(hasUnsent(after(typedIn('settings'))))
  assert.ok(hasUnsent(after(typedIn('policy'), typedIn('settings'), 'settingsSaved')))
  assert.equal(hasUnsent(after(typedIn('policy'), typedIn('policy', false))), false)
})

test('a form with input keeps the version that it began with, so that the server sees that another change came first', () => {
  const typedOf = (name: string): MachineTyped => ({ ...newMachine(1_790_000_000_000, 'api'), name, purpose: 'Pays suppliers', publicKey: 'cd'.repeat(32) })
  const [began, present] = [
    { version: 4, typed: typedOf('Payouts') },
    { version: 5, typed: typedOf('Payroll') },
  ]
  const sent = (isHeld: boolean) => {
    const { typed, version } = seedOf(began, present, isHeld)
    return draftOf('api', typed, 'payouts', { rule: null }, version)
  }
  assert.deepEqual([sent(true).base_version, sent(true).name], [4, 'Payouts'])
  assert.deepEqual([sent(false).base_version, sent(false).name], [5, 'Payroll'], 'one that nobody has typed into follows what stands now')
  assert.equal(seedOf(began, { ...began }, false), began, 'an answer of the same version begins nothing anew')
})

test('what was typed and taken back again is no input', () => {
  const typed = newMachine(1_790_000_000_000, 'api')
  assert.ok(isSameTyped({ ...{ ...typed, name: 'x' }, name: '' }, typed))
  assert.ok(!isSameTyped({ ...typed, name: 'x' }, typed))
  assert.ok(!isSameTyped(typed, undefined))
})
