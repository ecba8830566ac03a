import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encode } from '@holdfast/encoding'
import { credentialShape } from '@holdfast/intent'
import { newId } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'
import { openWorld, SECOND_PAGE, type World } from '../../testing/test-world.ts'
import { approvalPagesFor } from './approval-pages.ts'

let world: World
before(async () => {
  world = await openWorld({ secondPage: true })
})
after(() => world.close())

const FIRST = 'http://approve.localhost:24000'
const shown = async (personId = world.members[0].id) => {
  const { pages } = await approvalPagesFor(world.context, world.orgId, personId)
  return pages.map(({ origin, up, key }) => `${origin} ${up ? 'up' : 'away'} ${key}`)
}

test('the first page comes first, each with whether its signer is connected and whether the caller has a key there', async () => {
  assert.deepEqual(await shown(), [`${FIRST} up counts`, `${SECOND_PAGE.origin} up none`])
  world.signers.setOnline(2, 3)
  assert.deepEqual(await shown(), [`${FIRST} away counts`, `${SECOND_PAGE.origin} up none`])
  world.signers.setOnline(1, 3)
  assert.deepEqual(await shown(), [`${FIRST} up counts`, `${SECOND_PAGE.origin} away none`])
  world.signers.setOnline(1, 2, 3)
})

test('a key that was made at a page waits there until the policy names it, and is nobody else’s', async () => {
  const [ann, ben] = world.members
  const nowMs = world.context.ports.clock.nowMs()
  const credential = { id: world.context.ports.random.bytes(32), kind: 'device', publicKey: p256.getPublicKey(p256.utils.randomSecretKey()) }
  const bytes = encode(credentialShape, { ...credential, backupEligible: false, label: 'Browser key' })
  const id = newId(nowMs, world.context.ports.random)
  await world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .insertInto('approval_key')
      .values({ org_id: world.orgId, id, person_id: ann.id, credential: bytes, page: SECOND_PAGE.origin, created_at: nowMs })
      .execute(),
  )
  assert.deepEqual(await shown(), [`${FIRST} up counts`, `${SECOND_PAGE.origin} up waits`])
  assert.deepEqual(await shown(ben.id), [`${FIRST} up counts`, `${SECOND_PAGE.origin} up none`])
  await world.db.asOrganisation(world.orgId, (tx) =>
    tx.updateTable('approval_key').set({ denied_at: nowMs }).where('org_id', '=', world.orgId).where('id', '=', id).execute(),
  )
  assert.deepEqual(await shown(), [`${FIRST} up counts`, `${SECOND_PAGE.origin} up none`], 'what is not theirs is no key of theirs')
})

test('only who approves by the policy is told that they do', async () => {
  const stranger = newId(1, world.context.ports.random)
  assert.equal((await approvalPagesFor(world.context, world.orgId, world.members[0].id)).approves, true)
  assert.equal((await approvalPagesFor(world.context, world.orgId, stranger)).approves, false)
})
