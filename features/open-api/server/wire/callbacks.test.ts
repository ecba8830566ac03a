import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Relay, relayOutbox } from '@holdfast/jobs'
import { openSegments, publicKeyText } from '@holdfast/open-wire'
import fc from 'fast-check'
// @ts-expect-error -- the example is plain JavaScript, as integrators have it
import { createMemory, openCallback } from '../../../../docs/examples/receive-callbacks.mjs'
import { removeWebhookEndpoint, saveWebhookEndpoint } from '../../../notification/server/change-endpoints.ts'
import { createCourier, type Courier } from '../../../notification/server/courier.ts'
import { notificationSubscriber } from '../../../notification/server/tell-endpoints.ts'
import { ETH, fund, makeWallet } from '../../../testing/test-world.ts'
import { MACHINE, openWireWorld, type WireWorld } from '../testing/wire-world.ts'
import { callbackManner, callbackSubscriber } from './callbacks.ts'

type Said = Record<string, unknown> & { side: string; id: number; seq: number; notify_id: string; status: number; attempt: number }
const ALL = ['deposit', 'withdraw', 'web3-trans'] as const

let wire: WireWorld
let relay: Relay
let courier: Courier
let server: Server
let url: string
/** The bodies that came, and what is answered to the next. */
const came: string[] = []
const answers: (string | undefined)[] = []

before(async () => {
  wire = await openWireWorld()
  const { context } = wire.world
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      came.push(Buffer.concat(pieces).toString('latin1'))
      response.end(answers.shift() ?? 'SUCCESS')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  url = `http://${host}/hook`
  const subscribers = [notificationSubscriber(context), callbackSubscriber(context)]
  relay = relayOutbox({ ports: context.ports, db: context.db, subscribers, pollMs: 50 })
  const needs = { db: context.db, ports: context.ports, sealer: wire.sealer, settings: context.settings }
  courier = createCourier(needs, callbackManner(context, wire.sealer), { localHosts: new Set([host]), report: (cause) => console.error(cause) })
})
after(async () => {
  await courier.stop()
  await relay.close()
  server.close()
  await wire.world.close()
})
beforeEach(() => {
  came.length = 0
  answers.length = 0
})

/** Sends until nothing is due. */
async function deliver(): Promise<void> {
  const { context } = wire.world
  for (;;) {
    const waiting = await context.db.asSystem((tx) => tx.selectFrom('outbox').select('sequence').where('published_at', 'is', null).limit(1).execute())
    if (waiting.length === 0) break
    await context.ports.timer.sleep(10)
  }
  while ((await courier.round()) > 0) await courier.idle()
}

const open = (body: string | undefined, nowMs = wire.world.context.ports.clock.nowMs()): Said | undefined =>
  openCallback(body ?? '', { appId: wire.appId, systemKey: publicKeyText(wire.platform), nowMs })
const heard = () => came.map((body) => open(body))

describe('callbacks of door two', () => {
  it('tell nothing before people confirmed an address, and nothing of what was before', async () => {
    await wire.ask('/billing/withdraw', wire.signed(await wire.payment('callback-before', { amount: '0.1' })))
    await deliver()
    await wire.set({}, { url, sides: [...ALL] })
    await deliver()
    assert.deepEqual(came, [])
  })

  it('tell a deposit and a payment by the numbers of the lists, for the key that reads answers', async () => {
    await fund(wire.world, wire.wallet, ETH)
    await wire.ask('/billing/withdraw', wire.signed(await wire.payment('callback-pays', { amount: '0.1' })))
    await deliver()
    const said = heard()
    assert.ok(said.length > 1 && said.every((each) => each !== undefined))
    const deposit = said.findLast((each) => each?.side === 'deposit')
    const { data: deposits } = await wire.ask('/billing/sync_deposit_list', { max_id: 0 })
    const listed = (deposits as Said[]).at(-1)!
    const same = ['id', 'sub_wallet_id', 'symbol', 'base_symbol', 'amount', 'address_to', 'txid', 'status', 'tx_height', 'contract_address', 'memo'] as const
    assert.deepEqual(
      same.map((field) => deposit?.[field]),
      same.map((field) => listed[field]),
    )
    const paid = said.find((each) => each?.side === 'withdraw')
    const { data: orders } = await wire.ask('/billing/withdraw_list', { ids: 'callback-pays' })
    const [order] = orders as Said[]
    const ofOrder = [...same.filter((field) => field !== 'txid'), 'request_id', 'fee', 'fee_symbol', 'withdraw_source'] as const
    assert.deepEqual(
      ofOrder.map((field) => paid?.[field]),
      ofOrder.map((field) => order?.[field]),
    )
    assert.deepEqual([paid?.['charset'], paid?.seq, paid?.attempt], ['utf-8', 1, 1])
    assert.match(String(paid?.['notify_time']), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  it('are called again, the same but for the try, until they are answered SUCCESS', async () => {
    answers.push('FAILURE', '', 'OK', '{"code":"0"}')
    await wire.ask('/billing/withdraw', wire.signed(await wire.payment('callback-again', { amount: '0.1' })))
    for (let tries = 1; tries <= 5; tries++) {
      await deliver()
      wire.world.clock.aheadMs += 3_600_000
    }
    const said = came.map((body) => open(body, wire.world.context.ports.clock.nowMs()) ?? (JSON.parse(openSegments(dataOf(body), wire.platform)!.text) as Said))
    assert.equal(new Set(said.map(({ notify_id: id }) => id)).size, 1)
    assert.deepEqual(
      said.map(({ attempt }) => attempt),
      [1, 2, 3, 4, 5],
    )
    const tries = await wire.world.db.asSystem((tx) => tx.selectFrom('webhook_attempt').select(['failure', 'answer']).orderBy('at').execute())
    assert.deepEqual(
      tries.slice(-5).map(({ failure }) => failure),
      ['answered_failure', 'not_success', 'not_success', 'not_success', null],
    )
  })

  it('are one of the server, whole and of now, or none for the receiver of the documentation', async () => {
    await wire.ask('/billing/withdraw', wire.signed(await wire.payment('callback-one-1', { amount: '0.1', remark: 'one' })))
    await wire.ask('/billing/withdraw', wire.signed(await wire.payment('callback-two-2', { amount: '0.1', remark: 'two' })))
    await deliver()
    const [one, two] = came as [string, string]
    const nowMs = wire.world.context.ports.clock.nowMs()
    assert.ok(open(one) && open(two))
    assert.equal(open(one, nowMs + 400_000), undefined, 'a recording is told by its time')
    assert.equal(open(one.replace(wire.appId, `${wire.appId}x`)), undefined)
    const bytes = (body: string) => Buffer.from(dataOf(body), 'base64url')
    const formOf = (data: Buffer) => new URLSearchParams({ app_id: wire.appId, data: data.toString('base64url') }).toString()
    const spliced = Buffer.concat([bytes(one).subarray(0, 256), bytes(two).subarray(256)])
    assert.ok(openSegments(spliced.toString('base64url'), wire.platform), 'each segment is of the server')
    assert.equal(open(formOf(spliced)), undefined, 'and they do not belong together')
    fc.assert(
      fc.property(fc.nat(bytes(one).length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const harmed = Buffer.from(bytes(one))
        harmed[at] = harmed[at]! ^ flip
        assert.equal(open(formOf(harmed)), undefined)
      }),
      { numRuns: 40 },
    )
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (body) => assert.equal(open(body), undefined)))
    const isNews: (said: Said) => boolean = createMemory()
    assert.deepEqual([open(one)!, open(one)!, open(two)!].map(isNews), [true, false, true])
  })

  it('tell every payment also where the organisation has webhook endpoints of its own, and those of every one too', async () => {
    const { db, orgId, context, members } = wire.world
    const own = { url: 'https://endpoint.example/hook', sides: ['withdraw' as const], confirmations_step: 0, pause_after: 20 }
    const needs = { ports: context.ports, sealer: wire.sealer }
    const endpointId = await db.asOrganisation(orgId, (tx) => saveWebhookEndpoint(tx, needs, members[0].id, own))
    const ids = ['callback-beside-1', 'callback-beside-2']
    for (const id of ids) await wire.ask('/billing/withdraw', wire.signed(await wire.payment(id, { amount: '0.1' })))
    await deliver()
    const told = await db.asSystem((tx) => tx.selectFrom('webhook_delivery').select('request_id').where('endpoint_id', '=', endpointId).execute())
    const called = heard().map((each) => String(each?.['request_id']))
    assert.deepEqual([called.toSorted(), told.map((each) => String(each.request_id)).toSorted()], [ids, ids])
    await db.asOrganisation(orgId, (tx) => removeWebhookEndpoint(tx, needs, members[0].id, endpointId))
  })

  it('are of the sub-wallets that the key may name', async () => {
    const other = await makeWallet(wire.world, 'Other')
    await wire.set({ wallets: [other.subWalletId] })
    await fund(wire.world, wire.wallet, ETH)
    await fund(wire.world, other, ETH)
    await deliver()
    const wallets = await wire.world.db.asSystem((tx) =>
      tx.selectFrom('wire_number').select('number').where('kind', '=', 'sub_wallet').where('subject_id', '=', other.subWalletId).execute(),
    )
    assert.ok(came.length > 0)
    assert.deepEqual(
      [...new Set(heard().map((each) => each?.['sub_wallet_id']))],
      wallets.map(({ number }) => Number(number)),
    )
    await wire.set({ wallets: null })
  })

  it('are sent no more once the key is off, and are numbered on when it is on again', async () => {
    const { payment, signed, ask, set } = wire
    await ask('/billing/withdraw', signed(await payment('callback-off-1', { amount: '0.1' })))
    answers.push('FAILURE')
    await deliver()
    const first = came.length
    await set({ is_on: false })
    wire.world.clock.aheadMs += 3_600_000
    await deliver()
    assert.equal(came.length, first, 'what was to be tried again is not')
    await set({ is_on: true })
    await ask('/billing/withdraw', signed(await payment('callback-on-again', { amount: '0.1' })))
    await deliver()
    assert.equal(open(came.at(-1))?.['request_id'], 'callback-on-again')
    const rows = await wire.world.db.asSystem((tx) => tx.selectFrom('webhook_endpoint').select('machine_id').where('machine_id', 'is not', null).execute())
    assert.deepEqual(rows, [{ machine_id: MACHINE }], 'it is the same endpoint')
    await set({ permissions: ['withdraw.create'] })
    await fund(wire.world, wire.wallet, ETH)
    const before = came.length
    await deliver()
    assert.equal(came.length, before, 'whoever may not read hears nothing')
  })

  it('go where the settings say, which nobody changes at the page of webhooks', async () => {
    await wire.set({ permissions: ['wallet.read'] })
    await deliver()
    const { id } = await wire.world.db.asSystem((tx) =>
      tx.selectFrom('webhook_endpoint').select('id').where('machine_id', '=', MACHINE).executeTakeFirstOrThrow(),
    )
    const { ports } = wire.world.context
    const asked = { endpoint_id: id, url: 'https://elsewhere.example/hook', sides: ['deposit' as const], confirmations_step: 0, pause_after: 20 }
    const saved = wire.world.db.asOrganisation(wire.world.orgId, (tx) =>
      saveWebhookEndpoint(tx, { ports, sealer: wire.sealer }, wire.world.members[0].id, asked),
    )
    await assert.rejects(saved, /300061|belongs to the API key/)
  })
})

const dataOf = (body: string): string => new URLSearchParams(body).get('data') ?? ''
