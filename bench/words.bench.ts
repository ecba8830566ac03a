/**
 * Measures what the words of all three signers (ADR 12) add to a signature: three signers with their registers on disk, in one process, so that what
 * they do at the same time on three machines is added up here. A real one has the way to the farthest signer and back besides.
 * Run: `node bench/words.bench.ts [signatures]`.
 */
import { resultOf, runSession } from '../apps/signer/src/testing/cluster.ts'
import { found, openOffice } from '../apps/signer/src/testing/founded-cluster.ts'
import type { SignerCalls } from '../apps/signer/src/calls/calls.ts'

const WARM_UP = 10
const count = Number(process.argv[2] ?? 60)
const ends: (() => Promise<void>)[] = []
const founded = await found()
const office = await openOffice({ after: (end) => void ends.push(end) }, founded)

/** The signers, who tell how long all of them took to give their words. */
function timed(calls: ReadonlyMap<number, SignerCalls>, tell: (ms: number) => void): Map<number, SignerCalls> {
  let [asked, given, startedMs] = [0, 0, 0]
  return new Map(
    [...calls].map(([party, each]) => [
      party,
      {
        ...each,
        giveWord: async (input) => {
          if (asked++ === 0) startedMs = performance.now()
          const word = await each.giveWord(input)
          if (++given === calls.size) tell(performance.now() - startedMs)
          return word
        },
      },
    ]),
  )
}

const [words, sessions]: [number[], number[]] = [[], []]
for (let i = 0; i < WARM_UP + count; i++) {
  const request = await office.request({ amount: 1n })
  let wordsMs = 0
  const startedMs = performance.now()
  const outcome = await runSession(
    timed(office.calls, (ms) => (wordsMs = ms)),
    request,
  )
  const sessionMs = performance.now() - startedMs
  for (const party of request.parties) resultOf(outcome, Number(party))
  if (i < WARM_UP) continue
  words.push(wordsMs)
  sessions.push(sessionMs)
}
const median = (values: number[]) => Math.round([...values].sort((a, b) => a - b)[values.length >> 1]! * 100) / 100
console.log(
  JSON.stringify({
    figure: 'words of all three signers, one process',
    signatures: count,
    wallMs: median(words),
    toReachMs: 10,
    sessionMs: median(sessions),
    shareOfSession: Math.round((median(words) / median(sessions)) * 1000) / 1000,
  }),
)
for (const end of ends) await end()
await founded.remove()
