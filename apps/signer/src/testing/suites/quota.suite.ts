import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode } from '@holdfast/encoding'
import { requestHash, type SessionRequest, sessionRequestShape } from '@holdfast/protocol'
import { resultOf, runSession } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'

const TEN_MINUTES = 600_000

/** How much a server can have a signer write. `get` gives the founded organisation, which exists once the tests run. */
export function quotaSuite(get: () => Founded): void {
  const open = (office: Office, request: SessionRequest) => office.calls.get(1)!.openSession({ request: encode(sessionRequestShape, request) })

  async function sign(office: Office, request: SessionRequest): Promise<void> {
    const outcomes = await runSession(office.calls, request)
    for (const party of [1, 2]) resultOf(outcomes, party)
  }

  /** The same request, as a server that asks again makes it. */
  function again<R extends SessionRequest>(request: R, time: number): R {
    const nonce = new Uint8Array(32).fill(time % 256)
    nonce[0] = time >> 8
    return { ...request, nonce }
  }

  /** Opens and ends sessions until the signer takes no more. Answers how many it took. */
  async function openUntilRefused(office: Office, request: SessionRequest, from = 0): Promise<number> {
    for (let time = 0; time < 300; time++) {
      const next = again(request, from + time)
      const opened = await open(office, next).then(
        () => true,
        ({ kind, message }: { kind: string; message: string }) => {
          assert.deepEqual([kind, /ask again when they are over/.test(message)], ['unavailable', true], message)
          return false
        },
      )
      if (!opened) return time
      await office.calls.get(1)!.endSession({ requestHash: requestHash(next) })
    }
    throw new Error('it was never refused')
  }

  describe('a server that asks for ever', () => {
    it('has no more than so many sessions of one order begun and written down in ten minutes, while others are signed', async (t) => {
      const office = await openOffice(t, get())
      const [order, other] = [await office.request(), await office.request()]
      const journal = journalOf(office, 1)
      const before = journal.position
      const taken = await openUntilRefused(office, order)
      assert.equal(journal.position, before + 2 * taken)
      await openUntilRefused(office, order, taken)
      assert.equal(journal.position, before + 2 * taken, 'what was not taken is not written')
      await sign(office, other)
    })

    it('may ask for the order again when the ten minutes are over, and it is signed', async (t) => {
      const office = await openOffice(t, get())
      const order = await office.request()
      await openUntilRefused(office, order)
      office.time.nowMs += TEN_MINUTES
      await sign(office, again(order, 5000))
    })

    it('may fail with an order as often as a server does that tries again, also with one signer all the time, and it is signed', async (t) => {
      const office = await openOffice(t, get())
      const order = await office.request()
      for (let time = 0; time < 105; time++) {
        const failed = again(order, time)
        await open(office, failed)
        await office.calls.get(1)!.endSession({ requestHash: requestHash(failed) })
      }
      await sign(office, again(order, 5000))
    })

    it('has the same refusal stated as often as it asks, and written once', async (t) => {
      const office = await openOffice(t, get())
      const request = { ...office.requestWithoutCosigning(), approvals: [] }
      const journal = journalOf(office, 1)
      const before = journal.position
      const statements: unknown[] = []
      for (let time = 0; time < 3; time++) await open(office, request).catch(({ statement }) => statements.push(statement))
      assert.deepEqual([statements.length, statements.every(Boolean), journal.position], [3, true, before + 1])
    })
  })
}
