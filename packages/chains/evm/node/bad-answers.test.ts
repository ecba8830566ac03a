import type { ChainNode } from '@holdfast/chain-core'
import { refused, replaced, SECRET } from '@holdfast/chain-core/broken-answers'
import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recipient, token } from '../testing/samples.ts'
import { evmNode } from './index.ts'

const chain = 'eip155:31337'
const { timer } = nodePorts

/** A node whose provider answers with whatever `respond` returns, over a real socket. */
async function withProvider(respond: (method: string) => Response | Promise<Response>, use: (node: ChainNode) => Promise<void>, limits = {}) {
  const server = await nodePorts.net.serveHttp('127.0.0.1', 0, async (request) => respond(((await request.json()) as { method: string }).method))
  try {
    await use(evmNode({ chain, rpcUrl: `http://127.0.0.1:${server.port}/${SECRET}`, tokens: [token], fetch: nodePorts.fetch, timer, ...limits }))
  } finally {
    await server.close()
  }
}

function result(value: unknown): Response {
  return Response.json({ jsonrpc: '2.0', id: 1, result: value })
}

const txid = `0x${'aa'.repeat(32)}`
const blockHash = `0x${'bb'.repeat(32)}`
const word = (address: string) => `0x${'00'.repeat(12)}${address.slice(2).toLowerCase()}`
const logged = {
  address: token.toLowerCase(),
  topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', word(recipient), word(token)],
  data: `0x${'00'.repeat(31)}2a`,
  transactionHash: txid,
  removed: false,
}
const honest = {
  block: {
    number: '0x10',
    hash: blockHash,
    parentHash: `0x${'cc'.repeat(32)}`,
    timestamp: '0x65000000',
    transactions: [{ hash: txid, blockHash, from: recipient.toLowerCase(), to: token.toLowerCase(), value: '0x5' }],
  },
  receipts: [{ transactionHash: txid, blockHash, status: '0x1', contractAddress: null, logs: [logged] }],
  traces: [{ txHash: txid, result: { type: 'CALL', from: recipient.toLowerCase(), to: token.toLowerCase(), value: '0x5', calls: [] as unknown } }],
}
type Answers = { block: unknown; receipts: unknown; traces: unknown }

/** A node over a provider in memory, which says of the chain what `answers` hold. */
function nodeOver(answers: Answers): ChainNode {
  const byMethod: Record<string, unknown> = {
    eth_chainId: '0x7a69',
    eth_blockNumber: '0x20',
    eth_getBlockByNumber: answers.block,
    eth_getBlockReceipts: answers.receipts,
    debug_traceBlockByHash: answers.traces,
    eth_getTransactionByHash: honest.block.transactions[0],
    eth_getTransactionReceipt: { ...honest.receipts[0], blockNumber: '0x10', gasUsed: '0x5208', effectiveGasPrice: '0x2' },
  }
  const fetch: typeof globalThis.fetch = async (_, init) => result(byMethod[JSON.parse(String(init!.body)).method])
  return evmNode({ chain, rpcUrl: 'http://provider.test', tokens: [token], fetch, timer })
}

describe('answers of the wrong shape', () => {
  it('the honest ones are read, so that the junk is what is refused below', async () => {
    const { transfers } = (await nodeOver(honest).readBlock(16n))!
    assert.deepEqual(
      transfers.map(({ index, amount }) => [index, amount]),
      [
        [0, 5n],
        [1, 42n],
      ],
    )
  })

  it('a receipt, log or transaction of another block is not mixed in', async () => {
    const other = `0x${'dd'.repeat(32)}`
    const places = ['block.transactions.0.blockHash', 'receipts.0.blockHash', 'receipts.0.transactionHash', 'receipts.0.logs.0.transactionHash']
    for (const place of places) await refused(nodeOver(replaced(honest, place.split('.'), other) as Answers).readBlock(16n), /do not belong to one block/)
    for (const place of ['traces.0.txHash', 'traces.0.result.value', 'traces.0.result.from', 'traces.0.result.error'])
      await refused(
        nodeOver(replaced(honest, place.split('.'), place.endsWith('from') ? token : place.endsWith('value') ? '0x6' : other) as Answers).readBlock(16n),
        /do not belong to it/,
      )
    await refused(nodeOver({ ...honest, traces: [] }).readBlock(16n), /do not belong to it/)
    await refused(nodeOver({ ...honest, receipts: [] }).readBlock(16n), /do not belong/)
    await refused(nodeOver({ ...honest, receipts: null }).readBlock(16n), /replaced while it was read/)
    await refused(nodeOver(honest).readBlock(17n), /block 16 where block 17/)
    await refused(nodeOver({ ...honest, block: null }).readBlock(16n), /does not have block 16 although its head is at 32/)
  })

  it('a receipt of a block that is no longer part of the chain does not make a transaction included', async () => {
    const included = { state: 'included', height: 16n, blockHash, success: true, fee: 42_000n }
    assert.deepEqual(await nodeOver(honest).transaction(txid), included)
    const reorganised = { ...honest.block, hash: `0x${'dd'.repeat(32)}` }
    for (const block of [reorganised, null]) assert.deepEqual(await nodeOver({ ...honest, block }).transaction(txid), { state: 'unknown' })
    await refused(nodeOver(honest).transaction(`0x${'ee'.repeat(32)}`), /another transaction/)
    await refused(nodeOver(honest).transaction('0x12'))
  })
})

describe('a token that says its symbol as 32 bytes', () => {
  const described = (symbol: string) => {
    const answers: Record<string, string> = { '0x95d89b41': symbol, '0x06fdde03': symbol, '0x313ce567': `0x${'12'.padStart(64, '0')}` }
    const fetch: typeof globalThis.fetch = async (_, init) => {
      const { method, params } = JSON.parse(String(init!.body)) as { method: string; params: { data: string }[] }
      return result(method === 'eth_chainId' ? '0x7a69' : answers[params[0]!.data])
    }
    return evmNode({ chain, rpcUrl: 'http://provider.test', tokens: [], fetch, timer }).contracts.describeToken(token)
  }

  it('is known by it, and by nothing that is no text', async () => {
    const filled = (hex: string) => `0x${hex.padEnd(64, '0')}`
    assert.deepEqual(await described(filled('4d4b52')), { symbol: 'MKR', decimals: 18, name: 'MKR' })
    for (const odd of [filled(''), filled('4d004b'), filled('ff'), `0x${'41'.repeat(32)}`, '0x', '0x4d4b52']) assert.equal(await described(odd), undefined)
  })
})

describe('providers that do not answer properly', () => {
  it('an error of any shape becomes a short reason', async () => {
    const proper = [
      { code: -32000, message: `no\n${'x'.repeat(5000)}` },
      { code: -32601, message: 'no such method' },
    ]
    const errors = [...proper, { code: 3, message: 'revert', data: '0x' }, {}, 'text', { code: 'x', message: 7 }]
    for (const error of errors)
      await withProvider(
        () => Response.json({ jsonrpc: '2.0', id: 1, error }),
        (node) => refused(node.head()),
      )
  })
})
