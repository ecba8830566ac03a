import { ChainError } from '@holdfast/chain-core'
import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Address, type Hex, parseEther } from 'viem'
import { evmCodec } from '../codec/index.ts'
import { type Anvil, startAnvil } from '../testing/anvil.ts'
import { publicKey, recipient, sign } from '../testing/samples.ts'
import { evmNode } from './index.ts'
import { beyondGas, FEE_ORACLE } from './rollup-fee.ts'

const chain = 'eip155:31337'
const { fetch, timer } = nodePorts
const codec = evmCodec({ chain })
const from = codec.addressFromKey(publicKey)
const asset = { chain, contract: null }
/** Where networks of the OP stack keep what the underlying chain costs. */
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const BOUND = 10n ** 12n

/** A contract that answers every question with one number. */
const answering = (value: bigint) => `0x7f${value.toString(16).padStart(64, '0')}5f5260205ff3` as const

let anvil: Anvil
/** What receipts say besides, as nodes of such networks do; anvil takes the fee and leaves it out of the receipt. */
let told: Record<string, string> = {}
const telling: typeof globalThis.fetch = async (input, init) => {
  const { method } = JSON.parse(String(init!.body)) as { method: string }
  const answer = (await (await fetch(input, init)).json()) as { result: object }
  return Response.json(method === 'eth_getTransactionReceipt' ? { ...answer, result: { ...answer.result, ...told } } : answer)
}
const node = () => evmNode({ chain, rpcUrl: anvil.rpcUrl, tokens: [], fetch: telling, timer })
const orderOf = (feeCap: bigint, slot: bigint) => ({ from, to: recipient, asset, amount: 5n, feeCap, slot, tier: 1 as const })

async function pay(feeCap: bigint) {
  const unsigned = await node().prepare(orderOf(feeCap, await node().nextSlot(from)))
  const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
  const before = await node().balance(from, asset)
  assert.deepEqual(await node().broadcast(raw), { outcome: 'accepted' })
  const taken = before - (await node().balance(from, asset)) - 5n
  const { gasUsed, effectiveGasPrice } = await anvil.network.getTransactionReceipt({ hash: txid as Hex })
  told = { l1Fee: `0x${(taken - gasUsed * effectiveGasPrice).toString(16)}` }
  const state = await node().transaction(txid)
  assert.ok(state.state === 'included')
  return { state, taken, feeMax: codec.decode(unsigned).feeMax }
}

describe('a rollup of the OP stack', () => {
  before(async () => {
    anvil = await startAnvil({ rollup: true })
    await anvil.network.setBalance({ address: from as Address, value: parseEther('10') })
    // This network charges the caller of a question as well.
    await anvil.network.setBalance({ address: `0x${'00'.repeat(20)}`, value: parseEther('10') })
    // The base fees and scalars of the underlying chain, as its deposit transaction writes them into every block.
    await anvil.network.setStorageAt({ address: L1_BLOCK, index: '0x1', value: `0x${(20n * 10n ** 9n).toString(16).padStart(64, '0')}` })
    await anvil.network.setStorageAt({ address: L1_BLOCK, index: '0x3', value: `0x${'0'.repeat(24)}${'00001388'}${'00000001'}${'0'.repeat(24)}` })
    await anvil.network.setStorageAt({ address: L1_BLOCK, index: '0x7', value: `0x${1n.toString(16).padStart(64, '0')}` })
    await anvil.network.setCode({ address: FEE_ORACLE, bytecode: answering(BOUND) })
  })
  after(() => anvil.stop())

  it('takes a fee for the chain underneath, and what is told is what it takes', async () => {
    const { state, taken } = await pay(10n ** 16n)
    assert.equal(state.fee, taken)
    assert.ok(state.surcharge! > 0n, 'the network charges for the chain underneath')
  })

  it('is asked for more than gas: tiers, order and cap hold what it may take besides', async () => {
    const tiers = await node().estimateFee(orderOf(0n, 0n))
    for (const [tier, percent] of [150n, 200n, 300n].entries()) {
      const { feeMax, parameters } = tiers[tier]!
      // The contract here names the bound for the operator's fee as well.
      assert.equal(parameters.surcharge, (2n * BOUND * percent) / 100n)
      assert.equal(feeMax, parameters.gasLimit! * parameters.maxFeePerGas! + parameters.surcharge!)
    }
    const { state, feeMax, taken } = await pay(tiers[1].feeMax)
    assert.ok(feeMax + tiers[1].parameters.surcharge! <= tiers[1].feeMax)
    assert.ok(taken <= tiers[1].feeMax && state.fee === taken)
    const [, now] = await node().estimateFee(orderOf(0n, 0n))
    const tight = now.feeMax - 1_000n * 21_000n
    const { feeMax: offered } = codec.decode(await node().prepare(orderOf(tight, 99n)))
    assert.ok(offered + now.parameters.surcharge! <= tight, 'the fee leaves room under the cap for what is taken besides')
    await assert.rejects(node().prepare(orderOf(4n * BOUND, 99n)), (cause: unknown) => cause instanceof ChainError && /underneath may cost/.test(cause.message))
  })
})

describe('what a receipt tells of fees besides gas', () => {
  it('is the part of the underlying chain and the one of the operator, in the units of each fork', () => {
    const receipt = { gasUsed: '0x5208', l1Fee: '0x64' }
    assert.equal(beyondGas({ gasUsed: '0x5208' }), 0n)
    assert.equal(beyondGas(receipt), 100n)
    assert.equal(beyondGas({ ...receipt, operatorFeeScalar: '0xf4240', operatorFeeConstant: '0x7' }), 100n + 21_000n + 7n)
    assert.equal(beyondGas({ ...receipt, operatorFeeScalar: '0x2', operatorFeeConstant: '0x7', daFootprintGasScalar: '0x1' }), 100n + 21_000n * 200n + 7n)
    assert.throws(() => beyondGas({ ...receipt, l1Fee: 'much' }), ChainError)
  })
})

describe('a network where a plain payment takes more than 21,000 gas', () => {
  const gasOf = async (answer: (call: { value?: string }) => object) => {
    const arbitrum = evmNode({
      chain,
      rpcUrl: 'http://node.test',
      tokens: [],
      timer,
      fetch: async (_, init) => {
        const { method, params } = JSON.parse(String(init!.body)) as { method: string; params: { value?: string }[] }
        const history = { baseFeePerGas: ['0x1', '0x1'], gasUsedRatio: [0.5], reward: [['0x1', '0x1', '0x1']] }
        const results: Record<string, unknown> = { eth_chainId: '0x7a69', eth_getCode: '0x', eth_feeHistory: history }
        return Response.json({ jsonrpc: '2.0', id: 1, ...(method === 'eth_estimateGas' ? answer(params[0]!) : { result: results[method] }) })
      },
    })
    const plain = await arbitrum.estimateFee(orderOf(0n, 0n))
    const paid = await arbitrum.prepare(orderOf(10n ** 16n, 7n))
    const cancelled = await arbitrum.prepareCancel!({ from, feeCap: 10n ** 16n, tier: 1, replaces: paid })
    return [plain[0].parameters.gasLimit, codec.decode(cancelled).feeParameters!.gasLimit]
  }

  it('is asked, and a payment and its cancellation get what it says and a quarter more', async () => {
    assert.deepEqual(await gasOf(() => ({ result: '0xc350' })), [62_500n, 62_500n])
    assert.deepEqual(await gasOf(() => ({ result: '0x5208' })), [21_000n, 21_000n])
  })

  it('is asked for the payment without its amount, where that is not covered', async () => {
    const refusing = ({ value }: { value?: string }) => (value ? { error: { code: -32000, message: 'insufficient funds for transfer' } } : { result: '0xc350' })
    assert.deepEqual(await gasOf(refusing), [62_500n, 62_500n])
  })
})
