import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AppError } from '@holdfast/contract'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import type { ServerContext } from '@holdfast/features/context'
import { nodePorts } from '@holdfast/ports/node'
import { newId } from '@holdfast/units'
import { changeDraft, changeDraftAs, type Draft, draftsToFound, findDraft, founderToken, insertDraft, keepGenesis, memberToken, tokenHash } from './draft.ts'
import { loginOf } from './found-organisation.ts'
import { inviteUrls } from './invite-urls.ts'
import { setupPageCalls } from './page-calls.ts'
import { foundingNow, refuseWhereClosed } from './refuse-closed.ts'

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

test('only drafts that wait for signers are asked of them, and drafts whose time is over are thrown away', async () => {
  const { draft } = await newDraft()
  const waits = async (atMs = nowMs) => (await draftsToFound(db, atMs)).some(({ id }) => id === draft.id)
  assert.equal(await waits(), false)
  await changeDraft(db, draft, (present) => void (present.state = 'pinning'))
  assert.equal(await waits(), true)
  const weekLaterMs = nowMs + 7 * 24 * 3_600_000
  assert.equal(await waits(weekLaterMs), false)
  await insertDraft(db, { ...draft, id: newId(nowMs, random) }, weekLaterMs)
  assert.equal(await db.asSystem((tx) => tx.selectFrom('setup_draft').select('id').where('id', '=', draft.id).executeTakeFirst()), undefined)
})

test('two members whose names come to the same letters have an account each', () => {
  const login = (...names: string[]) => {
    const members = names.map((name) => ({ personId: newId(nowMs, random), name }))
    const logins = members.map((_, i) => loginOf(i, { name: 'Acme', members, organisationId: 'x-123456' }))
    assert.equal(new Set(logins).size, names.length)
    return logins.map((each) => each.split('@')[0])
  }
  assert.deepEqual(login('Ann Li', 'Ben'), ['ann.li', 'ben'])
  assert.deepEqual(login('Li-Wei', 'Li Wei', 'li.wei'), ['li.wei-1', 'li.wei-2', 'li.wei-3'])
  assert.deepEqual(login('王芳(CFO)', '李雷(CFO)', '张三', 'member 3'), ['cfo-1', 'cfo-2', 'member-3', 'member.3'])
})

test('whoever began before the first organisation was founded does not come in after it, where the server takes in no other', async () => {
  const { draft, token } = await newDraft()
  const [ann] = draft.members
  const anns = memberToken(token, ann!.personId)
  await changeDraft(db, draft, (present) => void (present.memberTokens[tokenHash(anns)] = ann!.personId))
  const callsOf = (openSetup: boolean) => setupPageCalls({ db, ports: nodePorts, settings: { openSetup, demoRecipients: null } } as ServerContext)
  const words: [string, object][] = [
    ['setup.enrol', { token: anns, person_id: ann!.personId, credential: '' }],
    ['setup.accept', { token: anns, acceptance: '' }],
  ]
  const outcome = (openSetup: boolean) =>
    Promise.all(
      words.map(([name, body]) =>
        callsOf(openSetup)[name]!(body).then(
          () => 'taken',
          (cause: AppError) => cause.errorName,
        ),
      ),
    )
  assert.deepEqual(await outcome(false), ['invalid_parameters', 'state_changed'], 'nothing is founded yet')
  await db.asSystem((tx) =>
    tx
      .insertInto('organisation')
      .values({ id: newId(nowMs, random), name: 'First', state: 'active', genesis_hash: random.bytes(32), created_at: nowMs })
      .execute(),
  )
  assert.deepEqual(await outcome(false), ['not_permitted', 'not_permitted'])
  assert.deepEqual(await outcome(true), ['invalid_parameters', 'state_changed'])
  await assert.rejects(
    db.asSystem((tx) => refuseWhereClosed(tx, { openSetup: false, demoRecipients: [['age1']] }, { demo: false })),
    { errorName: 'not_permitted' },
  )
})

test('beside demos alone, one organisation of one’s own can be founded where demos are offered, and no second demo', async () => {
  const fresh = await openTestDatabase({ poolSize: 2 })
  const found = (name: string, demo: boolean) =>
    fresh.asSystem((tx) =>
      tx
        .insertInto('organisation')
        .values({ id: newId(nowMs, random), name, state: 'active', genesis_hash: random.bytes(32), demo, created_at: nowMs })
        .execute(),
    )
  const now = (demoRecipients: string[][] | null) => fresh.asSystem((tx) => foundingNow(tx, { openSetup: false, demoRecipients }))
  const refused = async (demo: boolean) => {
    try {
      await fresh.asSystem((tx) => refuseWhereClosed(tx, { openSetup: false, demoRecipients: [] }, { demo }))
      return false
    } catch {
      return true
    }
  }
  assert.equal(await now([]), 'first')
  await found('Demo', true)
  assert.deepEqual([await now([]), await now(null)], ['beside_demo', 'closed'], 'a server that offers no demos takes no demo for less than an organisation')
  assert.deepEqual([await refused(false), await refused(true)], [false, true])
  await found('Own', false)
  assert.equal(await now([]), 'closed')
  assert.deepEqual([await refused(false), await refused(true)], [true, true])
  await fresh.close()
})
