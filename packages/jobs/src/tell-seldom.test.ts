import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { forEachApart } from './for-each-apart.ts'
import { tellSeldom } from './tell-seldom.ts'

describe('what is reported again and again', () => {
  it('is told at once, and then more and more seldom; other words are told beside it', () => {
    const clock = { ms: 0, monotonicMs: () => clock.ms }
    const told: string[] = []
    const report = tellSeldom(clock, (cause) => void told.push((cause as Error).message))
    for (; clock.ms < 41 * 60_000; clock.ms += 300) report(new Error('the same'))
    assert.ok(told.length >= 8 && told.length <= 12, `${told.length} lines of 8200`)
    report(new Error('another'))
    assert.equal(told.at(-1), 'another')
  })
})

describe('things that are done each by itself', () => {
  it('are all done, whichever of them fail, and every failure is answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean()), async (fails) => {
        const done: number[] = []
        const failed = await forEachApart(fails.entries(), async ([at, isFailing]) => {
          done.push(at)
          if (isFailing) throw new Error(String(at))
        })
        assert.deepEqual(done, [...fails.keys()])
        assert.deepEqual(
          failed.map((cause) => Number((cause as Error).message)),
          [...fails.entries()].flatMap(([at, isFailing]) => (isFailing ? [at] : [])),
        )
      }),
    )
  })
})
