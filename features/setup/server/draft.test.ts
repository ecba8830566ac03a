import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import type { ServerContext } from '@holdfast/features/context'
import { nodePorts } from '@holdfast/ports/node'
import { newId } from '@holdfast/units'
import { changeDraft, changeDraftAs, type Draft, findDraft, founderToken, insertDraft, keepGenesis, tokenHash } from './draft.ts'
import { inviteUrls } from './invite-urls.ts'

const { random, clock } = nodePorts
const nowMs = clock.nowMs()
let db: Database
before(async () => {
  db = await openTestDatabase()
})
after(() => db.close())

async function newDraft(): Promise<{ draft: Draft; token: string }> {
  const id = newId(nowMs, random)
  const token = founderToken(id, random.bytes(16))
  const members = ['Ann', 'Ben'].map((name) => ({ personId: newId(nowMs, random), name }))
  const about = { id, organisationId: newId(nowMs, random), name: 'Acme', demo: false, threshold: 1, recovery: [], state: 'enrolling' as const }
  const draft: Draft = { ...about, members, founderTokenHash: tokenHash(token), memberTokens: {}, pinnedBy: [] }
  await insertDraft(db, draft, nowMs)
  return { draft, token }
}

test('of two founding documents made at the same time everybody reads one, and no later one takes its place', async () => {
  const { draft, token } = await newDraft()
  const [one, other] = await Promise.all(['aa', 'bb'].map((genesis) => keepGenesis(db, draft, genesis)))
  assert.deepEqual(one, other)
  assert.equal(one!.state, 'accepting')
  await changeDraftAs(db, token, nowMs, ({ draft: present }) => {
    present.members[0]!.acceptance = 'cc'
  })
  const late = await keepGenesis(db, draft, 'dd')
  assert.deepEqual([late.genesis, late.members[0]!.acceptance], [one!.genesis, 'cc'])
  assert.deepEqual((await findDraft(db, token, nowMs)).draft, late)
})

test("two of the founder's pages at the same time show the same invitations, and each member has one", async () => {
  const { draft, token } = await newDraft()
  const context = { db, ports: nodePorts, settings: { consoleOrigin: 'https://console.example' } as ServerContext['settings'] }
  const pages = await Promise.all([1, 2].map(async () => inviteUrls((await findDraft(db, token, nowMs)).draft, token, context)))
  assert.deepEqual([...pages[0]!], [...pages[1]!])
  assert.deepEqual(await inviteUrls((await findDraft(db, token, nowMs)).draft, token, context), pages[0])
  const made = await db.asSystem((tx) => tx.selectFrom('invite').select('person_id').where('org_id', '=', draft.organisationId).execute())
  assert.deepEqual(made.map((each) => each.person_id).sort(), draft.members.map(({ personId }) => personId).sort())
})

test('what is changed of a draft that was read long ago leaves everything else as it is now', async () => {
  const { draft } = await newDraft()
  await keepGenesis(db, draft, 'aa')
  await Promise.all([1, 2, 3].map((party) => changeDraft(db, draft, ({ pinnedBy }) => void pinnedBy.push(party))))
  const { genesis, pinnedBy } = await changeDraft(db, draft, () => undefined)
  assert.deepEqual([genesis, pinnedBy.sort()], ['aa', [1, 2, 3]])
})
