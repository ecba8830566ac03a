import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applyBrc20, type Brc20Effect, type Brc20Event, type Brc20Holding, type Brc20Token } from './apply-brc20.ts'
import type { Brc20Operation } from './brc20.ts'

const ONE = 10n ** 18n
const NOTHING = { available: 0n, transferable: 0n }

/** A book of one token: what an index of it keeps. */
class Book {
  token: Brc20Token | undefined
  readonly holdings = new Map<string, Brc20Holding>()

  apply(event: Brc20Event): Brc20Effect | undefined {
    const effect = applyBrc20(event, { token: this.token, holdingOf: (holder) => this.holdings.get(holder) ?? NOTHING })
    if (effect?.token) this.token = effect.token
    for (const { holder, holding } of effect?.holdings ?? []) this.holdings.set(holder, holding)
    return effect
  }

  reveal(operation: Partial<Brc20Operation> & Pick<Brc20Operation, 'op'>, to: string | null = 'ann', isLost = false) {
    const filled = operation.op === 'deploy' ? { decimals: 18, limit: 10n * ONE } : { digits: 0 }
    return this.apply({ kind: 'reveal', operation: { ticker: 'ordi', ...filled, ...operation } as Brc20Operation, to: to ?? undefined, isLost })
  }

  send(amount: bigint, from: string, to: string | undefined, isLost = false) {
    return this.apply({ kind: 'send', ticker: 'ordi', amount, from, to, isLost })
  }
}

const deployed = (max = 21n * ONE, more: object = {}) => {
  const book = new Book()
  book.reveal({ op: 'deploy', max, ...more })
  return book
}

describe('the rules of BRC-20', () => {
  it('the first deployment of a ticker counts, and nothing is minted or set aside without one', () => {
    const book = new Book()
    assert.equal(book.reveal({ op: 'mint', amount: ONE }), undefined)
    assert.equal(book.reveal({ op: 'transfer', amount: ONE }), undefined)
    assert.equal(book.reveal({ op: 'deploy', max: ONE }, 'ann', true), undefined)
    assert.equal(book.reveal({ op: 'deploy', max: 5n * ONE })?.kind, 'deploy')
    assert.equal(book.reveal({ op: 'deploy', max: 9n * ONE }), undefined)
    assert.equal(book.token!.max, 5n * ONE)
  })

  it('a mint gives at most the limit, the last one what is left, and then none; one lost to a miner is none', () => {
    const book = deployed()
    assert.equal(book.reveal({ op: 'mint', amount: 11n * ONE }), undefined)
    assert.equal(book.reveal({ op: 'mint', amount: 10n * ONE }, 'ann', true), undefined)
    for (const [asked, got] of [
      [10n, 10n],
      [10n, 10n],
      [10n, 1n],
    ] as const)
      assert.equal(book.reveal({ op: 'mint', amount: asked * ONE })?.amount, got * ONE)
    assert.equal(book.reveal({ op: 'mint', amount: ONE }), undefined)
    assert.deepEqual(book.holdings.get('ann'), { available: 21n * ONE, transferable: 0n })
  })

  it('amounts with more decimals than the token has count for nothing, however they end', () => {
    const book = deployed(21n * ONE, { decimals: 2 })
    assert.equal(book.reveal({ op: 'mint', amount: ONE, digits: 3 }), undefined)
    assert.equal(book.reveal({ op: 'mint', amount: ONE, digits: 2 })?.kind, 'mint')
    assert.equal(book.reveal({ op: 'transfer', amount: ONE, digits: 3 }), undefined)
  })

  it('a transfer sets aside what is available and no more, and gives it with its first move', () => {
    const book = deployed()
    book.reveal({ op: 'mint', amount: 10n * ONE })
    assert.equal(book.reveal({ op: 'transfer', amount: 11n * ONE }), undefined)
    assert.equal(book.reveal({ op: 'transfer', amount: 7n * ONE })?.kind, 'inscribe')
    assert.equal(book.reveal({ op: 'transfer', amount: 4n * ONE }), undefined)
    assert.deepEqual(book.holdings.get('ann'), { available: 3n * ONE, transferable: 7n * ONE })
    assert.deepEqual(book.send(7n * ONE, 'ann', 'ben')?.moved, { from: 'ann', to: 'ben' })
    assert.deepEqual(
      [book.holdings.get('ann'), book.holdings.get('ben')],
      [
        { available: 3n * ONE, transferable: 0n },
        { available: 7n * ONE, transferable: 0n },
      ],
    )
  })

  it('a transfer to oneself or to a miner comes back, and one to no address is gone', () => {
    const book = deployed()
    book.reveal({ op: 'mint', amount: 10n * ONE })
    for (const [to, isLost, left] of [
      ['ann', false, 10n],
      [undefined, true, 10n],
      [undefined, false, 8n],
    ] as const) {
      book.reveal({ op: 'transfer', amount: 2n * ONE })
      assert.equal(book.send(2n * ONE, 'ann', to, isLost)?.moved, undefined)
      assert.deepEqual(book.holdings.get('ann'), { available: left * ONE, transferable: 0n })
    }
  })

  it('whatever happens, nothing is negative and all that was minted is somewhere', () => {
    const who = fc.constantFrom('ann', 'ben', 'cleo', undefined)
    const amount = fc.bigInt({ min: 1n, max: 12n })
    const step = fc.oneof(
      fc.record({ kind: fc.constant('mint' as const), amount, to: who, isLost: fc.boolean() }),
      fc.record({ kind: fc.constant('inscribe' as const), amount, to: who, isLost: fc.boolean() }),
      fc.record({ kind: fc.constant('send' as const), pick: fc.nat(20), to: who, isLost: fc.boolean() }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const book = deployed(100n * ONE)
        const aside: { holder: string; amount: bigint }[] = []
        let gone = 0n
        for (const each of steps) {
          if (each.kind === 'send') {
            if (aside.length === 0) continue
            const [{ holder, amount: sent }] = aside.splice(each.pick % aside.length, 1) as [{ holder: string; amount: bigint }]
            book.send(sent, holder, each.isLost ? undefined : each.to, each.isLost)
            if (!each.isLost && each.to === undefined) gone += sent
          } else {
            const to = each.isLost ? null : (each.to ?? null)
            const effect = book.reveal({ op: each.kind === 'mint' ? 'mint' : 'transfer', amount: each.amount * ONE }, to, each.isLost)
            if (effect?.kind === 'mint' && to === null) gone += effect.amount
            if (effect?.kind === 'inscribe') aside.push({ holder: to!, amount: effect.amount })
          }
          const held = [...book.holdings.values()]
          assert.ok(held.every(({ available, transferable }) => available >= 0n && transferable >= 0n))
          assert.equal(
            held.reduce((sum, { available, transferable }) => sum + available + transferable, gone),
            book.token!.minted,
          )
          assert.ok(book.token!.minted <= book.token!.max)
        }
      }),
    )
  })
})
