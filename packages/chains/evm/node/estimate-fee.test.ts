import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BuildError, ChainError } from '@holdfast/chain-core'
import { evmCodec } from '../codec/evm-codec.ts'
import { encodeAuthorization } from '../codec/set-code/authorization.ts'
import { sign } from '../testing/samples.ts'
import { estimateFee } from './estimate-fee.ts'
import { NodeRefused, type Rpc } from './rpc.ts'

const wanted = { from: `0x${'11'.repeat(20)}`, to: `0x${'22'.repeat(20)}`, asset: { chain: 'eip155:1', contract: null }, amount: 5n }

it('a node is asked about its market once by all who want to know at one moment, and anew afterwards, also if it failed', async () => {
  let baseFee = 100n
  let isAway = false
  let markets = 0
  const rpc: Rpc = async (method) => {
    if (method === 'eth_estimateGas') return '0x5208'
    markets++
    const [fee, fails] = [`0x${baseFee.toString(16)}`, isAway]
    await new Promise(setImmediate)
    if (fails) throw new Error('away')
    return { baseFeePerGas: [fee, fee], gasUsedRatio: [0.5], reward: [['0x1', '0x2', '0x3']] }
  }
  const ask = () => estimateFee({ rpc, rollupFee: async () => 0n }, wanted)
  const nextOf = async () => (await ask())[0].parameters.nextBaseFee
  assert.deepEqual(await Promise.all([nextOf(), nextOf(), nextOf()]), [100n, 100n, 100n])
  assert.equal(markets, 1)
  baseFee = 200n
  assert.equal(await nextOf(), 200n)
  isAway = true
  const failed = await Promise.allSettled([ask(), ask()])
  assert.deepEqual([failed.map(({ status }) => status), markets], [['rejected', 'rejected'], 3])
  isAway = false
  assert.equal(await nextOf(), 200n)
})

it('a token that refuses a transfer is told from a node that does, so that one frozen address is no network that stands still', async () => {
  const token = { ...wanted, asset: { chain: 'eip155:1', contract: `0x${'33'.repeat(20)}` } }
  const ask = (reason: string, order = token) => {
    const rpc: Rpc = async (method) => {
      if (method === 'eth_estimateGas') throw new NodeRefused('the node refused', reason)
      if (method === 'eth_getCode') return '0x60'
      return { baseFeePerGas: ['0x64', '0x64'], gasUsedRatio: [0.5], reward: [['0x1', '0x2', '0x3']] }
    }
    return estimateFee({ rpc, rollupFee: async () => 0n }, order)
  }
  const isTokens = (cause: unknown) => cause instanceof BuildError && cause.obstacle.kind === 'token_refuses'
  await assert.rejects(ask('execution reverted: Blacklistable: account is blacklisted'), isTokens)
  await assert.rejects(ask('limit exceeded'), (cause) => cause instanceof NodeRefused)
  await assert.rejects(ask('execution reverted', { ...wanted, data: Uint8Array.of(1) } as never), (cause) => cause instanceof NodeRefused)
})

it('a call that carries authorizations is asked for with them, and a node that leaves them out is not believed', async () => {
  const codec = evmCodec({ chain: 'eip155:1' })
  const unsigned = encodeAuthorization({ chain: 'eip155:1', delegate: wanted.to, nonce: 3n })
  const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
  const asked: unknown[] = []
  const ask = (gas: bigint) => {
    const rpc: Rpc = async (method, params) => {
      if (method === 'eth_estimateGas') asked.push(params[0])
      if (method === 'eth_estimateGas') return `0x${gas.toString(16)}`
      return { baseFeePerGas: ['0x64', '0x64'], gasUsedRatio: [0.5], reward: [['0x1', '0x2', '0x3']] }
    }
    return estimateFee({ rpc, rollupFee: async () => 0n }, { ...wanted, amount: 0n, data: new Uint8Array(0), authorizations: [raw] })
  }
  assert.equal((await ask(60_000n))[0].parameters.gasLimit, 75_000n)
  const [{ authorizationList: list }] = asked as [{ authorizationList: Record<string, string>[] }]
  assert.deepEqual([list.length, list[0]!.chainId, list[0]!.address, list[0]!.nonce], [1, '0x1', wanted.to, '0x3'])
  await assert.rejects(ask(45_999n), ChainError)
})
