import { ChainError } from '@holdfast/chain-core'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BlockId, blocksTakenIn, holds, MASTER_SHARD } from './blocks.ts'

const hashOf = (name: string) => Buffer.alloc(32, name).toString('base64')
const claim = (name: string) => {
  const [shard, seqno] = name.split('#') as [string, string]
  return { workchain: shard === 'master' ? -1 : 0, shard: SHARDS[shard], seqno: Number(seqno), root_hash: hashOf(name) }
}
// The whole workchain, and its two halves.
const SHARDS: Record<string, string> = { master: MASTER_SHARD, all: MASTER_SHARD, left: '4611686018427387904', right: '-4611686018427387904' }
const id = (name: string): BlockId => {
  const { workchain, shard, seqno, root_hash } = claim(name)
  return { workchain, shard: shard!, seqno, hash: Buffer.from(root_hash, 'base64').toString('hex') }
}

/** A node that knows which shard blocks each masterchain block ends with, and what each of them stands on. */
const nodeOf = (tops: Record<number, string[]>, previous: Record<string, string[]>) => async (method: string, params: Record<string, unknown>) => {
  if (method === 'shards') return { shards: tops[params.seqno as number]!.map(claim) }
  const name = Object.keys(previous).find((each) => claim(each).shard === params.shard && claim(each).seqno === params.seqno)
  assert.ok(name, JSON.stringify(params))
  return { id: claim(name), prev_blocks: previous[name]!.map(claim), gen_utime: 1 }
}
const namesOf = (blocks: BlockId[], names: string[]) => blocks.map((each) => names.find((name) => id(name).hash === each.hash))

describe('the shard blocks of a masterchain block', () => {
  const cases: { name: string; before: string[]; after: string[]; previous: Record<string, string[]>; taken: string[] }[] = [
    { name: 'are none where no shard went on', before: ['all#5'], after: ['all#5'], previous: {}, taken: [] },
    {
      name: 'are all of several in a row',
      before: ['all#5'],
      after: ['all#8'],
      previous: { 'all#8': ['all#7'], 'all#7': ['all#6'], 'all#6': ['all#5'] },
      taken: ['all#6', 'all#7', 'all#8'],
    },
    {
      name: 'are those of both halves after a split, and the ones before it',
      before: ['all#5'],
      after: ['left#8', 'right#7'],
      previous: { 'left#8': ['left#7'], 'left#7': ['all#6'], 'right#7': ['all#6'], 'all#6': ['all#5'] },
      taken: ['all#6', 'right#7', 'left#7', 'left#8'],
    },
    {
      name: 'are those of both halves before a merge',
      before: ['left#8', 'right#7'],
      after: ['all#10'],
      previous: { 'all#10': ['left#9', 'right#8'], 'left#9': ['left#8'], 'right#8': ['right#7'] },
      taken: ['right#8', 'left#9', 'all#10'],
    },
    {
      name: 'are those since the zero state',
      before: ['all#0'],
      after: ['all#2'],
      previous: { 'all#2': ['all#1'], 'all#1': ['all#0'] },
      taken: ['all#1', 'all#2'],
    },
  ]
  for (const { name, before, after, previous, taken } of cases) {
    it(name, async () => {
      const blocks = await blocksTakenIn(nodeOf({ 1: before, 2: after }, previous), id('master#2'), id('master#1'))
      assert.deepEqual(namesOf(blocks, ['master#2', ...Object.keys(previous)]), ['master#2', ...taken])
    })
  }

  it('are refused where a node leads past the ones taken in before, or gives another block than it named', async () => {
    let deeper = 100_000
    const endless = async (method: string, params: Record<string, unknown>) => {
      if (method === 'shards') return { shards: [claim(params.seqno === 2 ? 'all#100000' : 'right#5')] }
      const at = params.seqno as number
      deeper = Math.min(deeper, at)
      return { id: { ...claim(`all#${at}`) }, prev_blocks: [claim(`all#${at - 1}`)], gen_utime: 1 }
    }
    await assert.rejects(blocksTakenIn(endless, id('master#2'), id('master#1')), /do not lead back/)
    assert.ok(deeper > 90_000)
    const other = async (method: string, params: Record<string, unknown>) =>
      method === 'shards' ? { shards: [claim(params.seqno === 2 ? 'all#6' : 'all#5')] } : { id: claim('all#5'), prev_blocks: [claim('all#4')], gen_utime: 1 }
    await assert.rejects(blocksTakenIn(other, id('master#2'), id('master#1')), ChainError)
  })
})

it('an account is in the shard whose name its hash begins with', () => {
  const account = (first: number) => ({ workchain: 0, hash: Uint8Array.of(first, ...new Uint8Array(31)) })
  for (const [first, half] of [
    [0x00, 'left'],
    [0x7f, 'left'],
    [0x80, 'right'],
    [0xff, 'right'],
  ] as const) {
    for (const shard of ['left', 'right']) assert.equal(holds(id(`${shard}#1`), account(first)), shard === half)
    assert.ok(holds(id('all#1'), account(first)))
    assert.ok(!holds(id('all#1'), { ...account(first), workchain: -1 }))
  }
})
