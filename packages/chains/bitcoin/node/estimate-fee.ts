import { at } from '@holdfast/units'
import { rate, record } from './answers.ts'
import type { Rpc } from './rpc.ts'

/** Rates of the three tiers in satoshi per 1,000 vbytes, economy first, none below the one before. */
export type Rates = [bigint, bigint, bigint]

/** Blocks within which a tier is meant to be taken: a day, an hour, the next two. */
const TARGETS = [144, 6, 2]
/** Where the node has seen too little to estimate, as on a new network: what has long been enough in quiet times and mostly in others. */
const FALLBACK_RATES: Rates = [2_000n, 5_000n, 10_000n]

/** The node's estimates, a fallback for those that it does not have, and never less than it takes up at the moment. */
export async function readRates(rpc: Rpc, fallback: Rates = FALLBACK_RATES): Promise<Rates> {
  const pool = record(await rpc('getmempoolinfo'), 'state of the pool')
  const [least, relay] = [rate(pool.mempoolminfee, 'least rate of the pool'), rate(pool.minrelaytxfee, 'least rate of relay')]
  let floor = least > relay ? least : relay
  const rates: bigint[] = []
  for (const [tier, target] of TARGETS.entries()) {
    const answer = record(await rpc('estimatesmartfee', target), 'estimate')
    const estimated = answer.feerate === undefined ? at(fallback, tier) : rate(answer.feerate, 'estimated rate')
    floor = estimated > floor ? estimated : floor
    rates.push(floor)
  }
  return rates as Rates
}

/** What the node asks a replacement to add for its own relay. Older nodes do not tell, and ask for 1,000. */
export async function readIncrementalRate(rpc: Rpc): Promise<bigint> {
  const pool = record(await rpc('getmempoolinfo'), 'state of the pool')
  return pool.incrementalrelayfee === undefined ? 1000n : rate(pool.incrementalrelayfee, 'rate of a replacement')
}
