import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, encode, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { intentHash, intentShape, STOPPED_MAX } from '@holdfast/intent'
import { type AskServer, createApprovalApi, type JsonRecord } from '../../page/approval-api.ts'
import { PAIRS, PARTIES, restart } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { actsOf } from '../office-acts.ts'
import { followStanding, standingOrderIn, stopOf, sweepUnder } from '../standing/standing-acts.ts'
import { STANDING_ID } from '../standing-order-of.ts'
import { ben, cleo, outsider } from '../world-of.ts'

const LEFT_OUT: AskServer = async () => ({ status: 500, body: { error: 'left out' } })

/** Standing orders as the approval page of a signer shows and stops them. */
export function standingStopSuite(get: () => Founded): void {
  const { signs, refuses, genesis } = actsOf(get)
  const pageAt = (office: Office, party: number, ask = LEFT_OUT) => createApprovalApi(office.signers.get(party)!, ask)
  const stoppedAt = (office: Office, party: number) => journalOf(office, party).register.standingOrders.get(toHex(STANDING_ID))?.stoppedBy

  describe('a stop of a standing order', () => {
    it('by one person at any page stops it at all signers, whatever the server passes on, until the quorum approves a newer version', async (t) => {
      const office = await openOffice(t, get())
      const order = await followStanding(office)
      for (const parties of PAIRS) await signs(office, await sweepUnder(office, order, [...parties]))
      const stop = stopOf(office, cleo, [{ id: order.id, version: 1n }])
      const { body } = await pageAt(office, 3)('standing.stop', { stop: toHex(stop) })
      assert.deepEqual([body.state, body.passed], ['stopped', false])
      assert.deepEqual(body.orders, [{ intent: toHex(encode(intentShape, order)), stopped_by: toHex(cleo.person.id) }])
      await restart(office, 3)
      await refuses(office, await sweepUnder(office, order), 'c6', /Cleo stopped the standing order “Collect deposits”/)
      for (const party of PARTIES) assert.deepEqual(stoppedAt(office, party), cleo.person.id, `signer ${party} heard of it in words`)
      await signs(office, await office.request())

      const next = await followStanding(office, { version: 2n })
      await refuses(office, await sweepUnder(office, order), 'c5')
      for (const party of PARTIES) assert.equal(stoppedAt(office, party), null)
      assert.equal((await pageAt(office, 1)('standing.stop', { stop: toHex(stop) })).status, 200, 'what was stopped before is no longer what goes on')
      assert.equal(stoppedAt(office, 1), null)
      assert.equal(next.version, 2n)
    })

    it('is passed on to the server, for the other signers', async (t) => {
      const office = await openOffice(t, get())
      const order = await followStanding(office)
      const stop = toHex(stopOf(office, ben, [{ id: order.id, version: 1n }]))
      const asked: [string, JsonRecord][] = []
      const page = pageAt(office, 2, async (method, body) => {
        asked.push([method, body])
        return { status: 200, body: {} }
      })
      assert.equal((await page('standing.stop', { stop })).body.passed, true)
      assert.deepEqual(asked, [['standing.stop', { stop, language: 'en_US' }]])
      await office.calls.get(1)!.stopStandingOrders({ genesis: genesis(), stop: fromHex(stop) })
      assert.deepEqual(stoppedAt(office, 1), ben.person.id)
    })

    it('counts only where somebody who approves or governs has signed it, and then for as many as a signer follows', async (t) => {
      const office = await openOffice(t, get())
      const order = await followStanding(office)
      const all = Array.from({ length: STOPPED_MAX }, (_, i) => ({ id: i === 0 ? order.id : new Uint8Array(16).fill(i), version: 1n }))
      const refused = await pageAt(office, 1)('standing.stop', { stop: toHex(stopOf(office, outsider, all)) })
      assert.deepEqual([refused.status, refused.body.code], [400, 'freeze-by-stranger'])
      const { code } = (await pageAt(office, 1)('standing.stop', { stop: '00' })).body
      assert.equal(code, 'page-unreadable')
      assert.equal(stoppedAt(office, 1), null)
      const stop = stopOf(office, ben, all)
      assert.equal((await pageAt(office, 1)('standing.stop', { stop: toHex(stop) })).status, 200)
      await office.calls.get(2)!.stopStandingOrders({ genesis: genesis(), stop })
      for (const party of [1, 2]) assert.deepEqual(stoppedAt(office, party), ben.person.id)
    })
  })

  describe('the approval page', () => {
    it('is told by its signer which standing orders that signer follows, and which of them a newer version would replace', async (t) => {
      const office = await openOffice(t, get())
      const kept = async () =>
        (await pageAt(office, 1)('standing.get', { genesis: toHex(genesis()) })).body.orders as { intent: string; stopped_by: string | null }[]
      assert.deepEqual(await kept(), [])
      const order = await followStanding(office)
      const next = standingOrderIn(office, { version: 2n })
      const shown = await createApprovalApi(office.signers.get(1)!, async () => ({
        status: 200,
        body: { intent: toHex(encode(intentShape, next)), approvals: [], state: 'approving' },
      }))('order.get', { hash: toHex(intentHash(next)) })
      const [only] = await kept()
      assert.ok(equalBytes(intentHash(decode(intentShape, fromHex(only!.intent))), intentHash(order)))
      assert.deepEqual(shown.body.kept, only)
      assert.equal(only!.stopped_by, null)
      const stop = stopOf(office, cleo, [{ id: order.id, version: 1n }])
      await pageAt(office, 1)('standing.stop', { stop: toHex(stop) })
      assert.deepEqual((await kept())[0]!.stopped_by, toHex(cleo.person.id))
    })
  })
}
