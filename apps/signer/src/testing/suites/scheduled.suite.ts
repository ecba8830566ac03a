import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { dueMs, intentHash, lastMs, type StandingOrderIntent } from '@holdfast/intent'
import { copyFolder, cosignAll, PAIRS, PARTIES, restart, runSession } from '../cluster.ts'
import { type Founded, type Office, openOffice } from '../founded-cluster.ts'
import { actsOf, type Asked } from '../office-acts.ts'
import { draftOf, OTHER_ADDRESS, type OrderOptions, requestOf } from '../order-of.ts'
import { NOW_MS, TOKEN } from '../organisation-of.ts'
import { declareAway, followSignerOrder, standingOrderAskedOf } from '../signer-order-of.ts'
import { SCHEDULED, scheduleOf, stopOf, TODAY } from '../standing-order-of.ts'
import { ann, ben } from '../world-of.ts'

type Schedule = Extract<StandingOrderIntent['does'], { kind: 'schedule' }>
type Payment = Pick<OrderOptions, 'amount' | 'changes'> & { parties?: readonly bigint[]; day?: bigint }

const DAYS = [1n, 2n, 4n].map((day) => TODAY + day)

/** Payments on dates, by three real signers: whatever a server does, each date is paid once, in its time, to the one address. */
export function scheduledSuite(get: () => Founded): void {
  const { signs, refuses, genesis } = actsOf(get)
  const scheduleIn = (of: Partial<StandingOrderIntent> = {}, does: Partial<Schedule> = {}): Partial<StandingOrderIntent> => {
    const { name, does: schedule, assets, limits, untilMs } = scheduleOf({ days: DAYS, ...does })
    const sources = [{ name: 'Operations', keyId: get().key.keyId, path: SCHEDULED.path }]
    return { name, does: schedule, assets, limits, sources, untilMs, ...of }
  }
  const follow = async (office: Office, of: Partial<StandingOrderIntent> = {}, does: Partial<Schedule> = {}) => {
    const made = await standingOrderAskedOf(office, { standing: scheduleIn(of, does) })
    await followSignerOrder(office, made.asked)
    return made.order
  }
  /** The payment of a day, a new order each time. */
  const pay = async (office: Office, order: StandingOrderIntent, { parties = [1n, 2n], day = DAYS[0]!, ...options }: Payment = {}): Promise<Asked> => {
    const { organisation, key } = get()
    const salt = office.log.checkpoint.size
    const does = order.does as Schedule
    const changes = { initiator: order.id, notBeforeMs: dueMs(does, day), expiresAtMs: lastMs(does, day), ...options.changes }
    const common = { fingerprint: organisation.fingerprint, policy: organisation.policy, key, initiator: ann, nonce: BigInt(salt), nowMs: office.time.nowMs }
    const draft = draftOf({ ...common, asset: TOKEN, amount: SCHEDULED.amount, path: SCHEDULED.path, ...options, salt, changes })
    const { request } = requestOf({ key, draft, approvals: [], log: office.log, parties: [...parties], salt: office.log.checkpoint.size })
    await cosignAll(office, office.log)
    return { ...request, standingOrder: intentHash(order) }
  }
  let asked = 0
  const again = (request: Asked): Asked => ({ ...request, nonce: new Uint8Array(32).fill(++asked) })
  const isDue = (office: Office, order: StandingOrderIntent, day = DAYS[0]!) => {
    office.time.nowMs = Number(dueMs(order.does as Schedule, day))
  }

  describe('scheduled payments of three signers', () => {
    it('are signed from each date on and once for each, by every pair, and the same one again as often as it is asked for', async (t) => {
      const office = await openOffice(t, get())
      const order = await follow(office)
      for (const pair of PAIRS) await refuses(office, await pay(office, order, { parties: pair }), 'c4', /not open yet/)
      for (const [i, pair] of PAIRS.entries()) {
        const day = DAYS[i]!
        isDue(office, order, day)
        const request = await pay(office, order, { parties: pair, day })
        await signs(office, request)
        for (const other of PAIRS) await refuses(office, await pay(office, order, { parties: other, day }), 'c9', /1 orders/)
        await signs(office, again(request))
      }
      for (const day of DAYS) await refuses(office, await pay(office, order, { day }), day === DAYS[0] ? 'c4' : 'c9')
    })

    it('are no others than people approved: of each attempt one signer says why', async (t) => {
      const office = await openOffice(t, get())
      const order = await follow(office)
      isDue(office, order)
      const attempts: Payment[] = [
        { amount: SCHEDULED.amount + 1n },
        { changes: { to: OTHER_ADDRESS } },
        { changes: { expiresAtMs: lastMs(order.does as Schedule, DAYS[0]!) + 1n } },
        { changes: { notBeforeMs: BigInt(NOW_MS) } },
      ]
      for (const [i, attempt] of attempts.entries()) await refuses(office, await pay(office, order, { ...attempt, parties: PAIRS[i % 3]! }), 'c5')
      await signs(office, await pay(office, order))
    })

    it('are not made twice by a newer version, nor opened by it for dates that have passed', async (t) => {
      const office = await openOffice(t, get())
      const order = await follow(office)
      isDue(office, order)
      const next = await standingOrderAskedOf(office, { standing: { ...scheduleIn({}, { minute: SCHEDULED.minute + 30n }), version: 2n } })
      await signs(office, await pay(office, order))
      await followSignerOrder(office, next.asked)
      office.time.nowMs += 3_600_000
      for (const pair of PAIRS) await refuses(office, await pay(office, next.order, { parties: pair }), 'c9')
      await refuses(office, await pay(office, order), 'c5', /no such standing order/)
      const past = await standingOrderAskedOf(office, { standing: { ...scheduleIn(), version: 3n } })
      await assert.rejects(followSignerOrder(office, past.asked), /before it was asked for/)
    })

    it('end with the word of one person, at whichever signer it was given', async (t) => {
      const office = await openOffice(t, get())
      const order = await follow(office)
      isDue(office, order)
      await office.calls.get(3)!.stopStandingOrders({ genesis: genesis(), stop: stopOf(ben, [order], { genesis: genesis() }) })
      await refuses(office, await pay(office, order), 'c6', /Ben stopped/)
      for (const party of [1, 2]) await restart(office, party)
      await declareAway(office, 3)
      await refuses(office, await pay(office, order), 'c6', /Ben stopped/)
    })

    it('are not made twice where the folder of a signer is put back', async (t) => {
      const office = await openOffice(t, get())
      const order = await follow(office)
      isDue(office, order)
      const copy = `${office.root}/copy`
      await restart(office, 2, (folder) => copyFolder(folder, copy))
      await signs(office, await pay(office, order))
      await restart(office, 2, async (folder) => {
        await rm(folder, { recursive: true })
        await copyFolder(copy, folder)
      })
      assert.equal(PARTIES.length, 3)
      for (const parties of PAIRS) {
        const outcomes = await runSession(office.calls, await pay(office, order, { parties }))
        assert.ok([...outcomes.values()].every((each) => each instanceof Error))
      }
    })
  })
}
