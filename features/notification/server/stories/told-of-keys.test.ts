import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { createSealer } from '@holdfast/features/session/server'
import { makeWallet, openWorld, type Wallet, type World } from '../../../testing/test-world.ts'
import type { Side } from '../../contract.ts'
import { saveWebhookEndpoint } from '../change-endpoints.ts'
import { tellWhatTimeBrings } from '../tell-endpoints.ts'
import { demandToldAsDescribed } from '../testing/told-as-described.ts'

const DAY_MS = 24 * 3_600_000

describe('what endpoints are told of keys', () => {
  let world: World
  let wallet: Wallet
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())
  beforeEach(async () => {
    // One of its own for each test, so that nothing is left of the one before.
    wallet = await makeWallet(world)
    await proven(now())
    await listen(['key'])
  })
  afterEach(async () => {
    world.clock.aheadMs = 0
    await world.db.asSystem((tx) =>
      tx
        .updateTable('webhook_endpoint')
        .set({ removed_at: now() + 365 * DAY_MS })
        .where('removed_at', 'is', null)
        .execute(),
    )
  })

  const now = () => world.context.ports.clock.nowMs()
  /** As a drill leaves it; what a drill has to show is tested where it is handed in. */
  const proven = (atMs: number) =>
    world.db.asSystem((tx) =>
      tx
        .updateTable('recovery_kit')
        .set({ verified_at: atMs, drill: Uint8Array.of(1) })
        .execute(),
    )
  let endpoint = ''
  async function listen(sides: Side[]): Promise<void> {
    const { ports } = world.context
    const needs = { ports, sealer: createSealer([new Uint8Array(32)], ports.random) }
    const asked = { url: 'https://endpoint.example/', sides, confirmations_step: 0, pause_after: 20 }
    endpoint = await world.db.asOrganisation(world.orgId, (tx) => saveWebhookEndpoint(tx, needs, world.members[0].id, asked))
  }
  /** Everything the endpoint is told, after the sweep has run twice: a second one adds nothing. */
  async function told() {
    await tellWhatTimeBrings(world.context, () => false)
    await tellWhatTimeBrings(world.context, () => false)
    const rows = await world.db.asSystem((tx) => tx.selectFrom('webhook_delivery').select('body').where('endpoint_id', '=', endpoint).orderBy('seq').execute())
    const bodies = rows.map(
      (row) => JSON.parse(row.body) as { event: string; seq: number; wallet_id: string; reminders: { kind: string; party: number | null }[] },
    )
    bodies.forEach(demandToldAsDescribed)
    return bodies.filter((each) => each.wallet_id === wallet.walletId)
  }
  const inShort = async () => (await told()).map(({ event, reminders }) => [event, ...reminders.map(({ kind, party }) => (party ? `${kind} ${party}` : kind))])
  const checked = async (fault: string | null, party: number | null) => {
    const outcome = { fault, fault_party: party, checked_at: fault === null ? now() : null, tried_at: now(), next_at: now() + DAY_MS }
    await world.db.asOrganisation(world.orgId, async (tx) => {
      const { key_id } = await tx.selectFrom('key_of_wallet').select('key_id').where('wallet_id', '=', wallet.walletId).executeTakeFirstOrThrow()
      await tx
        .insertInto('share_check')
        .values({ org_id: tx.orgId, key_id, epoch: 0n, asked_by: null, ...outcome })
        .onConflict((conflict) => conflict.columns(['org_id', 'key_id']).doUpdateSet(outcome))
        .execute()
    })
  }

  it('is each drill that comes near and that is overdue, once each, and that the key is in order again', async () => {
    assert.deepEqual(await told(), [])
    world.clock.aheadMs = 76 * DAY_MS
    assert.deepEqual(await inShort(), [['key.needs_attention', 'drill_soon']])
    world.clock.aheadMs = 91 * DAY_MS
    assert.deepEqual((await inShort()).slice(1), [['key.needs_attention', 'drill_overdue']])
    await proven(now())
    assert.deepEqual((await inShort()).slice(2), [['key.in_order']])
    const bodies = await told()
    assert.deepEqual(
      bodies.map(({ seq, wallet_id }) => [seq, wallet_id]),
      [1, 2, 3].map((seq) => [seq, wallet.walletId]),
    )
  })

  it('is a check of shares that failed, with the signer it is about, and not once more for each try', async () => {
    await checked('proof that it has its share of the key', 3)
    const first = await inShort()
    assert.deepEqual(first, [['key.needs_attention', 'check_failed 3']])
    world.clock.aheadMs = 600_000
    await checked('proof that it has its share of the key', 3)
    assert.deepEqual(await inShort(), first)
    await checked('proof that it has its share of the key', 2)
    assert.deepEqual((await inShort()).slice(1), [['key.needs_attention', 'check_failed 2']])
    await checked(null, null)
    assert.deepEqual((await inShort()).slice(2), [['key.in_order']])
  })

  it('is told though what another organisation is to be told cannot be read', async () => {
    await checked('proof that it has its share of the key', 3)
    const { db } = world
    const asOrganisation: typeof db.asOrganisation = (orgId, act) =>
      orgId === 'broken' ? Promise.reject(new Error('unreadable')) : db.asOrganisation(orgId, act)
    const asSystem = (async () => [{ org_id: 'broken' }, { org_id: world.orgId }]) as never
    const causes: unknown[] = []
    await tellWhatTimeBrings(
      { ...world.context, db: { ...db, asSystem, asOrganisation } },
      () => false,
      (cause) => causes.push(cause),
    )
    assert.match(String(causes), /unreadable/)
    const rows = await db.asSystem((tx) => tx.selectFrom('webhook_delivery').select('event').where('endpoint_id', '=', endpoint).execute())
    assert.ok(rows.some(({ event }) => event === 'key.needs_attention'))
  })

  it('is nothing to who listens to other things', async () => {
    await listen(['deposit'])
    await checked('proof that it has its share of the key', 3)
    assert.deepEqual(await told(), [])
  })
})
