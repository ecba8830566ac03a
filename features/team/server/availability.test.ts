import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openWorld, type World } from '../../testing/test-world.ts'
import { readAvailability } from './availability.ts'
import { saveOutOfOffice } from './out-of-office.ts'

const DAY_MS = 86_400_000

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world?.close())

const read = (atMs: number, seen: [string, number][] = []) =>
  world.db.asOrganisation(world.orgId, (tx) => readAvailability(tx, { nowMs: atMs, language: 'en_US', lastSeen: new Map(seen) }))

it('names whoever is to approve and was not heard of for thirty days, with what nobody could complete without them', async () => {
  const [ann, ben] = world.members
  const nowMs = world.context.ports.clock.nowMs()
  assert.deepEqual(await read(nowMs), { gaps: [], silent: [], together: [] })
  const later = nowMs + 31 * DAY_MS
  const { silent, together } = await read(later, [[ann!.id, later - DAY_MS]])
  assert.deepEqual(
    silent.map(({ name }) => name),
    ['Ben', 'Cleo'],
  )
  assert.match(silent.find(({ user_id: id }) => id === ben!.id)!.breaks.join(), /rule “payments” needs 2 approvals/)
  assert.deepEqual(together, [], 'what one of them alone breaks is said once')
})

it('says from when to when an approval cannot be completed while somebody is away', async () => {
  const [ann] = world.members
  const nowMs = world.context.ports.clock.nowMs()
  const [from, to] = [nowMs + DAY_MS, nowMs + 3 * DAY_MS]
  const actor = { personId: ann!.id, role: 'owner', language: 'en_US' as const }
  await world.db.asOrganisation(world.orgId, (tx) => saveOutOfOffice(tx, world.context, actor, { from, to, note: '' }))
  const { gaps } = await read(nowMs)
  assert.deepEqual(
    gaps.map((gap) => [gap.from, gap.until]),
    [
      [from, to],
      [from, to],
    ],
  )
  assert.match(gaps[0]!.text, /and only Ben, Cleo could give one/)
})
