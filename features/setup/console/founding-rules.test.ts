import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import fc from 'fast-check'
import { areRecipients, demoFounding, highestThreshold, proposedThreshold, recipientsFault, recipientsOf, sparePeople } from './founding-rules.ts'
import { identityFile, makeIdentity } from './make-identity.ts'
import { inviteOf, setupTokenOf } from './setup-token.ts'

test('nobody can found an organisation whose payments can never be approved', () => {
  assert.deepEqual([2, 3, 5, 20].map(highestThreshold), [1, 2, 4, 19])
  assert.deepEqual([2, 3, 5].map(proposedThreshold), [1, 2, 2])
  assert.ok(demoFounding.threshold <= highestThreshold(demoFounding.members.length))
})

test('recovery recipients are read one by one, and anything else is refused', () => {
  const one = `age1${'q'.repeat(58)}`
  assert.deepEqual(recipientsOf(` ${one}\n\n${one} `), [one, one])
  assert.equal(areRecipients([one, one]), true)
  for (const text of ['', '  ', 'AGE-SECRET-KEY-1QQQ', `${one}\nssh-ed25519 AAAA`, 'age1short']) assert.equal(areRecipients(recipientsOf(text)), false, text)
})

test('recovery recipients that could never come together, or that hold two shares, are refused before anything is sent', () => {
  const [one, two, three] = ['q', 'p', 'z'].map((letter) => `age1${letter.repeat(58)}`)
  assert.equal(recipientsFault([one!, two!], [three!], 2), undefined)
  assert.equal(recipientsFault([one!], [three!], 2), 'recipientsFew')
  assert.equal(recipientsFault([one!, two!], [three!, two!], 1), 'recipientsTwice')
  assert.equal(recipientsFault([one!, one!], [], 2), 'recipientsTwice')
  assert.equal(recipientsFault(['nobody'], [], 1), 'recipientsShape')
  assert.equal(recipientsFault([], [three!], 1), 'recipientsShape')
})

test('a founder is told how many approvers can be spared: with two of three people, none', () => {
  assert.deepEqual([sparePeople(2, 1), sparePeople(3, 2), sparePeople(3, 1), sparePeople(4, 2)], [0, 0, 1, 1])
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 19 }), (members, wanted) => {
      const threshold = Math.min(wanted, highestThreshold(members))
      assert.equal(threshold + sparePeople(members, threshold), members - 1)
    }),
  )
})

test('an identity that the page makes is one that the recovery tool reads, and opens what is sealed to its recipient', async () => {
  const made = await makeIdentity()
  const text = identityFile(made)
  const line = text.split('\n').find((each) => each !== '' && !each.startsWith('#'))
  assert.equal(await identityToRecipient(line!), made.recipient)
  assert.equal(areRecipients([made.recipient]), true)
  const sealer = new Encrypter()
  sealer.addRecipient(made.recipient)
  const opener = new Decrypter()
  opener.addIdentity(made.secret)
  assert.equal(await opener.decrypt(await sealer.encrypt('a share'), 'text'), 'a share')
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
