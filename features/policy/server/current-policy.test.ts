import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { replaceThird } from '../../testing/replace-signer.ts'
import { openWorld, type World } from '../../testing/test-world.ts'
import { currentPolicy, policyAt } from './current-policy.ts'

let world: World

before(async () => {
  world = await openWorld()
})
after(() => world.close())

const read = () => world.db.asOrganisation(world.orgId, currentPolicy)

test('the policy in force is read once for as long as it is the same, and anew from its next version on', async () => {
  const first = await read()
  assert.equal(await read(), first)
  await replaceThird(world)
  const next = await read()
  assert.deepEqual([next.policy.version, next.policy.previous, next.policyChanges.length], [first.policy.version + 1n, first.hash, 1])
  assert.deepEqual(next.policy, world.policy)
  assert.equal(await read(), next)
  const { policy, genesis, signers } = first
  assert.deepEqual(await world.db.asOrganisation(world.orgId, (tx) => policyAt(tx, policy.version)), { policy, genesis, signers })
})

test('a version that was never committed is in force for nobody', async () => {
  const before = await read()
  const hash = new Uint8Array(32).fill(7)
  const undone = world.db.asOrganisation(world.orgId, async (tx) => {
    await sql`insert into policy_version (org_id, version, bytes, hash, change, created_at)
      select org_id, version + 1, bytes, ${hash}, change, created_at from policy_version order by version desc limit 1`.execute(tx)
    assert.deepEqual((await currentPolicy(tx)).hash, hash)
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.deepEqual(await read(), before)
})

test('what is remembered is asked for and read in one turn', async () => {
  assert.equal(await world.db.readOrganisation(world.orgId, currentPolicy), await world.db.readOrganisation(world.orgId, currentPolicy))
})
