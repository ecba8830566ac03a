import { type AssetRef, type BlockTransfer, ChainError, type ChainNode, type TransferOrder } from '@holdfast/chain-core'
import { nodePorts } from '@holdfast/ports/node'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Abi, type Address, getAddress, type Hex, parseEther, parseGwei } from 'viem'
import devDollar from '../artifacts/dev-dollar.json' with { type: 'json' }
import hostileToken from '../artifacts/hostile-token.json' with { type: 'json' }
import { buildTransfer, evmCodec, readSignedAuthorization } from '../codec/index.ts'
import { nativeOrder, publicKey, sign, signWith } from '../testing/samples.ts'
import { type Anvil, startAnvil } from '../testing/anvil.ts'
import { evmNode } from './index.ts'

const chain = 'eip155:31337'
const codec = evmCodec({ chain })
const coin: AssetRef = { chain, contract: null }
const alice = codec.addressFromKey(publicKey) as Address
const bob = '0x1111111111111111111111111111111111111111'
const { fetch, timer } = nodePorts

let anvil: Anvil
let rich: ReturnType<Anvil['walletOf']>
let dollar: Address
let sameSymbol: Address
let hostile: Address
let node: ChainNode

async function mined(hash: Hex) {
  return anvil.network.waitForTransactionReceipt({ hash })
}

async function deploy(artifact: { abi: unknown; bytecode: string }, ...args: unknown[]): Promise<Address> {
  const receipt = await mined(await rich.deployContract({ abi: artifact.abi as Abi, bytecode: artifact.bytecode as Hex, args }))
  return getAddress(receipt.contractAddress!)
}

/** Calls a contract as the rich account, whether or not the call succeeds. */
async function call(address: Address, artifact: { abi: unknown }, functionName: string, args: unknown[], value = 0n) {
  return mined(await rich.writeContract({ address, abi: artifact.abi as Abi, functionName, args, value, gas: 500_000n }))
}

async function transfersIn(receipt: { blockNumber: bigint }): Promise<BlockTransfer[]> {
  return (await node.readBlock(receipt.blockNumber))!.transfers
}

function order(changes: Partial<TransferOrder>): TransferOrder {
  return { from: alice, to: bob, asset: coin, amount: 5n, feeCap: parseEther('1'), slot: 0n, tier: 1, ...changes }
}

/** The node where some questions are answered otherwise. */
function nodeAnswering(methods: RegExp, answer: (method: string) => Response): ChainNode {
  return evmNode({
    chain,
    rpcUrl: anvil.rpcUrl,
    tokens: [dollar],
    timer,
    fetch: (input, init) => {
      const { method } = JSON.parse(String(init!.body))
      return methods.test(method) ? Promise.resolve(answer(method)) : fetch(input, init)
    },
  })
}

function nodeWithout(...missing: string[]): ChainNode {
  const error = (method: string) => ({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: `the method ${method} does not exist/is not available` } })
  return nodeAnswering(new RegExp(missing.join('|')), (method) => Response.json(error(method)))
}

/** Bytes that take a nonce, whatever they do. */
function nonceOf(nonce: bigint): Uint8Array {
  return buildTransfer({ ...nativeOrder, nonce })
}

function signed(unsigned: Uint8Array) {
  return codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
}

before(async () => {
  anvil = await startAnvil()
  rich = anvil.walletOf(0)
  dollar = await deploy(devDollar, 'USDX')
  sameSymbol = await deploy(devDollar, 'USDX')
  hostile = await deploy(hostileToken)
  node = evmNode({ chain, rpcUrl: anvil.rpcUrl, tokens: [dollar.toLowerCase()], fetch, timer })
  await call(dollar, devDollar, 'mint', [alice, 1_000_000n])
  await mined(await rich.sendTransaction({ to: alice, value: parseEther('10') }))
})

after(() => anvil.stop())

describe('reading a block', () => {
  it('reports a transfer of the coin and one of a watched token, and joins it to its parent', async () => {
    const paid = await mined(await rich.sendTransaction({ to: bob, value: 123n }))
    const native = { txid: paid.transactionHash, index: 0, asset: coin, from: rich.account.address, to: bob, amount: 123n }
    assert.deepEqual(await transfersIn(paid), [native])
    const moved = await call(dollar, devDollar, 'mint', [bob, 77n])
    const zero = '0x0000000000000000000000000000000000000000'
    const token = { txid: moved.transactionHash, index: 1, asset: { chain, contract: dollar }, from: zero, to: bob, amount: 77n }
    assert.deepEqual(await transfersIn(moved), [token])
    const [block, parent] = await Promise.all([node.readBlock(moved.blockNumber), node.readBlock(moved.blockNumber - 1n)])
    assert.equal(block!.parentHash, parent!.hash)
    assert.ok(block!.timestampMs >= parent!.timestampMs && block!.timestampMs % 1000 === 0)
    assert.deepEqual(await node.head(), { height: block!.height, hash: block!.hash })
  })

  it('gives every transfer of a block full of them once, with an index unique in its transaction', async () => {
    await anvil.network.setAutomine(false)
    const nonce = await anvil.network.getTransactionCount({ address: rich.account.address })
    const sent: Hex[] = []
    for (let i = 0; i < 12; i++) {
      const shared = { nonce: nonce + i, gas: 100_000n }
      sent.push(
        i % 2 === 0
          ? await rich.sendTransaction({ ...shared, to: bob, value: 1n + BigInt(i) })
          : await rich.writeContract({ ...shared, address: dollar, abi: devDollar.abi as Abi, functionName: 'mint', args: [bob, 1n + BigInt(i)] }),
      )
    }
    await anvil.network.mine({ blocks: 1 })
    await anvil.network.setAutomine(true)
    const transfers = await transfersIn(await mined(sent[0]!))
    assert.deepEqual(transfers.map(({ txid, amount }) => `${txid} ${amount}`).sort(), sent.map((txid, i) => `${txid} ${1 + i}`).sort())
    assert.equal(new Set(transfers.map(({ txid, index }) => `${txid} ${index}`)).size, transfers.length)
  })

  it('knows nothing above the head', async () => {
    const { height } = await node.head()
    assert.equal(await node.readBlock(height + 1n), undefined)
    assert.equal(await node.readBlock(height + 1_000_000n), undefined)
    await assert.rejects(node.readBlock(-1n), ChainError)
  })

  it('does not report what another contract logs, whatever symbol it bears', async () => {
    assert.deepEqual(await transfersIn(await call(sameSymbol, devDollar, 'mint', [bob, 5n])), [])
    assert.deepEqual(await transfersIn(await call(hostile, hostileToken, 'forge', [alice, bob, 5n])), [])
    assert.deepEqual(await transfersIn(await call(hostile, hostileToken, 'forgeIndexed', [alice, bob, 5n])), [])
    assert.deepEqual(await transfersIn(await call(hostile, hostileToken, 'transfer', [bob, 5n])), [])
  })

  it('does not report a failed transaction as a transfer', async () => {
    const failures = [
      await call(dollar, devDollar, 'transfer', [bob, 10n ** 30n]),
      await call(hostile, hostileToken, 'forgeThenRevert', [alice, bob, 5n]),
      await mined(await rich.sendTransaction({ to: dollar, value: 5n, gas: 100_000n })),
    ]
    for (const failed of failures) {
      assert.equal(failed.status, 'reverted')
      assert.deepEqual(await transfersIn(failed), [])
      const state = await node.transaction(failed.transactionHash)
      assert.ok(state.state === 'included' && !state.success && state.fee > 0n)
    }
  })

  it('reports a token transfer that a contract makes, and none where the contract swallowed its failure', async () => {
    await call(dollar, devDollar, 'mint', [hostile, 50n])
    const moved = await call(hostile, hostileToken, 'moveQuietly', [dollar, bob, 50n])
    assert.deepEqual(
      (await transfersIn(moved)).map(({ from, to, amount, index }) => [from, to, amount, index]),
      [[hostile, bob, 50n, 1]],
    )
    const swallowed = await call(hostile, hostileToken, 'moveQuietly', [dollar, bob, 50n])
    assert.equal(swallowed.status, 'success')
    assert.deepEqual(await transfersIn(swallowed), [])
  })

  it('does not report transfers of nothing, by which look-alike addresses are planted', async () => {
    assert.deepEqual(await transfersIn(await mined(await rich.sendTransaction({ to: bob, value: 0n }))), [])
    assert.deepEqual(await transfersIn(await call(dollar, devDollar, 'transferFrom', [bob, alice, 0n])), [])
  })

  it('reports coin given to a contract at its creation, and coin that a contract passes on, the same by either way of tracing', async () => {
    const created = await mined(await rich.sendTransaction({ data: '0x00', value: 9n }))
    assert.deepEqual(
      (await transfersIn(created)).map(({ to, amount }) => [to, amount]),
      [[codec.canonicalAddress(created.contractAddress!), 9n]],
    )
    const passed = await call(hostile, hostileToken, 'passOn', [bob], 8n)
    const { transfers, internalTransfers } = (await node.readBlock(passed.blockNumber))!
    assert.deepEqual(
      transfers.map(({ from, to, amount, inside }) => [from, to, amount, inside]),
      [
        [rich.account.address, hostile, 8n, undefined],
        [hostile, bob, 8n, true],
      ],
    )
    assert.equal(internalTransfers, 'seen')
    const flat = await nodeWithout('debug_traceBlockByHash').readBlock(passed.blockNumber)
    assert.deepEqual(flat, await node.readBlock(passed.blockNumber))
  })

  it('says that a block is not shown whole where a node has no traces, gives none of it, or cannot trace it again and again', async () => {
    const passed = await call(hostile, hostileToken, 'passOn', [bob], 8n)
    const plain = await mined(await rich.sendTransaction({ to: bob, value: 1n }))
    const untraced = nodeWithout('debug_traceBlockByHash', 'trace_block')
    const { transfers, internalTransfers } = (await untraced.readBlock(passed.blockNumber))!
    assert.deepEqual([internalTransfers, transfers.map(({ to }) => to)], ['unseen', [hostile]])
    assert.equal((await untraced.readBlock(plain.blockNumber))!.internalTransfers, 'seen', 'a plain payment runs no code')
    const refusing = nodeAnswering(/trace/, () => new Response('upgrade', { status: 403 }))
    assert.equal((await refusing.readBlock(passed.blockNumber))!.internalTransfers, 'unseen')
    // As one that kept its blocks over a restart, and not what ran in them.
    const kept = { debug_traceBlockByHash: [{ txHash: passed.transactionHash }], trace_block: [] }
    const forgetful = nodeAnswering(/trace/, (method) => Response.json({ jsonrpc: '2.0', id: 1, result: kept[method as keyof typeof kept] }))
    assert.equal((await forgetful.readBlock(passed.blockNumber))!.internalTransfers, 'unseen')
    const silent = nodeAnswering(/trace/, () => new Response('', { status: 503 }))
    for (let tries = 1; tries < 3; tries++) await assert.rejects(silent.readBlock(passed.blockNumber), ChainError)
    assert.equal((await silent.readBlock(passed.blockNumber))!.internalTransfers, 'unseen')
  })

  it('names who took a token by an allowance, also through another contract', async () => {
    const taker = anvil.walletOf(1)
    const own = { address: dollar, abi: devDollar.abi as Abi }
    await call(dollar, devDollar, 'mint', [rich.account.address, 10n])
    await call(dollar, devDollar, 'approve', [taker.account.address, 9n])
    const taken = await mined(await taker.writeContract({ ...own, functionName: 'transferFrom', args: [rich.account.address, bob, 4n] }))
    const [moved] = await transfersIn(taken)
    assert.deepEqual([moved!.from, moved!.to, moved!.amount, moved!.takenBy], [rich.account.address, bob, 4n, taker.account.address])
    assert.equal(await node.contracts!.allowance(rich.account.address, taker.account.address, dollar), 5n)
    const spent = await call(dollar, devDollar, 'transfer', [bob, 1n])
    assert.equal((await transfersIn(spent))[0]!.takenBy, undefined, 'the owner moved it')
  })

  it('tells of a watched token whose logs are no ERC-20 transfers, and reads on', async () => {
    const careless = evmNode({ chain, rpcUrl: anvil.rpcUrl, tokens: [hostile], fetch, timer })
    const odd = await call(hostile, hostileToken, 'forgeIndexed', [alice, bob, 5n])
    const block = (await careless.readBlock(odd.blockNumber))!
    assert.deepEqual([block.transfers, block.oddLogs], [[], [{ contract: hostile, txid: odd.transactionHash, index: 1 }]])
    // Of one that was added while it is read, nothing is told: who asked for it does not answer for it.
    const later = evmNode({ chain, rpcUrl: anvil.rpcUrl, tokens: [], fetch, timer })
    later.contracts.watch(hostile)
    later.contracts.watch(dollar)
    const passed = (await later.readBlock(odd.blockNumber))!
    assert.deepEqual([passed.transfers, passed.oddLogs], [[], []])
    const paid = await call(dollar, devDollar, 'mint', [bob, 3n])
    assert.deepEqual(
      (await later.readBlock(paid.blockNumber))!.transfers.map(({ amount }) => amount),
      [3n],
    )
    assert.deepEqual(await later.contracts.describeToken(dollar), { symbol: 'USDX', decimals: 6, name: 'Development Dollar' })
  })
})

describe('signs that balances of a token are not the sum of its logs', () => {
  /** A contract that answers one function alone, or all of them, with a word. */
  const answering = async (address: Address, selector?: string) => {
    const word = '60206000f3'
    const bytecode = selector === undefined ? `0x${word}` : `0x60003560e01c63${selector}1460145760006000fd5b${word}`
    await anvil.network.setCode({ address, bytecode: bytecode as Hex })
    return node.contracts!.tokenSigns(address)
  }

  it('are its functions, and holders whose balance changed by something else than its transfers', async () => {
    await call(dollar, devDollar, 'mint', [rich.account.address, 9n])
    await call(dollar, devDollar, 'transfer', [bob, 4n])
    const { compared, ...none } = await node.contracts!.tokenSigns(dollar)
    assert.deepEqual([compared >= 2, none], [true, { functions: [], differing: 0 }])
    await call(hostile, hostileToken, 'forge', [alice, bob, 5n])
    assert.deepEqual(await node.contracts!.tokenSigns(hostile), { functions: [], compared: 2, differing: 2 })
    const shares = { kind: 'rebase' as const, name: 'sharesOf(address)' }
    assert.deepEqual(await answering('0x2222222222222222222222222222222222222222', 'f5eb42dc'), { functions: [shares], compared: 0, differing: 0 })
    const rate = { kind: 'fee' as const, name: 'basisPointsRate()' }
    assert.deepEqual((await answering('0x2222222222222222222222222222222222222222', 'dd644f72')).functions, [rate])
  })

  it('are none of a contract that answers everything, and of holders that the node keeps nothing of', async () => {
    assert.deepEqual(await answering('0x3333333333333333333333333333333333333333'), { functions: [], compared: 0, differing: 0 })
    const refusal = () => Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'missing trie node' } })
    await call(hostile, hostileToken, 'forge', [alice, bob, 5n])
    for (const methods of [/eth_call/, /eth_getLogs/]) {
      const forgetful = nodeAnswering(methods, refusal)
      assert.deepEqual(await forgetful.contracts!.tokenSigns(hostile), { functions: [], compared: 0, differing: 0 })
    }
    await assert.rejects(nodeAnswering(/eth_call/, () => new Response('', { status: 503 })).contracts!.tokenSigns(hostile), ChainError)
  })
})

describe('sending a transfer', () => {
  it('calls a refusal unknown and never a failure', async () => {
    const slot = await node.nextSlot(alice)
    const poor = signed(await node.prepare(order({ amount: parseEther('1000000'), slot })))
    const outcome = await node.broadcast(poor.raw)
    assert.ok(outcome.outcome === 'unknown' && /insufficient funds/i.test(outcome.reason), JSON.stringify(outcome))
    const cheap = signed(await node.prepare(order({ slot, tier: 0 })))
    await anvil.network.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('900') })
    await anvil.network.mine({ blocks: 1 })
    const below = await node.broadcast(cheap.raw)
    assert.ok(below.outcome === 'unknown' && /base fee/i.test(below.reason), JSON.stringify(below))
  })

  it('keeps within the fee cap or says what is needed', async () => {
    const tiers = await node.estimateFee(order({}))
    const [economy, normal, fast] = tiers
    assert.ok(economy.feeMax < normal.feeMax && normal.feeMax < fast.feeMax)
    assert.ok(tiers.every(({ parameters: { gasLimit, maxFeePerGas }, feeMax }) => gasLimit === 21_000n && gasLimit * maxFeePerGas! === feeMax))
    const capped = codec.decode(await node.prepare(order({ tier: 2, feeCap: economy.feeMax })))
    assert.ok(capped.feeMax <= economy.feeMax)
    const tooLow = /fee cap of \d+ wei cannot be met: the next block asks for at least \d+ wei/
    await assert.rejects(node.prepare(order({ tier: 0, feeCap: economy.feeMax / 4n })), tooLow)
    await assert.rejects(node.prepare(order({ feeCap: 0n })), ChainError)
  })

  it('replaces a pending transaction by the same payment for a tenth more of both prices, and refuses where the cap forbids that or it is another payment', async () => {
    await anvil.network.setAutomine(false)
    try {
      const slot = await node.nextSlot(alice)
      const first = await node.prepare(order({ slot, tier: 0 }))
      assert.deepEqual(await node.broadcast(signed(first).raw), { outcome: 'accepted' })
      const { feeMax, feeParameters } = codec.decode(first)
      const { maxFeePerGas, maxPriorityFeePerGas } = feeParameters as Record<'maxFeePerGas' | 'maxPriorityFeePerGas', bigint>
      await assert.rejects(node.prepare(order({ slot, tier: 0, feeCap: feeMax, replaces: first })), /a replacement can cost/)
      await assert.rejects(node.prepare(order({ slot, tier: 0, amount: 6n, replaces: first })), /another payment/)
      await assert.rejects(node.prepare(order({ slot: slot + 1n, tier: 0, replaces: first })), /another slot/)
      const second = await node.prepare(order({ slot, tier: 0, replaces: first }))
      const faster = codec.decode(second)
      assert.deepEqual([faster.slot, faster.transfers], [slot, codec.decode(first).transfers])
      assert.ok(
        faster.feeParameters!.maxFeePerGas! * 10n >= maxFeePerGas * 11n && faster.feeParameters!.maxPriorityFeePerGas! * 10n >= maxPriorityFeePerGas * 11n,
      )
      assert.deepEqual(await node.broadcast(signed(second).raw), { outcome: 'accepted' })
      await anvil.network.mine({ blocks: 1 })
      assert.equal((await node.transaction(signed(second).txid)).state, 'included')
      assert.notEqual((await node.transaction(signed(first).txid)).state, 'included')
    } finally {
      await anvil.network.setAutomine(true)
    }
  })

  it('refuses to price a token transfer that the token itself refuses', async () => {
    await assert.rejects(node.estimateFee(order({ asset: { chain, contract: dollar }, amount: 10n ** 40n })), /the token refuses the transfer/)
    await assert.rejects(node.estimateFee(order({ asset: { chain: 'eip155:1', contract: null } })), ChainError)
  })

  it('tells contracts from plain accounts and reads no balance where there is no token', async () => {
    assert.equal(await node.isContract(dollar), true)
    assert.equal(await node.isContract(bob), false)
    assert.equal(await node.balance(alice, coin), await anvil.network.getBalance({ address: alice }))
    await assert.rejects(node.balance(alice, { chain, contract: bob }), /no ERC-20 token/)
  })
})

describe('a slot', () => {
  it('is free, then used by a transaction that can be named and whose signed bytes can be read back', async () => {
    const slot = await node.nextSlot(alice)
    const { height: before } = await node.head()
    assert.equal(await node.slotUse(alice, nonceOf(slot), before), undefined)
    const { raw, txid } = signed(await node.prepare(order({ amount: 11n, slot })))
    await node.broadcast(raw)
    await anvil.network.mine({ blocks: 40 })
    const included = await node.transaction(txid)
    assert.ok(included.state === 'included')
    const { height: head } = await node.head()
    assert.deepEqual(await node.slotUse(alice, nonceOf(slot), head), { txid, height: included.height, blockHash: included.blockHash, raw })
    assert.equal(await node.slotUse(alice, nonceOf(slot), included.height - 1n), undefined)
    for (let each = 0n; each < slot; each++) assert.ok((await node.slotUse(alice, nonceOf(each), head))!.height < included.height)
  })

  it('that a transaction of another form used is used all the same', async () => {
    const from = rich.account.address
    const nonce = await anvil.network.getTransactionCount({ address: from })
    const paid = await mined(await rich.sendTransaction({ to: bob, value: 3n, type: 'legacy' }))
    const empty = await mined(await rich.sendTransaction({ to: from, value: 0n }))
    const { height } = await node.head()
    assert.deepEqual(
      [await node.slotUse(from, nonceOf(BigInt(nonce)), height), await node.slotUse(from, nonceOf(BigInt(nonce + 1)), height)],
      [paid, empty].map((each) => ({ txid: each.transactionHash, height: each.blockNumber, blockHash: each.blockHash, raw: null })),
    )
  })

  it('is used by an authorization that somebody else carries, which is read back as the transaction that carries it is', async () => {
    const account = codec.addressFromKey(secp256k1.getPublicKey(new Uint8Array(32).fill(3), true))
    const [mine, theirs] = [await node.nextSlot(account), await node.nextSlot(alice)]
    const unsigned = await node.prepare(order({ from: account, to: bob, amount: 0n, feeCap: 0n, slot: mine, authorizes: { delegate: bob } }))
    assert.deepEqual(codec.decode(unsigned), { chain, transfers: [], authorizes: { delegate: bob }, feeMax: 0n, feeParameters: {}, slot: mine })
    const given = codec.attach(unsigned, codec.sighashes(unsigned).map(signWith(new Uint8Array(32).fill(3))))
    assert.deepEqual(codec.detach(given.raw), { unsigned, txid: given.txid, from: account })
    const { signed: authorization } = readSignedAuthorization(given.raw)
    const fees = { gasLimit: 200_000n, maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: 1_000_000n }
    const foreign = { ...authorization, signature: { ...authorization.signature, yParity: 1n - authorization.signature.yParity } }
    const carrier = signed(buildTransfer({ asset: coin, to: bob, amount: 2n, nonce: theirs, ...fees, authorizations: [foreign, authorization] }))
    await node.broadcast(carrier.raw)
    await anvil.network.mine({ blocks: 3 })
    const { height: head } = await node.head()
    const [use, by] = [await node.slotUse(account, unsigned, head), await node.slotUse(alice, nonceOf(theirs), head)]
    assert.ok(by)
    assert.deepEqual(by, { txid: carrier.txid, height: by.height, blockHash: by.blockHash, raw: carrier.raw })
    assert.deepEqual(use, { txid: given.txid, height: by.height, blockHash: by.blockHash, raw: given.raw })
    assert.equal(await node.slotUse(account, unsigned, by.height - 1n), undefined)
    assert.equal(await node.nextSlot(account), mine + 1n)
  })

  it('is shown by a node that has forgotten the state of then and kept the blocks, and by none that has forgotten both', async () => {
    const slot = (await node.nextSlot(alice)) - 1n
    await anvil.network.mine({ blocks: 20 })
    const { height: head } = await node.head()
    const use = (await node.slotUse(alice, nonceOf(slot), head))!
    const forgetting =
      (kept: bigint): typeof fetch =>
      async (input, init) => {
        const { id, method, params } = JSON.parse(String(init!.body)) as { id: number; method: string; params: string[] }
        if (method !== 'eth_getTransactionCount' || BigInt(params[1]!) >= head - kept) return fetch(input, init)
        return new Response(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'missing trie node' } }))
      }
    const at = (kept: bigint) => evmNode({ chain, rpcUrl: anvil.rpcUrl, tokens: [], fetch: forgetting(kept), timer })
    assert.deepEqual(await at(5n).slotUse(alice, nonceOf(slot), head), use)
    await anvil.network.mine({ blocks: 80 })
    const { height: later } = await node.head()
    assert.deepEqual(await node.slotUse(alice, nonceOf(slot), later), use)
    await assert.rejects(at(-50n).slotUse(alice, nonceOf(slot), later), /missing trie node/)
  })

  it('is not called used by a node that cannot show who used it', async () => {
    const slot = (await node.nextSlot(alice)) - 1n
    const hiding: typeof fetch = async (...given) => {
      const answer = await (await fetch(...given)).json()
      if (Array.isArray(answer.result?.transactions)) answer.result.transactions = []
      return new Response(JSON.stringify(answer))
    }
    const forgetful = evmNode({ chain, rpcUrl: anvil.rpcUrl, tokens: [], fetch: hiding, timer })
    await assert.rejects(forgetful.slotUse(alice, nonceOf(slot), (await node.head()).height), /shows no such transaction/)
    const altering: typeof fetch = async (...given) => {
      const answer = await (await fetch(...given)).json()
      for (const each of answer.result?.transactions ?? []) each.value = '0x1'
      return new Response(JSON.stringify(answer))
    }
    const lying = evmNode({ chain, rpcUrl: anvil.rpcUrl, tokens: [], fetch: altering, timer })
    await assert.rejects(lying.slotUse(alice, nonceOf(slot), (await node.head()).height), /do not make its id/)
  })
})

describe('the past', () => {
  it('is told of a balance at a height, and of a block by its hash', async () => {
    const { height, hash } = await node.head()
    const [had, dollars] = await Promise.all([node.balance(bob, coin), node.balance(bob, { chain, contract: dollar })])
    await mined(await rich.sendTransaction({ to: bob, value: 9n }))
    await call(dollar, devDollar, 'mint', [bob, 9n])
    assert.deepEqual([await node.balance(bob, coin, height), await node.balance(bob, { chain, contract: dollar }, height)], [had, dollars])
    assert.deepEqual([await node.balance(bob, coin), await node.balance(bob, { chain, contract: dollar })], [had + 9n, dollars + 9n])
    assert.equal(await node.blockHash(height), hash)
    assert.equal(await node.blockHash(height + 1_000n), undefined)
  })
})
