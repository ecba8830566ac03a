import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areRecipients, demoFounding, highestThreshold, proposedThreshold, recipientsFault, recipientsOf } from './founding-rules.ts'
import { inviteOf, setupTokenOf } from './setup-token.ts'

test('nobody can found an organisation whose payments can never be approved', () => {
  assert.deepEqual([2, 3, 5, 20].map(highestThreshold), [1, 2, 4, 19])
  assert.deepEqual([2, 3, 5].map(proposedThreshold), [1, 2, 2])
  assert.ok(demoFounding.threshold <= highestThreshold(demoFounding.members.length))
})

test('recovery recipients are read one by one, and anything else is refused', () => {
  const one = `age1${'q'.repeat(58)}`
  assert.deepEqual(recipientsOf(` ${one}\n\n${one} `), [one, one])
  assert.equal(areRecipients(`${one}\n${one}`), true)
  for (const text of ['', '  ', 'AGE-SECRET-KEY-1QQQ', `${one}\nssh-ed25519 AAAA`, 'age1short']) assert.equal(areRecipients(text), false, text)
})

test('recovery recipients that could never come together, or that hold two shares, are refused before anything is sent', () => {
  const [one, two, three] = ['q', 'p', 'z'].map((letter) => `age1${letter.repeat(58)}`)
  assert.equal(recipientsFault(`${one}\n${two}`, [three!, ''], 2), undefined)
  assert.equal(recipientsFault(one!, [three!], 2), 'recipientsFew')
  assert.equal(recipientsFault(`${one}\n${two}`, [`${three}\n${two}`], 1), 'recipientsTwice')
  assert.equal(recipientsFault(`${one} ${one}`, [], 2), 'recipientsTwice')
  assert.equal(recipientsFault('nobody', [], 1), 'recipientsShape')
})

test("the founder's token is read from the address, and nothing else is", () => {
  const token = 'ab'.repeat(32)
  assert.equal(setupTokenOf(`#${token}`), token)
  for (const hash of ['', '#', `#${token}0`, `#${token.toUpperCase()}`, token]) assert.equal(setupTokenOf(hash), undefined)
})

test('an invitation is read from a sign-in link', () => {
  const token = 'abc_-1'.padEnd(43, '0')
  assert.equal(inviteOf(`http://localhost:7000/login#invite=${token}`), token)
  assert.equal(inviteOf('http://localhost:7000/login'), undefined)
  assert.equal(inviteOf('not a link'), undefined)
})
