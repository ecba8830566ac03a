import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrastOf } from '../theme/contrast.ts'
import { AVATAR_COLOURS, avatarColour, avatarLetter } from './avatar.ts'

test('names with the same first letter have the same colour (spec 9.14)', () => {
  assert.equal(avatarColour('Alice Chen'), avatarColour('Anna'))
  assert.equal(avatarColour('alice'), avatarColour('Alice'))
  assert.notEqual(avatarColour('Alice'), avatarColour('Bruno'))
  assert.equal(avatarLetter(' 陈爱丽'), '陈')
  assert.equal(avatarLetter(''), '?')
})

test('the letter of an avatar can be read on its colour', () => {
  for (const colour of AVATAR_COLOURS) assert.ok(contrastOf(colour, '#ffffff') >= 4.5, colour)
})
