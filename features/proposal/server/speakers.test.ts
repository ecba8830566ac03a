import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Endpoint } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { MailTopic } from '@holdfast/features/mail/contract'
import { permissionsOf, createSealer } from '@holdfast/features/session/server'
import type { MemberContext } from '@holdfast/http'
import { nodePorts } from '@holdfast/ports/node'
import { uuidToBytes } from '@holdfast/units'
import { proposals } from '../../../apps/server/src/features.ts'
import { approveBy, namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { submitBatch, uploadBatch } from '../../batch-transfer/contract.ts'
import { batchTransferEndpoints } from '../../batch-transfer/server/routes.ts'
import { listInbox } from '../../inbox/contract.ts'
import { inboxEndpoints } from '../../inbox/server/routes.ts'
import { sendDuePushes } from '../../push/server/send-pushes.ts'
import { saveOutOfOffice } from '../../team/server/out-of-office.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { approve, ETH, fund, makeWallet, type Member, openWorld, requestWithdrawal, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'
import { hashesWaiting, listProposals } from './list-proposals.ts'
import { remindApprovers } from './remind-approvers.ts'
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
async function inboxOf(personId: string) {
  const caller = { orgId: world.orgId, personId, language: 'en_US', session: { permissions: permissionsOf('owner') } }
  const { handler } = inboxEndpoints(world.context, proposals).find(({ endpoint }) => endpoint.path === listInbox.path)!
  return listInbox.output.parse(await handler(caller as unknown as MemberContext, {} as never))
}
const mailedOf = async (topic: MailTopic, id: string) => {
  const mails = await inOrganisation((tx) => tx.selectFrom('mail').select('person_id').where('topic', '=', topic).where('about_id', '=', id).execute())
  return mails.map((each) => each.person_id).sort()
}
const isBack = () => inOrganisation((tx) => tx.updateTable('absence').set({ ended_at: 1 }).where('org_id', '=', tx.orgId).execute())

async function callBatch<E extends Endpoint>(endpoint: E, input: object): Promise<unknown> {
  const endpoints = batchTransferEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
  const { handler } = endpoints.find((each) => each.endpoint === endpoint)!
  return handler({ orgId: world.orgId, personId: ann.id, language: 'en_US' } as never, input as never)
}

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
  assert.deepEqual(await mailedOf('order_stoppable', id), [ben.id, cleo.id].sort())
  const stopsOf = async ({ id: personId }: Member) => {
    const { needs } = await inboxOf(personId)
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

it('whoever decides for another is reminded as they are, by e-mail and in the inbox, until that has ended', async () => {
  await letsDecide(ben)
  const { id } = await ask()
  await inOrganisation((tx) => remindApprovers(tx, world.context, proposals, { itemId: id, personId: ann.id }))
  assert.deepEqual(await mailedOf('order_waits', id), [ben.id, cleo.id].sort())
  const remindedOf = async (who: Member) =>
    (await inboxOf(who.id)).news.flatMap((each) => (each.kind === 'reminder' && each.key.endsWith(id) ? [each.name] : []))
  assert.deepEqual(await Promise.all([ann, ben, cleo].map(remindedOf)), [[], ['Ann'], ['Ann']])
  await letsDecide(undefined)
  assert.deepEqual(await Promise.all([ben, cleo].map(remindedOf)), [[], ['Ann']])
})

it('whoever decides for another gets the e-mail that a batch waits for them', async () => {
  const askBatch = async () => {
    const file = new File([`address,amount\n${STRANGER},0.1\n0x${'2'.repeat(40)},0.1`], 'payroll.csv')
    const draft = await callBatch(uploadBatch, { sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', file })
    const { batch_id: id } = uploadBatch.output.parse(draft)
    await callBatch(submitBatch, { batch_id: id, mode: 'single', execution: 'strict', fee_tier: 'normal', remark: '' })
    return id
  }
  assert.deepEqual(await mailedOf('batch_waits', await askBatch()), [cleo.id])
  await letsDecide(ben)
  assert.deepEqual(await mailedOf('batch_waits', await askBatch()), [ben.id, cleo.id].sort())
  await letsDecide(undefined)
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
