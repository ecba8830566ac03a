import { ChainError } from '@holdfast/chain-core'
import type { Address } from '../codec/address.ts'
import { array, base64, count, hash, record, shardName, whole } from './answers.ts'
import type { Rpc } from './rpc.ts'
import { type Transaction, transactionOf } from './transaction.ts'

/** A block of the masterchain or of a shard. */
export type BlockId = { workchain: number; shard: string; seqno: number; hash: string }
export type Header = { id: BlockId; previous: BlockId[]; timeS: number }

export const MASTER_SHARD = '-9223372036854775808'
/** No masterchain block takes in more shard blocks than this; a node that says so leads us on. */
const SHARD_BLOCKS_MAX = 4_096
const PAGE = 100

export async function readHead(rpc: Rpc): Promise<{ height: bigint; hash: string; zeroState: string }> {
  const info = record(await rpc('getMasterchainInfo', {}), 'masterchain info')
  const last = idOf(info.last)
  return { height: BigInt(last.seqno), hash: last.hash, zeroState: idOf(info.init).hash }
}

/** The masterchain block of a height, or undefined above the head. */
export async function masterId(rpc: Rpc, height: bigint): Promise<BlockId | undefined> {
  if (height < 0n || height > 0xffff_ffffn) throw new ChainError(`there is no block ${height}`)
  const head = await readHead(rpc)
  if (height > head.height) return undefined
  if (height === 0n) return { workchain: -1, shard: MASTER_SHARD, seqno: 0, hash: head.zeroState }
  const id = idOf(await rpc('lookupBlock', { workchain: -1, shard: MASTER_SHARD, seqno: Number(height) }))
  if (id.workchain !== -1 || BigInt(id.seqno) !== height) throw new ChainError(`the node gave block ${id.seqno} where block ${height} was asked for`)
  return id
}

export async function readHeader(rpc: Rpc, id: BlockId): Promise<Header> {
  const claim = record(await rpc('getBlockHeader', { workchain: id.workchain, shard: id.shard, seqno: id.seqno }), 'block header')
  if (keyOf(idOf(claim.id)) !== keyOf(id)) throw new ChainError(`the node gave another block than ${id.workchain}:${id.seqno} was before; read it again`)
  const previous = array(claim.prev_blocks, 'list of blocks before').map(idOf)
  if (previous.length < 1 || previous.length > 2 || previous.some(({ workchain }) => workchain !== id.workchain)) {
    throw new ChainError(`the node does not say what block ${id.workchain}:${id.seqno} stands on`)
  }
  return { id, previous, timeS: Number(count(claim.gen_utime, 'time of a block')) }
}

/**
 * The blocks that a masterchain block takes in: itself, and of every shard all blocks since the masterchain block before it, however shards
 * were split and merged meanwhile. Each is followed to the blocks it stands on until the ones that were taken in before, so none is skipped.
 */
export async function blocksTakenIn(rpc: Rpc, master: BlockId, parent: BlockId): Promise<BlockId[]> {
  const known = new Set((await shardTops(rpc, parent.seqno)).map(keyOf))
  const found = new Map<string, BlockId>()
  let waiting = await shardTops(rpc, master.seqno)
  while (waiting.length > 0) {
    const fresh = waiting.filter((id) => id.seqno > 0 && !known.has(keyOf(id)) && !found.has(keyOf(id)))
    for (const id of fresh) found.set(keyOf(id), id)
    if (found.size > SHARD_BLOCKS_MAX) throw new ChainError(`the shard blocks of block ${master.seqno} do not lead back to those of the block before`)
    waiting = (await Promise.all(fresh.map((id) => readHeader(rpc, id)))).flatMap(({ previous }) => previous)
  }
  const order = [...found.values()].toSorted((a, b) => a.workchain - b.workchain || a.seqno - b.seqno || (a.shard < b.shard ? -1 : 1))
  return [master, ...order]
}

/** The last block of every shard that a masterchain block knows. */
export async function shardTops(rpc: Rpc, seqno: number): Promise<BlockId[]> {
  return array(record(await rpc('shards', { seqno }), 'shards').shards, 'list of shards').map(idOf)
}

/** Every transaction of a block, page by page. */
export async function transactionsOf(rpc: Rpc, { workchain, shard, seqno, hash: wanted }: BlockId): Promise<Transaction[]> {
  const found: Transaction[] = []
  const seen = new Set<string>()
  for (let after = {}; ; ) {
    const claim = record(await rpc('getBlockTransactionsExt', { workchain, shard, seqno, count: PAGE, ...after }), 'transactions of a block')
    if (idOf(claim.id).hash !== wanted) throw new ChainError(`the node told of another block than ${workchain}:${seqno}; read it again`)
    const page = array(claim.transactions, 'list of transactions').map((each) => transactionOf(each, workchain))
    for (const { hash: id } of page) {
      if (seen.has(id)) throw new ChainError(`the node gave transaction ${id} twice`)
      seen.add(id)
    }
    found.push(...page)
    if (claim.incomplete === false) return found
    const last = page.at(-1)
    if (claim.incomplete !== true || !last) throw new ChainError(`the node does not say whether block ${workchain}:${seqno} has more transactions`)
    after = { after_lt: String(last.lt), after_hash: base64(last.account.hash) }
  }
}

/** Whether a shard holds an account: its name is the first bits of the accounts' hashes, and then a one. */
export function holds({ workchain, shard }: BlockId, { workchain: of, hash: account }: Address): boolean {
  const name = BigInt.asUintN(64, BigInt(shard))
  const end = name & -name
  const first = firstBits(account)
  return workchain === of && (first & ~(end * 2n - 1n)) === (name & ~(end * 2n - 1n))
}

function firstBits(bytes: Uint8Array): bigint {
  return bytes.subarray(0, 8).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

const keyOf = ({ workchain, shard, seqno, hash: id }: BlockId) => `${workchain}:${shard}:${seqno}:${id}`

export function idOf(claim: unknown): BlockId {
  const given = record(claim, 'block id')
  const seqno = Number(count(given.seqno, 'number of a block'))
  const workchain = whole(given.workchain, 'workchain')
  return { workchain, shard: shardName(given.shard, 'shard'), seqno, hash: hash(given.root_hash, 'hash of a block') }
}
