import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId } from '@holdfast/units'
import { askOwner, closeAgentWorld, needs, openAgentWorld, pay, set, supplyOf, turn, world } from '../testing/agent-world.ts'
import { AT_ONCE, endLook, newRounds, nextPayments, nextSupplies } from './due-for-energy.ts'
import { attendAll } from './run-agent.ts'

/* Whose turn it is to get energy, on the emulated network. */

const MANY = AT_ONCE + 50
const DAY_MS = 86_400_000
let id: string

before(async () => {
  await openAgentWorld()
  await set({ fallback: 'wait' })
  await turn('on')
  id = await pay()
})
after(closeAgentWorld)

/** Many payments like the one, older than it, each of which waits for what does not come, or for what `signableAt` says. */
async function copyMany({ orgId = world.orgId, state = 'stopped', signableAt = null as number | null, many = MANY } = {}): Promise<void> {
  await askOwner(
    `with copied as (
      insert into transfer_order (org_id, id, kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount, fee_cap, address_from, address_to,
        address_to_end, address_to_start, remark, intent, intent_hash, policy_version, initiator, state, is_final, expires_at, signable_at,
        created_at, updated_at, version)
      select $2, gen_random_uuid(), kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount, fee_cap, address_from, address_to,
        address_to_end, address_to_start, '', intent, sha256(random()::text::bytea), policy_version, initiator, 'approved', false, expires_at, $4,
        created_at - 1000 - i, created_at, 1
      from transfer_order, generate_series(1, $3::int) i where id = $1
      returning org_id, id, chain, address_from, created_at)
    insert into tron_supply (org_id, id, chain, address, order_id, state, reason, needed, lacked, price, created_at, updated_at)
    select org_id, gen_random_uuid(), chain, address_from, id, $5, 'failed', 65000, 65000, 100, created_at, created_at from copied`,
    [id, orgId, many, signableAt, state],
  )
}

/** Another organisation, with an agent for the same address. */
async function otherOrganisation(isOn: boolean): Promise<string> {
  const orgId = newId(world.context.ports.clock.nowMs(), world.context.ports.random)
  await askOwner(
    `with account as (insert into tron_account select $1, chain, address, true, updated_at from tron_account where org_id = $2)
    insert into tron_agent (org_id, chain, is_on, sub_wallet_id, fallback, budget_day, burn_max, updated_by, updated_at)
    select $1, chain, $3, sub_wallet_id, fallback, budget_day, burn_max, updated_by, updated_at from tron_agent where org_id = $2`,
    [orgId, world.orgId, isOn],
  )
  return orgId
}

/** Leaves the one payment, which was approved and nobody looked at. */
async function beginAnew(): Promise<void> {
  await askOwner('delete from tron_supply')
  for (const table of ['transfer_order', 'tron_account', 'tron_agent']) await askOwner(`delete from ${table} where org_id <> $1`, [world.orgId])
  await askOwner(`delete from transfer_order where kind = 'withdraw' and id <> $1`, [id])
  await askOwner(`update transfer_order set state = 'approved', is_final = false where id = $1`, [id])
}
const endAll = (orgId: string) => askOwner(`update transfer_order set state = 'cancelled', is_final = true where state = 'approved' and org_id = $1`, [orgId])

const attended = async () => (await supplyOf(id).catch(() => undefined))?.reason
const chains = () => ({ chains: [world.network.chain], nowMs: world.context.ports.clock.nowMs() })

describe('whose turn it is to get energy', () => {
  beforeEach(beginAnew)

  it('is not kept out by an organisation whose agent is off, however many of its payments wait', async () => {
    await copyMany({ orgId: await otherOrganisation(false) })
    await attendAll(needs())
    assert.equal(await attended(), 'no_standing_order')
  })

  it('is not kept out by payments that wait after their last approval, and those get none before that is over', async () => {
    await copyMany({ signableAt: chains().nowMs + DAY_MS, state: 'waiting' })
    await attendAll(needs())
    assert.equal(await attended(), 'no_standing_order')
  })

  it('comes to each organisation in every look, however many of another cannot move', async () => {
    await copyMany({ orgId: await otherOrganisation(true) })
    const found = await world.db.asSystem((tx) => nextPayments(tx, chains(), newRounds().payments))
    assert.equal(found.length, AT_ONCE)
    assert.ok(found.some((each) => each.id === id))
  })

  it('comes to the newer payments of an organisation in a later look', async () => {
    await copyMany()
    const rounds = newRounds()
    for (let look = 0; look < 2; look++) await attendAll(needs(), () => false, rounds)
    assert.equal(await attended(), 'no_standing_order')
  })

  it('comes to a payment that is over, however many older ones are not', async () => {
    await attendAll(needs())
    await copyMany({ orgId: await otherOrganisation(false) })
    await endAll(world.orgId)
    await attendAll(needs())
    assert.equal((await supplyOf(id)).state, 'over')
  })

  it('comes to the loans of each organisation in every look, and to all of them in turn', async () => {
    await attendAll(needs())
    const other = await otherOrganisation(false)
    await copyMany({ orgId: other, state: 'returning' })
    for (const orgId of [other, world.orgId]) await endAll(orgId)
    const rounds = newRounds()
    const seen = new Set<string>()
    for (let look = 0; look < 2; look++) {
      const found = await world.db.asSystem((tx) => nextSupplies(tx, chains(), rounds.supplies))
      endLook(rounds.supplies, found)
      assert.ok(found.some((each) => each.order_id === id))
      for (const each of found) seen.add(each.id)
    }
    assert.equal(seen.size, MANY + 1)
  })

  it('comes to every organisation in some look, where there are more of them than one look takes', async () => {
    for (let other = 0; other < 3; other++) await copyMany({ orgId: await otherOrganisation(true), many: 1 })
    const rounds = newRounds()
    const seen: string[] = []
    for (let look = 0; look < 2; look++) {
      const found = await world.db.asSystem((tx) => nextPayments(tx, chains(), rounds.payments, 2))
      endLook(rounds.payments, found)
      seen.push(...found.map((each) => each.org_id))
    }
    assert.equal(new Set(seen).size, 4)
  })
})
