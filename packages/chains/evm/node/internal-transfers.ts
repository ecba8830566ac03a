import { type BlockTransfer, ChainError } from '@holdfast/chain-core'
import { at } from '@holdfast/units'
import { address, array, hash, hexData, quantity, record } from './answers.ts'
import { NodeRefused, NodeStatusError, type Rpc } from './rpc.ts'

/*
 * Coin that contracts move inside transactions. A block does not hold it: a node has to run the block again and tell. Two ways of telling are in use,
 * the call tracer of geth (`debug_traceBlockByHash`; erigon, nethermind, reth, besu and anvil have it too) and the flat traces of
 * `trace_block` (erigon, nethermind, reth). Both are read into the same list, so that sources of either kind can be compared.
 */

/** A transaction as its block tells of it; `succeeded` by its receipt. */
export type TracedTransaction = { txid: string; from: string; value: bigint; succeeded: boolean }
/** A call of a contract inside a transaction, or the making or the end of one. `data` is what was sent along, as hexadecimal digits with 0x. */
type Step = { kind: 'call' | 'other'; from: string; to: string; value: bigint; data: string }
/** What happened inside a transaction, in the order in which it happened, without what was undone. */
export type Inside = Step[]
export type Tracer = (blockHash: string, height: bigint, sent: readonly TracedTransaction[]) => Promise<Inside[] | undefined>

type Way = (rpc: Rpc, blockHash: string, height: bigint, sent: readonly TracedTransaction[]) => Promise<Inside[]>

/** How nodes say that they have no such question. */
export const UNSUPPORTED = /not (found|supported|available|exist|allowed|enabled|whitelisted)|unsupported|unknown method|does not exist|disabled|upgrade/i
/** So often a block is tried that a node cannot trace: somebody may have made it too large to be told of, and that must not stop the reading. */
const TRIES = 3
/** The first index of internal transfers: far above those of logs. */
const FIRST_INDEX = 2 ** 30
const CALLS = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])

/**
 * Opens a node's traces. A way that the node does not have is not asked for again. Answers undefined if the node has none, and where it cannot tell of this
 * block, tried again: nodes run old blocks only as far as they keep their state. Throws ChainError if it may be tried again, and for answers that are not
 * of this block.
 */
export function openTracer(rpc: Rpc): Tracer {
  const ways = new Set<Way>([callTracer, flatTraces])
  const failed = { blockHash: '', times: 0 }
  return async (blockHash, height, sent) => {
    for (const way of ways) {
      try {
        return await way(rpc, blockHash, height, sent)
      } catch (cause) {
        if (!(cause instanceof ChainError)) throw cause
        if (isRefusal(cause)) {
          if (cause instanceof NodeRefused && UNSUPPORTED.test(cause.reason)) ways.delete(way)
          continue
        }
        Object.assign(failed, { blockHash, times: failed.blockHash === blockHash ? failed.times + 1 : 1 })
        if (failed.times < TRIES) throw cause
      }
    }
    return undefined
  }
}

/** Whether a node says that it will not: by an error, or as many providers do for what one's plan does not hold, by the status of its answer. */
function isRefusal(cause: ChainError): boolean {
  return cause instanceof NodeRefused || (cause instanceof NodeStatusError && [400, 401, 402, 403, 404, 405, 501].includes(cause.status))
}

/** The coin that contracts moved inside a transaction. The call that the transaction itself is has been told with it. */
export function coinMovedInside(chain: string, txid: string, inside: Inside): BlockTransfer[] {
  return inside
    .filter(({ value }) => value > 0n)
    .map(({ from, to, value }, i) => ({ txid, index: FIRST_INDEX + i, asset: { chain, contract: null }, from, to, amount: value, inside: true as const }))
    .filter(({ from, to }) => from !== to)
}

/** `transferFrom(address,address,uint256)`, and both `safeTransferFrom` of ERC-721 and those of ERC-1155: what moves the tokens of another. */
const TAKING = ['0x23b872dd', '0x42842e0e', '0xb88d4fde', '0xf242432a', '0x2eb2c2d6']

/** Who called the token's contract to take an owner's tokens, where the traces show it: the one whom the owner allowed it. */
export function takerOf(inside: Inside | undefined, contract: string, owner: string): string | undefined {
  const owned = owner.slice(2).toLowerCase()
  return inside?.find(({ kind, to, data }) => kind === 'call' && to === contract && TAKING.includes(data.slice(0, 10)) && data.slice(34, 74) === owned)?.from
}

/** geth's call tracer: one tree of calls for each transaction. Source: go-ethereum, eth/tracers/native/call.go. */
async function callTracer(rpc: Rpc, blockHash: string, _: bigint, sent: readonly TracedTransaction[]): Promise<Inside[]> {
  const answer = array(await rpc('debug_traceBlockByHash', [blockHash, { tracer: 'callTracer' }]), 'list of traces')
  if (answer.length !== sent.length) throw mixed(blockHash)
  return answer.map((claim, i) => {
    const { txHash, result } = record(claim, 'trace')
    if (txHash !== undefined && hash(txHash, 'transaction id of a trace') !== at(sent, i).txid) throw mixed(blockHash)
    if (result === undefined || result === null) throw untold(blockHash)
    const root = record(result, 'traced call')
    const { from, value } = stepOf(root)
    const failed = root.error !== undefined
    if (from !== at(sent, i).from || value !== at(sent, i).value || failed === at(sent, i).succeeded) throw mixed(blockHash)
    return failed ? [] : below(root)
  })
}

function below({ calls }: Record<string, unknown>): Inside {
  const found: Inside = []
  // Not by recursion: a contract decides how deep its calls go.
  const waiting = listOf(calls).reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const call = record(next, 'traced call')
    // What failed was undone with all that it had called.
    if (call.error !== undefined) continue
    found.push(stepOf(call))
    waiting.push(...listOf(call.calls).reverse())
  }
  return found
}

const listOf = (calls: unknown): unknown[] => (calls === undefined || calls === null ? [] : [...array(calls, 'list of traced calls')])

function stepOf(call: Record<string, unknown>): Step {
  const type = call.type
  if (typeof type !== 'string') throw new ChainError('the node traced a call of no type')
  const moves = type === 'CALL' || type === 'CREATE' || type === 'CREATE2' || type === 'SELFDESTRUCT'
  // A delegated call names the coin of the call it stands in, and a static one moves none.
  const value = moves && call.value !== undefined ? quantity(call.value, 'traced value') : 0n
  const from = address(call.from, 'caller')
  const to = call.to === undefined || call.to === null ? from : address(call.to, 'who was called')
  return { kind: CALLS.has(type) ? 'call' : 'other', from, to, value, data: type === 'CALL' && call.input !== undefined ? hexData(call.input, 'input') : '0x' }
}

/** Flat traces: all steps of a block, each with its place in the tree of its transaction. Source: OpenEthereum, "The trace module". */
async function flatTraces(rpc: Rpc, blockHash: string, height: bigint, sent: readonly TracedTransaction[]): Promise<Inside[]> {
  const answer = array(await rpc('trace_block', [`0x${height.toString(16)}`]), 'list of traces').map((claim) => record(claim, 'trace'))
  if (answer.some((each) => hash(each.blockHash, 'block hash of a trace') !== blockHash)) throw mixed(blockHash)
  // Rewards of blocks stand in no transaction.
  const traces = answer.filter(({ transactionHash }) => transactionHash !== undefined && transactionHash !== null)
  if (traces.length === 0 && sent.length > 0) throw untold(blockHash)
  const byTransaction = Map.groupBy(traces, ({ transactionHash }) => hash(transactionHash, 'transaction id of a trace'))
  if (byTransaction.size !== sent.length) throw mixed(blockHash)
  return sent.map(({ txid, from, value, succeeded }) => {
    const [root, ...others] = byTransaction.get(txid) ?? []
    if (!root) throw mixed(blockHash)
    const first = flatStepOf(root)
    const failed = isUndone(root)
    if (first.from !== from || first.value !== value || failed === succeeded || placeOf(root) !== '') throw mixed(blockHash)
    const undone = new Set([root, ...others].filter(isUndone).map(placeOf))
    const isKept = (place: string) => !undone.has('') && place.split('.').every((_, i, parts) => !undone.has(parts.slice(0, i + 1).join('.')))
    return others.filter((each) => isKept(placeOf(each))).map(flatStepOf)
  })
}

const isUndone = ({ error }: Record<string, unknown>) => error !== undefined && error !== null
const placeOf = ({ traceAddress }: Record<string, unknown>) => array(traceAddress, 'place of a trace').join('.')

function flatStepOf({ type, action, result }: Record<string, unknown>): Step {
  const does = record(action, 'traced action')
  if (type === 'suicide') {
    const [from, to] = [address(does.address, 'contract that ended'), address(does.refundAddress, 'who got what was left')]
    return { kind: 'other', from, to, value: quantity(does.balance, 'what was left'), data: '0x' }
  }
  const from = address(does.from, 'caller')
  if (type === 'create') {
    const made = result === undefined || result === null ? from : address(record(result, 'result of a trace').address, 'address of a created contract')
    return { kind: 'other', from, to: made, value: quantity(does.value, 'traced value'), data: '0x' }
  }
  if (type !== 'call') throw new ChainError('the node traced a step of a kind that nobody knows')
  const isPlain = does.callType === 'call'
  const value = isPlain ? quantity(does.value, 'traced value') : 0n
  return { kind: 'call', from, to: address(does.to, 'who was called'), value, data: isPlain ? hexData(does.input, 'input') : '0x' }
}

/** A node that has a block and not what is needed to run it again says so of each transaction, or says nothing. */
function untold(blockHash: string): NodeRefused {
  return new NodeRefused(`the node has no traces of block ${blockHash}`, 'no traces')
}

function mixed(blockHash: string): ChainError {
  return new ChainError(`the node's traces of block ${blockHash} do not belong to it; read it again`)
}
