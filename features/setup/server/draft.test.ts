import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '@holdfast/db/test'
import { nodePorts } from '@holdfast/ports/node'
import { newId } from '@holdfast/units'
import { changeDraft, type Draft, findDraft, founderToken, insertDraft, keepGenesis, tokenHash } from './draft.ts'

test('of two founding documents made at the same time everybody reads one, and no later one takes its place', async () => {
  const db = await openTestDatabase()
  try {
    const { random, clock } = nodePorts
    const nowMs = clock.nowMs()
    const id = newId(nowMs, random)
    const token = founderToken(id, random.bytes(16))
    const members = [{ personId: newId(nowMs, random), name: 'Ann' }]
    const about = { id, organisationId: newId(nowMs, random), name: 'Acme', demo: false, threshold: 1, recovery: [], state: 'enrolling' as const }
    const draft: Draft = { ...about, members, founderTokenHash: tokenHash(token), memberTokens: {}, pinnedBy: [] }
    await insertDraft(db, draft, nowMs)
    const [one, other] = await Promise.all(['aa', 'bb'].map((genesis) => keepGenesis(db, draft, genesis)))
    assert.deepEqual(one, other)
    assert.equal(one!.state, 'accepting')
    await changeDraft(db, token, nowMs, ({ draft: present }) => {
      present.members[0]!.acceptance = 'cc'
    })
    const late = await keepGenesis(db, draft, 'dd')
    assert.deepEqual([late.genesis, late.members[0]!.acceptance], [one!.genesis, 'cc'])
    assert.deepEqual((await findDraft(db, token, nowMs)).draft, late)
  } finally {
    await db.close()
  }
})
