import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OrganisationTx } from '@holdfast/db'
import { permissionsOf, createSealer } from '@holdfast/features/session/server'
import type { MemberContext } from '@holdfast/http'
import { nodePorts } from '@holdfast/ports/node'
import { uuidToBytes } from '@holdfast/units'
import { proposals } from '../../../apps/server/src/features.ts'
import { approveBy, namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { listInbox } from '../../inbox/contract.ts'
import { inboxEndpoints } from '../../inbox/server/routes.ts'
import { sendDuePushes } from '../../push/server/send-pushes.ts'
import { saveOutOfOffice } from '../../team/server/out-of-office.ts'
import { approve, ETH, fund, makeWallet, type Member, openWorld, requestWithdrawal, type Wallet, type World } from '../../testing/test-world.ts'
import { hashesWaiting, listProposals } from './list-proposals.ts'
import { tellStoppers } from './tell-stoppers.ts'
import { closeProposal } from './write-proposal.ts'

// Ann asks, Cleo must approve, and Ben decides for Cleo.
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const idOf = ({ id }: Member) => personOf({ id: uuidToBytes(id) })

let world: World
let wallet: Wallet
let ann: Member
let ben: Member
let cleo: Member
let sequence = 0n

before(async () => {
  world = await openWorld({ namedRules: ([, , last]) => [namedRule('one', { action: approveBy([{ need: 1n, who: [idOf(last!)] }]) })] })
  ;[ann, ben, cleo] = world.members
  wallet = await makeWallet(world)
  await fund(world, wallet, 20n * ETH)
})
after(() => world?.close())

const nowMs = () => world.context.ports.clock.nowMs()
const inOrganisation = <T>(act: (tx: OrganisationTx) => Promise<T>) => world.db.asOrganisation(world.orgId, act)
const ask = async () => (await requestWithdrawal(world, wallet, { amount: '0.1', expireHours: 72 })).order.row

/** Cleo lets Ben decide from now on, or ends that. Whose statement it is, and that she may make it, is tried elsewhere. */
async function letsDecide(delegate: Member | undefined): Promise<void> {
  sequence += 1n
  const bytes = new Uint8Array(32).fill(Number(sequence))
  const [from_at, until_at] = delegate ? [nowMs(), nowMs() + 10 * DAY_MS] : [0, 0]
  await inOrganisation((tx) =>
    tx
      .insertInto('delegation')
      .values({
        ...{ org_id: tx.orgId, person_id: cleo.id, delegate_id: delegate?.id ?? null, from_at, until_at },
        ...{ sequence, record: bytes, hash: bytes, told: JSON.stringify([]), created_at: nowMs(), updated_at: nowMs() },
      })
      .execute(),
  )
}
const away = (who: Member) =>
  inOrganisation((tx) =>
    saveOutOfOffice(tx, world.context, { personId: who.id, role: 'owner', language: 'en_US' }, { from: nowMs(), to: nowMs() + DAY_MS, note: '' }),
  )
const isBack = () => inOrganisation((tx) => tx.updateTable('absence').set({ ended_at: 1 }).where('org_id', '=', tx.orgId).execute())

it('whoever decides for another hears what can still be stopped: by e-mail, in their inbox, at the approval page', async () => {
  await letsDecide(ben)
  const { id, intent_hash: hash } = await ask()
  const untilMs = BigInt(nowMs() + 10 * MINUTE_MS)
  await inOrganisation(async (tx) => {
    await closeProposal(tx, id)
    await tellStoppers(tx, world.context, { subjectId: id, untilMs })
    const waits = { state: 'approved', sub_status: 'cooling', signable_at: untilMs }
    await tx
      .updateTable('transfer_order')
      .set(waits as never)
      .where('id', '=', id)
      .execute()
  })
  const letters = await inOrganisation((tx) => tx.selectFrom('mail').select('person_id').where('topic', '=', 'order_stoppable').execute())
  assert.deepEqual(letters.map((each) => each.person_id).sort(), [ben.id, cleo.id].sort())
  const stopsOf = async ({ id: personId }: Member) => {
    const caller = { orgId: world.orgId, personId, language: 'en_US', session: { permissions: permissionsOf('owner') } }
    const { handler } = inboxEndpoints(world.context, proposals).find(({ endpoint }) => endpoint.path === listInbox.path)!
    const { needs } = listInbox.output.parse(await handler(caller as unknown as MemberContext, {} as never))
    const page = await inOrganisation((tx) => hashesWaiting(tx, proposals, { personId, nowMs: nowMs() }))
    return [needs.stops.map((each) => each.id), page]
  }
  const told = [[id], [new Uint8Array(hash)]]
  assert.deepEqual(await Promise.all([ann, ben, cleo].map(stopsOf)), [[[], []], told, told])
  await letsDecide(undefined)
  assert.deepEqual(await stopsOf(ben), [[], []], 'she decides for herself again')
})

it('a device of theirs is told when something begins to wait for whom they decide, and nothing more once that has ended', async () => {
  const sealer = createSealer([new Uint8Array(32).fill(7)], nodePorts.random)
  const due = async () => {
    world.clock.aheadMs += 10 * MINUTE_MS
    return sendDuePushes({ ...world.context, sealer, localHosts: new Set() }, new AbortController().signal)
  }
  await world.db.asSystem((tx) =>
    tx
      .insertInto('push_subscription')
      .values({
        ...{ org_id: world.orgId, person_id: ben.id, endpoint: 'https://push.invalid/ben', created_at: nowMs(), told_at: nowMs() },
        ...{ last_told_at: null, next_at: nowMs(), failures: 0 },
      })
      .execute(),
  )
  const open = await ask()
  assert.equal(await due(), 0, 'it waits for Cleo alone')
  await letsDecide(ben)
  assert.equal(await due(), 1)
  await letsDecide(undefined)
  world.clock.aheadMs += DAY_MS
  assert.equal(await due(), 0)
  await letsDecide(ben)
  await approve(world, open.id, cleo)
  assert.equal(await due(), 0, 'she has spoken herself')
})

it('who is away is missing only where nobody who is there decides for them', async () => {
  await letsDecide(undefined)
  const { id } = await ask()
  const missing = async () => {
    const viewer = { context: world.context, language: 'en_US' as const, personId: ann.id, nowMs: nowMs(), fiat: 'USD' as const }
    const { list } = await inOrganisation((tx) => listProposals({ ...viewer, tx }, proposals, { state: 'mine', page_no: 1, page_size: 50 }))
    return list.find(({ item_id: itemId }) => itemId === id)!.absent?.people.map(({ name }) => name) ?? []
  }
  await away(cleo)
  assert.deepEqual(await missing(), ['Cleo'])
  await letsDecide(ben)
  assert.deepEqual(await missing(), [])
  await away(ben)
  assert.deepEqual(await missing(), ['Cleo'])
  await isBack()
})
