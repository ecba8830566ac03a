import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inviteIn, invitePath } from './invite-link.ts'

test('an invitation is in no part of its link that a server or a proxy gets to see, and is read from it', () => {
  const token = 'abc_-'.padEnd(43, 'x')
  const url = new URL(invitePath(token), 'https://console.example')
  assert.ok(!`${url.pathname}${url.search}`.includes(token))
  assert.equal(inviteIn(url.hash), token)
  for (const hash of ['', '#', '#invite=', `#invite=${token}x`, `#invite=${token}&invite=${token}`, `invite=${token}`, '#invite=<script>'])
    assert.equal(inviteIn(hash), undefined, hash)
})
