import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OrganisationTx } from '@holdfast/db'
import { currentPolicy } from '@holdfast/features/policy/server'
import { uuidToBytes } from '@holdfast/units'
import { approveBy, namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { type Member, openWorld, type World } from '../../testing/test-world.ts'
import { shortageWarnings } from '../../strategy/server/shortage-warnings.ts'
import { readAvailability } from './availability.ts'
import { saveOutOfOffice } from './out-of-office.ts'

const DAY_MS = 86_400_000
const idOf = ({ id }: Member) => personOf({ id: uuidToBytes(id) })

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

it('says who decides in the place of whoever is away or was not heard of, where by that it can be completed, and whoever leaves is told so', async () => {
  const other = await openWorld({
    namedRules: ([, , cleo]) => [namedRule('last', { action: approveBy([{ need: 1n, who: [idOf(cleo!)] }]) })],
    deputies: ([, ben]) => [idOf(ben!)],
  })
  try {
    const [, ben, cleo] = other.members
    const nowMs = other.context.ports.clock.nowMs()
    const [from, to, until] = [nowMs + DAY_MS, nowMs + 5 * DAY_MS, nowMs + 3 * DAY_MS]
    const inOther = <T>(act: (tx: OrganisationTx) => Promise<T>) => other.db.asOrganisation(other.orgId, act)
    const letsDecide = (sequence: bigint, until_at: number) => {
      const bytes = new Uint8Array(32).fill(Number(sequence))
      const made = { from_at: nowMs, until_at, sequence, record: bytes, hash: bytes, told: '[]', created_at: nowMs, updated_at: nowMs }
      return inOther((tx) =>
        tx
          .insertInto('delegation')
          .values({ org_id: tx.orgId, person_id: cleo!.id, delegate_id: ben!.id, ...made })
          .execute(),
      )
    }
    await letsDecide(1n, until)
    const actor = { personId: cleo!.id, role: 'owner', language: 'en_US' as const }
    const warnings = await inOther((tx) => saveOutOfOffice(tx, other.context, actor, { from, to, note: '' }))
    const readOther = (atMs: number, seen: [string, number][] = []) =>
      inOther((tx) => readAvailability(tx, { nowMs: atMs, language: 'en_US', lastSeen: new Map(seen) }))
    const { gaps } = await readOther(nowMs)
    const ofRule = gaps.filter(({ text }) => text.includes('“last”'))
    const decided = ofRule.map((gap) => [gap.from, gap.until, gap.decided.join()])
    assert.match(String(decided[0]![2]), /^Ben decides on behalf of Cleo until \d{4}-.* UTC$/)
    assert.deepEqual(decided, [
      [from, until, decided[0]![2]],
      [until, to, ''],
    ])
    const said = warnings.filter((each) => each.includes('“last”'))
    assert.match(said[0]!, /nobody could give one; it can still be approved: Ben decides on behalf of Cleo until /)
    assert.doesNotMatch(said[1]!, /nevertheless/)
    assert.equal(said.length, 2)
    const drafted = await inOther(async (tx) => {
      const { policy } = await currentPolicy(tx)
      return shortageWarnings(tx, policy, { language: 'zh_CN', nowMs, silent: [] }, 'rule')
    })
    assert.deepEqual(
      drafted.map(({ text }) => /^Cleo 外出期间.*；但仍可完成审批：Ben 代 Cleo 审批至 .* UTC$/.test(text)),
      [true, false],
      'a draft is held against it too',
    )
    const later = nowMs + 31 * DAY_MS
    await letsDecide(2n, later + DAY_MS)
    const { silent } = await readOther(later, [[ben!.id, later]])
    assert.deepEqual(
      silent.map(({ name, decided: by }) => [name, by?.slice(0, 36) ?? null]),
      [
        ['Ann', null],
        ['Cleo', 'Ben decides on behalf of Cleo until '],
      ],
    )
  } finally {
    await other.close()
  }
})
