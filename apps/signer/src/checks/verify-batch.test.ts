import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { toHex } from '@holdfast/encoding'
import { type BatchIntent, intentHash, partOf } from '@holdfast/intent'
import fc from 'fast-check'
import { batchBytes, batchOf, LINES, type LineOptions, lineRequest } from '../testing/batch-of.ts'
import { OTHER_ADDRESS, RECIPIENT_ADDRESS } from '../testing/order-of.ts'
import { DAY_MS, NOW_MS } from '../testing/organisation-of.ts'
import { approve, type Member } from '../testing/people.ts'
import { acme, ann, beginOrder, ben, checkOf, cleo, ORDER_MAX, outsider, registerOf } from '../testing/world-of.ts'
import { applyEvent, type Register } from '../state/register.ts'
import { asksOf } from './words.ts'
import { checkStillGood, verifySignRequest } from './verify.ts'

type Hooks = LineOptions & {
  register?: (register: Register) => void
  nowMs?: number
  request?: (request: ReturnType<typeof lineRequest>['request'], log: ReturnType<typeof lineRequest>['log']) => object
}

function attempt({ register, nowMs = NOW_MS, request: change, ...options }: Hooks = {}) {
  const { request, log } = lineRequest(options)
  const changed = { ...request, ...change?.(request, log) }
  const own = registerOf(acme, log)
  register?.(own)
  return { request: changed, view: { party: 1, register: own, nowMs, codecFor } }
}

const verdict = (hooks: Hooks = {}): string => {
  const { request, view } = attempt(hooks)
  return checkOf(() => verifySignRequest(request, view))
}
const partHash = (batch: BatchIntent, number: number) => partOf(batch, number, intentHash(batch))
const vetoOf = (batch: BatchIntent, member: Member) => (register: Register) =>
  applyEvent(register, { kind: 'vetoed', intentHash: intentHash(batch), person: member.person.id }, NOW_MS, 1)

describe('a line of a batch that people approved as a whole', () => {
  it('is signed by the approvals of the batch, each line as the order that follows from its bytes', () => {
    LINES.forEach((line, number) => {
      const { request, view } = attempt({ number })
      const { reservation, decided, effects } = verifySignRequest(request, view)
      assert.equal(decided.kind, 'batch')
      assert.deepEqual(
        effects.transfers.map(({ to, amount }) => ({ to, amount })),
        [{ to: line.to, amount: line.amount }],
      )
      assert.ok(reservation.amount === line.amount, 'limits count what the line pays')
    })
  })

  it('of an EVM network is signed with others as one call of the contract that pays exactly them, and limits count what they pay', () => {
    const lines = LINES.slice(0, 2)
    const batch = batchOf({ lines, together: 2n })
    const { request, view } = attempt({ batch })
    const { effects, reservation, intent } = verifySignRequest(request, view)
    assert.deepEqual(
      effects.transfers.map(({ to, amount }) => ({ to, amount })),
      lines.map(({ to, amount }) => ({ to, amount })),
    )
    assert.equal(intent.kind, 'payout')
    assert.equal(reservation.amount, 3_000n)
    const [one, two] = lines.map(({ to, amount }) => ({ to, amount })) as [{ to: string; amount: bigint }, { to: string; amount: bigint }]
    const others = [
      [two, one],
      [one, { ...two, amount: two.amount + 1n }],
      [one, { ...two, to: batch.from }],
      [one, two, { to: batch.from, amount: 1n }],
    ]
    for (const payments of others) assert.equal(verdict({ batch, paid: { payments } }), 'c7')
  })

  it('is signed in one slot for ever, however often and in whatever slot it is asked for', () => {
    const begun = (register: Register) => beginOrder(register, partHash(batchOf(), 0), 4n)
    assert.equal(verdict({ nonce: 4n, register: begun }), 'signed')
    assert.equal(verdict({ nonce: 5n, register: begun }), 'c10')
    assert.equal(verdict({ number: 2, nonce: 4n, register: begun }), 'c10', 'the slot of one line pays no other')
    assert.equal(verdict({ number: 2, nonce: 5n, register: begun }), 'signed', 'another line that pays the same address')
  })

  it('is refused where the order is not the line to the last byte, at the check that says so', () => {
    const other = batchOf({ nonce: new Uint8Array(32).fill(9) })
    const hostile: [string, string, Hooks][] = [
      ['another amount', 'c4', { altered: { amount: 1_001n } }],
      ['another address', 'c4', { altered: { to: OTHER_ADDRESS } }],
      ['the key of another line', 'c4', { altered: { orderId: LINES[1]!.key } }],
      ['a key of no line', 'c4', { altered: { orderId: new Uint8Array(16).fill(7) } }],
      ['a higher fee', 'c4', { altered: { feeCap: 10_000_000_000_000_001n } }],
      ['open for longer', 'c4', { altered: { expiresAtMs: BigInt(NOW_MS + 2 * DAY_MS) } }],
      ['another nonce, to be another order', 'c4', { altered: { nonce: new Uint8Array(32).fill(1) } }],
      ['bytes of another amount', 'c7', { paid: { amount: 999n } }],
      ['bytes to another address', 'c7', { paid: { to: OTHER_ADDRESS } }],
      ['another batch behind it', 'c4', { request: ({ batch }) => ({ batch: { ...batch!, intent: batchBytes(other) } }) }],
      ['a payment as the batch', 'c4', { request: ({ batch, intent }) => ({ batch: { ...batch!, intent } }) }],
      ['no batch behind it', 'c5', { request: () => ({ batch: null }) }],
      ['a standing order too', 'c5', { request: () => ({ standingOrder: new Uint8Array(32) }) }],
      ['a batch that is not in the log', 'c11', { request: ({ batch, logged }) => ({ batch: { ...batch!, logged: logged[0]! } }) }],
      ['expired', 'c4', { nowMs: NOW_MS + DAY_MS + 1 }],
    ]
    assert.deepEqual(
      hostile.map(([name, , hooks]) => [name, verdict(hooks)]),
      hostile.map(([name, check]) => [name, check]),
    )
  })

  it('is refused where the approvals are not those of the batch by people who may give them', () => {
    const { policy } = acme
    const part = partHash(batchOf(), 0)
    const other = batchOf({ nonce: new Uint8Array(32).fill(9) })
    const of = (members: readonly Member[], intent: Parameters<typeof approve>[1]) => members.map((member) => approve(member, intent, policy))
    const forged: [string, Hooks][] = [
      ['one of two', { approvers: [ben] }],
      ['one twice', { approvers: [ben, ben] }],
      ['whoever asked', { approvers: [ann, ben] }],
      ['a stranger', { approvers: [ben, outsider] }],
      ['approvals of another batch', { approvals: of([ben, cleo], other) }],
      ['approvals of the line', { approvals: of([ben, cleo], part) }],
      ['a signature of somebody else', { approvals: of([ben, cleo], batchOf()).map((each) => ({ ...each, person: cleo.person.id })) }],
    ]
    assert.deepEqual(
      forged.map(([name, hooks]) => [name, verdict(hooks)]),
      forged.map(([name]) => [name, 'c5']),
    )
  })

  it('is judged by what the whole batch pays: lines that each are small do not slip beneath a limit', () => {
    const lines = (last: bigint) => batchOf({ lines: [...LINES.slice(0, 2), { ...LINES[2]!, amount: last }] })
    assert.equal(verdict({ batch: lines(ORDER_MAX - 3_000n) }), 'signed')
    assert.equal(verdict({ batch: lines(ORDER_MAX - 2_999n) }), 'c5')
  })

  it('is stopped with all others by one person who may say no, also after the joins, and every signer is asked whether it knows of it', () => {
    const batch = batchOf()
    assert.equal(verdict({ register: vetoOf(batch, ben) }), 'c6')
    assert.equal(verdict({ number: 2, register: vetoOf(batch, cleo) }), 'c6')
    assert.equal(verdict({ register: vetoOf(batch, outsider) }), 'signed')
    const { request, view } = attempt()
    const order = verifySignRequest(request, view)
    assert.deepEqual(asksOf(order, acme.policy, NOW_MS).orders.map(toHex), [order.intentHash, intentHash(batch)].map(toHex))
    checkStillGood(order, 2, view)
    vetoOf(batch, ben)(view.register)
    assert.equal(
      checkOf(() => checkStillGood(order, 2, view)),
      'c6',
    )
  })

  it('is left to the others by a signer that was repaired after the batch was approved', () => {
    const anew = (register: Register) => (register.beganAnewAtMs = NOW_MS)
    assert.equal(verdict({ register: anew }), 'c12')
  })

  it('is refused of a batch whose parts do not fit together, whatever its approvers were shown', () => {
    const wrong: [string, Partial<BatchIntent>][] = [
      ['a line twice', { lines: [LINES[0]!, LINES[0]!] }],
      ['a line of the batch’s own id', { orderId: LINES[1]!.key }],
      ['nothing for somebody', { lines: [LINES[0]!, { ...LINES[1]!, amount: 0n }] }],
      ['an empty memo', { lines: [LINES[0]!, { ...LINES[1]!, memo: '' }] }],
      ['the payer', { lines: [LINES[0]!, { ...LINES[1]!, to: batchOf().from }] }],
      ['lines that no transaction pays', { together: 0n }],
    ]
    for (const [name, changes] of wrong) {
      const batch = batchOf(changes)
      const { request, view } = attempt({ request: ({ batch: given }) => ({ batch: { ...given!, intent: batchBytes(batch) } }) })
      assert.equal(
        checkOf(() => verifySignRequest(request, view)),
        'c4',
        name,
      )
    }
  })

  it('pays for any lines what they say, and nothing that differs by one unit', () => {
    fc.assert(
      fc.property(
        // No bytes pay nothing, so one unit less than what is asked for has to be something.
        fc.array(fc.record({ amount: fc.bigInt({ min: 2n, max: 1_000_000n }), isOther: fc.boolean() }), { minLength: 1, maxLength: 8 }),
        fc.nat(7),
        fc.constantFrom(-1n, 1n),
        (given, at, by) => {
          const lines = given.map(({ amount, isOther }, i) => ({
            key: new Uint8Array(16).fill(i + 1),
            to: isOther ? OTHER_ADDRESS : RECIPIENT_ADDRESS,
            memo: null,
            amount,
          }))
          const number = at % lines.length
          const batch = batchOf({ lines })
          assert.equal(verdict({ batch, number }), 'signed')
          assert.equal(verdict({ batch, number, paid: { amount: lines[number]!.amount + by } }), 'c7')
          assert.equal(verdict({ batch, number, altered: { amount: lines[number]!.amount + by } }), 'c4')
        },
      ),
      { numRuns: 15 },
    )
  })
})
