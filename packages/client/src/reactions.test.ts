import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallError } from '@holdfast/contract'
import { reactionTo } from '@holdfast/features/error-catalogue'
import { reactTo } from './reactions.ts'

function reactionsTo(code: string, path = '/mpc/wallet', isShown = false): string[] {
  const seen: string[] = []
  const error = new CallError(code, 'a sentence', null, 200)
  reactTo(reactionTo(code), error, isShown, {
    toast: (sentence, key) => seen.push(`toast ${key}: ${sentence}`),
    leaveSession: () => seen.push('sign in'),
    showNotPermitted: () => seen.push('not permitted'),
    forgetWallet: () => seen.push('forget wallet'),
    forgetSubWallet: () => seen.push('forget sub-wallet'),
    closeDrawer: ({ refresh }) => seen.push(refresh ? 'close drawer, refresh' : 'close drawer'),
    path: () => path,
  })
  return seen
}

test('a refusal is told by its own sentence, under one key (spec 8.2)', () => {
  assert.deepEqual(reactionsTo('100011'), ['toast httpError: a sentence'])
  assert.deepEqual(reactionsTo('999999'), ['toast httpError: a sentence'])
})

test('a refusal that its caller deals with is not told (spec 8.3)', () => {
  const silent = [
    '200137',
    '200139',
    '200109',
    '200143',
    '200145',
    '200163',
    '200164',
    '200166',
    '100181',
    '100180',
    '200170',
    '100023',
    '200140',
    '200192',
    '200191',
    '200195',
    '110005',
  ]
  for (const code of silent) assert.deepEqual(reactionsTo(code), [], code)
})

test('a refusal that its caller shows in place is not told besides, and does whatever else it does', () => {
  const all = ['100011', '999999', '110909', '110249', '200005', '200125']
  assert.deepEqual(
    all.map((code) => reactionsTo(code, '/mpc/wallet', true)),
    all.map((code) => reactionsTo(code).filter((each) => !each.startsWith('toast'))),
  )
})

test('110909 ends the session in this page (spec 8.4)', () => assert.deepEqual(reactionsTo('110909'), ['sign in']))

test('110249, 110924 and 100015 lead to the page of those who may not (spec 8.5)', () => {
  for (const code of ['110249', '110924', '100015']) assert.deepEqual(reactionsTo(code), ['not permitted'], code)
})

test('200005, 200004 and 100016 forget wallet and sub-wallet and close the drawer (spec 8.6)', () => {
  for (const code of ['200005', '200004', '100016']) assert.deepEqual(reactionsTo(code), ['forget wallet', 'forget sub-wallet', 'close drawer'], code)
})

test('200125 forgets the wallet on a page of the wallet centre, and elsewhere closes the drawer and asks again (spec 2.28, 8.7)', () => {
  assert.deepEqual(reactionsTo('200125', '/mpc/center/wallet'), ['forget wallet'])
  assert.deepEqual(reactionsTo('200125', '/mpc/center/wallet/transactions'), ['forget wallet'])
  assert.deepEqual(reactionsTo('200125', '/mpc/teamMember'), ['close drawer, refresh'])
})
