import { type AssetRef, type BlockTransfer, ChainError, type ChainNode, collectionAsset, nftAsset, type TransferOrder } from '@holdfast/chain-core'
import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Abi, type Address, getAddress, type Hex, parseEther } from 'viem'
import devCollectible from '../artifacts/dev-collectible.json' with { type: 'json' }
import devItems from '../artifacts/dev-items.json' with { type: 'json' }
import hostileToken from '../artifacts/hostile-token.json' with { type: 'json' }
import { evmCodec } from '../codec/index.ts'
import { type Anvil, startAnvil } from '../testing/anvil.ts'
import { publicKey, sign } from '../testing/samples.ts'
import { evmNode } from './index.ts'

const chain = 'eip155:31337'
const codec = evmCodec({ chain })
const alice = codec.addressFromKey(publicKey) as Address
const bob = '0x1111111111111111111111111111111111111111'
const NOBODY = '0x0000000000000000000000000000000000000000'
const { fetch, timer } = nodePorts

let anvil: Anvil
let rich: ReturnType<Anvil['walletOf']>
let collectible: Address
let items: Address
let hostile: Address
let node: ChainNode

const collectibleOf = (tokenId: bigint): AssetRef => ({ chain, contract: nftAsset({ standard: 'erc721', collection: collectible, tokenId }) })
const itemOf = (tokenId: bigint): AssetRef => ({ chain, contract: nftAsset({ standard: 'erc1155', collection: items, tokenId }) })
const mined = (hash: Hex) => anvil.network.waitForTransactionReceipt({ hash })

async function deploy(artifact: { abi: unknown; bytecode: string }): Promise<Address> {
  return getAddress((await mined(await rich.deployContract({ abi: artifact.abi as Abi, bytecode: artifact.bytecode as Hex }))).contractAddress!)
}

async function call(address: Address, artifact: { abi: unknown }, functionName: string, args: unknown[]) {
  return mined(await rich.writeContract({ address, abi: artifact.abi as Abi, functionName, args, gas: 1_000_000n }))
}

async function transfersIn(receipt: { blockNumber: bigint }): Promise<BlockTransfer[]> {
  return (await node.readBlock(receipt.blockNumber))!.transfers
}

/** Prepares, signs and sends a transfer of Alice's; what its block shows. */
async function paid(asset: AssetRef, to: string, amount: bigint): Promise<BlockTransfer[]> {
  const order: TransferOrder = { from: alice, to, asset, amount, feeCap: parseEther('1'), slot: await node.nextSlot(alice), tier: 1 }
  const unsigned = await node.prepare(order)
  const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
  assert.deepEqual(await node.broadcast(raw), { outcome: 'accepted' })
  await mined(txid as Hex)
  const state = await node.transaction(txid)
  assert.ok(state.state === 'included' && state.success)
  return transfersIn({ blockNumber: state.height })
}

before(async () => {
  anvil = await startAnvil()
  rich = anvil.walletOf(0)
  collectible = await deploy(devCollectible)
  items = await deploy(devItems)
  hostile = await deploy(hostileToken)
  node = evmNode({ chain, rpcUrl: anvil.rpcUrl, tokens: [`erc721:${collectible.toLowerCase()}`, `erc1155:${items}`], fetch, timer })
  await mined(await rich.sendTransaction({ to: alice, value: parseEther('10') }))
})

after(() => anvil.stop())

describe('tokens of collections', () => {
  it('arrive, are owned by one address, and leave by safeTransferFrom', async () => {
    const minted = await call(collectible, devCollectible, 'mint', [alice])
    const arrival = { txid: minted.transactionHash, index: 1, asset: collectibleOf(1n), from: NOBODY, to: alice, amount: 1n }
    assert.deepEqual(await transfersIn(minted), [arrival])
    assert.deepEqual([await node.balance(alice, collectibleOf(1n)), await node.balance(bob, collectibleOf(1n))], [1n, 0n])
    const [moved] = await paid(collectibleOf(1n), bob, 1n)
    assert.deepEqual([moved!.asset, moved!.from, moved!.to, moved!.amount], [collectibleOf(1n), alice, bob, 1n])
    assert.deepEqual([await node.balance(alice, collectibleOf(1n)), await node.balance(bob, collectibleOf(1n))], [0n, 1n])
    assert.equal(await node.balance(alice, collectibleOf(1n), minted.blockNumber), 1n)
  })

  it('of ERC-1155 arrive in any number of pieces, and some of them leave', async () => {
    const highest = 2n ** 256n - 1n
    const minted = await call(items, devItems, 'mint', [alice, highest, 5n])
    assert.deepEqual(
      (await transfersIn(minted)).map(({ asset, to, amount }) => [asset, to, amount]),
      [[itemOf(highest), alice, 5n]],
    )
    const [moved] = await paid(itemOf(highest), bob, 2n)
    assert.deepEqual([moved!.asset, moved!.amount], [itemOf(highest), 2n])
    assert.deepEqual([await node.balance(alice, itemOf(highest)), await node.balance(bob, itemOf(highest))], [3n, 2n])
  })

  it('that arrive many at once are told one by one, each id once, with an index of its own, and none of nothing', async () => {
    const minted = await call(items, devItems, 'mintBatch', [alice, [7n, 8n, 7n, 9n], [1n, 2n, 3n, 0n]])
    const transfers = await transfersIn(minted)
    assert.deepEqual(
      transfers.map(({ asset, amount }) => [asset, amount]),
      [
        [itemOf(7n), 4n],
        [itemOf(8n), 2n],
      ],
    )
    assert.equal(new Set(transfers.map(({ index }) => index)).size, 2)
  })

  it('that nobody has are nobody’s, and a contract that is no collection is not asked in vain', async () => {
    assert.equal(await node.balance(alice, collectibleOf(999n)), 0n)
    const nowhere = { chain, contract: nftAsset({ standard: 'erc721', collection: bob, tokenId: 1n }) }
    await assert.rejects(node.balance(alice, nowhere), /no such collection/)
    await assert.rejects(node.estimateFee({ from: alice, to: bob, asset: collectibleOf(999n), amount: 1n }), ChainError)
  })

  it('are not sent to a contract that cannot hold them, which would lose them', async () => {
    await call(collectible, devCollectible, 'mint', [alice])
    await assert.rejects(node.estimateFee({ from: alice, to: items, asset: collectibleOf(2n), amount: 1n }), /refused eth_estimateGas/)
  })

  it('of contracts that nobody watches are told apart, and an odd log of theirs stops nothing', async () => {
    const other = await deploy(devCollectible)
    const lure = await call(other, devCollectible, 'mint', [alice])
    const block = (await node.readBlock(lure.blockNumber))!
    assert.deepEqual(block.transfers, [])
    const contract = nftAsset({ standard: 'erc721', collection: other, tokenId: 1n })
    assert.deepEqual(
      block.unknownTransfers!.map(({ asset, to }) => [asset.contract, to]),
      [[contract, alice]],
    )
    const odd = await call(hostile, hostileToken, 'forge', [alice, bob, 5n])
    assert.deepEqual((await node.readBlock(odd.blockNumber))!.transfers, [])
  })

  it('may be taken by whom the owner let take all of them, and by nobody once that is over; where there is no collection, nobody can tell', async () => {
    const owner = rich.account.address
    for (const [collection, artifact] of [
      [collectible, devCollectible],
      [items, devItems],
    ] as const) {
      assert.equal(await node.contracts!.isOperator(owner, bob, collection), false)
      await call(collection, artifact, 'setApprovalForAll', [bob, true])
      assert.equal(await node.contracts!.isOperator(owner, bob, collection), true)
      await call(collection, artifact, 'setApprovalForAll', [bob, false])
      assert.equal(await node.contracts!.isOperator(owner, bob, collection), false)
    }
    assert.equal(await node.contracts!.isOperator(owner, bob, alice), undefined)
    const { result: own } = await anvil.network.simulateContract({
      address: collectible,
      abi: devCollectible.abi as Abi,
      functionName: 'mint',
      args: [owner],
      account: owner,
    })
    await call(collectible, devCollectible, 'mint', [owner])
    assert.equal(await node.contracts!.approvedFor(collectible, own as bigint), null)
    await call(collectible, devCollectible, 'approve', [bob, own])
    assert.equal(await node.contracts!.approvedFor(collectible, own as bigint), bob)
    assert.equal(await node.contracts!.approvedFor(alice, own as bigint), undefined)
    await assert.rejects(node.contracts!.approvedFor(collectible, 999n), ChainError)
  })

  it('are told of where a watched collection logs in a form of its own, and the reading goes on', async () => {
    const careless = evmNode({ chain, rpcUrl: anvil.rpcUrl, tokens: [`erc721:${hostile}`], fetch, timer })
    const odd = await call(hostile, hostileToken, 'forge', [alice, bob, 5n])
    const block = (await careless.readBlock(odd.blockNumber))!
    assert.deepEqual([block.transfers, block.oddLogs?.map(({ contract }) => contract)], [[], [collectionAsset({ standard: 'erc721', collection: hostile })]])
  })
})
