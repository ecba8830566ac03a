import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  canMove,
  ImpossibleMove,
  isFinal,
  nextState,
  ORDER_EVENTS,
  ORDER_STATES,
  type OrderEvent,
  type OrderState,
  postingOf,
  statesOfStatus,
  statusOf,
  subStatusOf,
} from './states.ts'

const anyEvents = fc.array(fc.constantFrom(...ORDER_EVENTS), { maxLength: 40 })

/** Drives an order through events, skips impossible ones, and reports each move. */
function drive(events: readonly OrderEvent[]): { from: OrderState; event: OrderEvent; to: OrderState }[] {
  let state: OrderState = 'approving'
  return events.flatMap((event) => {
    if (!canMove(state, event)) {
      assert.throws(() => nextState(state, event), ImpossibleMove)
      return []
    }
    const move = { from: state, event, to: nextState(state, event) }
    state = move.to
    return [move]
  })
}

describe('the states of an order', () => {
  it('are left, once final, by a reorganisation of the chain and by nothing else, whatever happens', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        for (const { from, event } of drive(events)) if (isFinal(from)) assert.equal(event, 'reorganise')
      }),
      { numRuns: 4_000 },
    )
  })

  it('hold the funds exactly while the order lives: every sequence of events keeps one hold, never two and never less than none', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        let holds = 1
        for (const { from, to } of drive(events)) {
          const posting = postingOf(from, to)
          if (posting === 'restore') holds++
          else if (posting !== 'none') holds--
          assert.equal(holds, isFinal(to) ? 0 : 1, `${from} -> ${to}`)
        }
      }),
      { numRuns: 4_000 },
    )
  })

  it('never give funds back once signed bytes exist, unless the chain has used the slot otherwise', () => {
    const signed: OrderState[] = ['broadcasting', 'pending', 'confirming']
    for (const from of signed) {
      for (const event of ORDER_EVENTS) {
        if (!canMove(from, event) || postingOf(from, nextState(from, event)) !== 'release') continue
        // An order about a payment has no signed bytes of its own: it yields to the transaction that the chain took instead.
        assert.ok(event === 'lose_slot' || event === 'yield')
      }
    }
  })

  it('let nothing but a signature lead to the chain', () => {
    const entering = ORDER_STATES.flatMap((from) =>
      ORDER_EVENTS.filter((event) => canMove(from, event) && nextState(from, event) === 'broadcasting').map((event) => `${from} ${event}`),
    )
    const again = ['completed reorganise', 'confirming reorganise', 'failed reorganise', 'pending lose', 'replaced reorganise']
    assert.deepEqual(entering.sort(), ['alarmed sign', 'broadcasting replace', ...again, 'pending replace', 'signing sign'].sort())
  })

  it('are all reachable, and every one has its number and words', () => {
    const seen = new Set<OrderState>(['approving'])
    for (let size = 0; size !== seen.size; ) {
      size = seen.size
      for (const from of [...seen]) for (const event of ORDER_EVENTS) if (canMove(from, event)) seen.add(nextState(from, event))
    }
    assert.deepEqual([...seen].sort(), [...ORDER_STATES].sort())
    const numbers = new Set([1000, 1100, 1200, 2000, 2100, 2200, 2201, 2202, 2300, 2400])
    for (const state of ORDER_STATES) {
      assert.ok(numbers.has(statusOf(state)))
      assert.ok(statesOfStatus(statusOf(state)).includes(state))
      assert.match(subStatusOf(state, 'open'), /^[a-z][a-z_]+$/)
    }
    assert.equal(isFinal('completed') && statusOf('completed') >= 2000, true)
    for (const state of ORDER_STATES) assert.equal(isFinal(state), statusOf(state) >= 2000)
  })
})
