import { bitcoinChain, networkOf, readScript, requireScript } from '@holdfast/chain-bitcoin/codec'
import { fromHex, toHex } from '@holdfast/encoding'
import { known } from '@holdfast/units'
import type { NetworkBlock } from './block.ts'
import { coins, describeBlock, describeHeader, describeScript, describeTransaction } from './describe-block.ts'
import type { Emulator } from './emulator.ts'
import type { PoolEntry } from './mempool.ts'
import { type BitcoinNetwork, INCREMENTAL_SAT_PER_KVB, RELAY_SAT_PER_KVB } from './rules.ts'
import { type NetworkTransaction, readTransaction, virtualSize } from './transaction.ts'

/** What a method answers instead of a result; codes and words are Bitcoin Core's (rpc/protocol.h). */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export type Method = (emulator: Emulator, ...params: unknown[]) => unknown

const NOT_FOUND = -5
const INVALID_PARAMETER = -8
const DECODE_FAILED = -22
const CHAIN_NAMES: Record<BitcoinNetwork, string> = { regtest: 'regtest', signet: 'signet' }
const VERSION = 290_000

/** The methods, by Core's names. Each takes Core's positional parameters; what is not listed here is answered as Core answers an unknown method. */
export const METHODS: Readonly<Record<string, Method>> = {
  getblockchaininfo: ({ chain, network }) => ({
    chain: CHAIN_NAMES[network],
    blocks: chain.tip.height,
    headers: chain.tip.height,
    bestblockhash: chain.tip.hash,
    time: chain.tip.header.timeS,
    mediantime: chain.tip.header.timeS,
    initialblockdownload: false,
    pruned: false,
    warnings: [],
  }),
  getnetworkinfo: () => ({
    version: VERSION,
    subversion: '/holdfast-emulator:0.1.0/',
    relayfee: coins(RELAY_SAT_PER_KVB),
    incrementalfee: coins(INCREMENTAL_SAT_PER_KVB),
  }),
  getblockcount: ({ chain }) => chain.tip.height,
  getbestblockhash: ({ chain }) => chain.tip.hash,
  getblockhash: ({ chain }, height) => {
    const block = chain.at(Number(height))
    if (!block) throw new RpcError(INVALID_PARAMETER, 'Block height out of range')
    return block.hash
  },
  getblockheader: (emulator, hash) => describeHeader(emulator, blockOf(emulator, hash)),
  getblock: (emulator, hash, verbosity = 1) => describeBlock(emulator, blockOf(emulator, hash), Number(verbosity)),
  getchaintips: ({ chain }) => [
    { height: chain.tip.height, hash: chain.tip.hash, branchlen: 0, status: 'active' },
    ...chain
      .otherTips()
      .map(({ block, isInvalid, branch }) => ({ height: block.height, hash: block.hash, branchlen: branch, status: isInvalid ? 'invalid' : 'valid-fork' })),
  ],
  getrawtransaction: getRawTransaction,
  gettxout: getTxOut,
  scantxoutset: scanTxOutSet,
  estimatesmartfee: (_, blocks) => ({ errors: ['Insufficient data or no feerate found'], blocks: Number(blocks) }),
  testmempoolaccept: (emulator, raws) => (raws as unknown[]).map((raw) => testAccept(emulator, raw)),
  sendrawtransaction: sendRawTransaction,
  getrawmempool: ({ mempool }) => [...mempool.entries.keys()],
  getmempoolentry: ({ mempool }, txid) => {
    const entry = mempool.entries.get(String(txid))
    if (!entry) throw new RpcError(NOT_FOUND, 'Transaction not in mempool')
    return describeEntry(entry, mempool.ancestors(entry), mempool.descendants(entry))
  },
  gettxspendingprevout: ({ mempool }, asked) =>
    (asked as { txid: string; vout: number }[]).map(({ txid, vout }) => {
      const spendingtxid = mempool.spenderOf(`${txid}:${vout}`)
      return { txid, vout, ...(spendingtxid !== undefined && { spendingtxid }) }
    }),
  getmempoolinfo: ({ mempool }) => ({
    loaded: true,
    size: mempool.entries.size,
    mempoolminfee: coins(RELAY_SAT_PER_KVB),
    minrelaytxfee: coins(RELAY_SAT_PER_KVB),
    incrementalrelayfee: coins(INCREMENTAL_SAT_PER_KVB),
    fullrbf: true,
  }),
  validateaddress: (emulator, address) => {
    try {
      const script = scriptOf(emulator, address)
      const kind = known(readScript(script), 'a script of a known form').kind
      return {
        isvalid: true,
        address,
        scriptPubKey: toHex(script),
        isscript: kind === 'p2sh' || kind === 'p2wsh',
        iswitness: kind.startsWith('p2w') || kind === 'p2tr',
      }
    } catch {
      return { isvalid: false, error_locations: [], error: 'Invalid or unsupported Segwit (Bech32) or Base58 encoding.' }
    }
  },
  generatetoaddress: (emulator, blocks, address) => emulator.mine(Number(blocks), scriptOf(emulator, address)),
  generateblock: (emulator, address, raws) => {
    const transactions = (raws as unknown[]).map((each) => emulator.mempool.entries.get(String(each))?.transaction ?? decode(each))
    const outcome = emulator.mineExactly(transactions, scriptOf(emulator, address))
    if (typeof outcome !== 'string') throw new RpcError(-25, `TestBlockValidity failed: ${outcome.reason}`)
    return { hash: outcome }
  },
  invalidateblock: (emulator, hash) => judge(emulator, hash, true),
  reconsiderblock: (emulator, hash) => judge(emulator, hash, false),
}

function judge(emulator: Emulator, hash: unknown, isInvalid: boolean): null {
  const block = blockOf(emulator, hash)
  if (block.height === 0) throw new RpcError(INVALID_PARAMETER, 'the first block stays')
  emulator.judge(block.hash, isInvalid)
  return null
}

function blockOf({ chain }: Emulator, hash: unknown): NetworkBlock {
  const block = chain.blocks.get(String(hash))
  if (!block) throw new RpcError(NOT_FOUND, 'Block not found')
  return block
}

function scriptOf({ network }: Emulator, address: unknown): Uint8Array {
  try {
    return requireScript(networkOf(bitcoinChain(network)), String(address))
  } catch {
    throw new RpcError(NOT_FOUND, 'Error: Invalid address')
  }
}

function decode(raw: unknown): NetworkTransaction {
  try {
    return readTransaction(fromHex(String(raw)))
  } catch {
    throw new RpcError(DECODE_FAILED, 'TX decode failed. Make sure the tx has at least one input.')
  }
}

function getRawTransaction(emulator: Emulator, txid: unknown, verbosity: unknown = 0, blockHash?: unknown) {
  const { chain, mempool } = emulator
  const id = String(txid)
  const waiting = mempool.entries.get(id)?.transaction
  const block = blockHash === undefined ? chain.blockOf(id) : blockOf(emulator, blockHash)
  const transaction = (blockHash === undefined ? waiting : undefined) ?? block?.transactions.find((each) => each.txid === id)
  if (!transaction) throw new RpcError(NOT_FOUND, 'No such mempool or blockchain transaction. Use gettransaction for wallet transactions.')
  const level = Number(verbosity)
  if (level === 0) return toHex(transaction.raw)
  // Of what waits Core does not say what it spends, whatever the level.
  if (transaction === waiting || !block) return describeTransaction(emulator, transaction)
  // Like Core's index, this one goes on telling of blocks that are no longer part of the chain: with no confirmations.
  const confirmations = chain.isActive(block) ? chain.tip.height - block.height + 1 : 0
  const described = describeTransaction(emulator, transaction, level >= 2 ? chain.spentBy(block, transaction) : undefined)
  const inChain = blockHash === undefined ? {} : { in_active_chain: chain.isActive(block) }
  return { ...inChain, ...described, blockhash: block.hash, confirmations, time: block.header.timeS, blocktime: block.header.timeS }
}

function getTxOut(emulator: Emulator, txid: unknown, index: unknown, withMempool: unknown = true) {
  const { chain, mempool } = emulator
  const outpoint = `${String(txid)}:${Number(index)}`
  if (withMempool === true && mempool.spenderOf(outpoint) !== undefined) return null
  const coin = withMempool === true ? mempool.coin(outpoint) : chain.coins.get(outpoint)
  if (!coin) return null
  const confirmations = Math.max(0, chain.tip.height - coin.height + 1)
  return { bestblock: chain.tip.hash, confirmations, value: coins(coin.amount), scriptPubKey: describeScript(emulator, coin.script), coinbase: coin.isCoinbase }
}

function scanTxOutSet(emulator: Emulator, action: unknown, descriptors: unknown) {
  if (action !== 'start' || !Array.isArray(descriptors)) throw new RpcError(INVALID_PARAMETER, 'this emulator starts scans and ends them at once')
  const { chain } = emulator
  const scripts = new Map(
    descriptors.map((each) => {
      const address = /^addr\(([0-9A-Za-z]+)\)(?:#\w+)?$/.exec(String(each))?.[1]
      if (address === undefined) throw new RpcError(INVALID_PARAMETER, 'this emulator scans for addr(…) only')
      return [toHex(scriptOf(emulator, address)), `addr(${address})`]
    }),
  )
  const unspents = [...chain.coins].flatMap(([outpoint, { script, amount, height, isCoinbase }]) => {
    const desc = scripts.get(toHex(script))
    if (desc === undefined) return []
    const [txid, vout] = outpoint.split(':')
    const place = { height, blockhash: known(chain.at(height), `block ${height}`).hash, confirmations: chain.tip.height - height + 1 }
    return [{ txid, vout: Number(vout), scriptPubKey: toHex(script), desc, amount: coins(amount), coinbase: isCoinbase, ...place }]
  })
  const total = unspents.reduce((sum, { amount }) => sum + BigInt(Math.round(amount * 1e8)), 0n)
  return { success: true, txouts: chain.coins.size, height: chain.tip.height, bestblock: chain.tip.hash, unspents, total_amount: coins(total) }
}

function testAccept({ mempool }: Emulator, raw: unknown) {
  const transaction = decode(raw)
  const { txid, hash } = transaction
  const outcome = mempool.test(transaction)
  if ('reason' in outcome)
    return { txid, wtxid: hash, allowed: false, 'reject-reason': outcome.reason, ...(outcome.details && { 'reject-details': outcome.details }) }
  return { txid, wtxid: hash, allowed: true, vsize: virtualSize(transaction), fees: { base: coins(outcome.fee) } }
}

function sendRawTransaction(emulator: Emulator, raw: unknown): string {
  const transaction = decode(raw)
  const refused = emulator.mempool.accept(transaction, emulator.timeS)
  // Core answers the id again for what waits already, and an error for what a block holds.
  if (refused && refused.reason !== 'txn-already-in-mempool') {
    const words =
      refused.reason === 'txn-already-known' ? 'Transaction outputs already in utxo set' : [refused.reason, refused.details].filter(Boolean).join(', ')
    throw new RpcError(refused.code, words)
  }
  return transaction.txid
}

function describeEntry({ transaction, fee, timeS }: PoolEntry, ancestors: PoolEntry[], descendants: PoolEntry[]) {
  const feeOf = (entries: PoolEntry[]) => coins(entries.reduce((total, entry) => total + entry.fee, 0n))
  const sizeOf = (entries: PoolEntry[]) => entries.reduce((total, entry) => total + virtualSize(entry.transaction), 0)
  return {
    vsize: virtualSize(transaction),
    weight: transaction.weight,
    time: timeS,
    descendantcount: descendants.length,
    descendantsize: sizeOf(descendants),
    ancestorcount: ancestors.length,
    ancestorsize: sizeOf(ancestors),
    wtxid: transaction.hash,
    fees: { base: coins(fee), modified: coins(fee), ancestor: feeOf(ancestors), descendant: feeOf(descendants) },
    depends: ancestors.slice(1).map((each) => each.transaction.txid),
    spentby: descendants.slice(1).map((each) => each.transaction.txid),
    'bip125-replaceable': true,
  }
}
