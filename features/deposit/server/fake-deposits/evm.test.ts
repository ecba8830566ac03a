import { collectionAsset, nftAsset } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-evm/codec'
import { evmNode } from '@holdfast/chain-evm/node'
import { toHex } from '@holdfast/encoding'
import { nodePorts } from '@holdfast/ports/node'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type FakeDeposit, fakeDepositSuite, FINALITY, type Scene } from '../testing/fake-deposit-suite.ts'
import { type Lie, MethodMissing } from '../testing/told-chain.ts'
import { type EvmTx, type ToldCall, ToldEvm, type ToldLog } from '../testing/told-evm.ts'

const CHAIN = 'eip155:31337'
const codec = codecFor(CHAIN)!
const ETH = 10n ** 18n
const USDC = codec.canonicalAddress(`0x${'5f'.repeat(20)}`)!
/** A listed token of 18 decimals. */
const DAI = codec.canonicalAddress(`0x${'da'.repeat(20)}`)!
const ART = codec.canonicalAddress(`0x${'a7'.repeat(20)}`)!
const ITEMS = codec.canonicalAddress(`0x${'17'.repeat(20)}`)!
/** Begins and ends as the listed token does. */
const LOOKALIKE = `0x5f5f5f5f${'00'.repeat(12)}5f5f5f5f`
const UNLISTED = `0x${'bad0'.repeat(10)}`
const EXCHANGE = `0x${'ee'.repeat(20)}`
const STRANGER = `0x${'51'.repeat(20)}`
const art = collectionAsset({ standard: 'erc721', collection: ART })
const items = collectionAsset({ standard: 'erc1155', collection: ITEMS })
const item = (tokenId: bigint) => nftAsset({ standard: 'erc1155', collection: ITEMS, tokenId })

const told = new ToldEvm()
const rpc = { chain: CHAIN, rpcUrl: 'http://node.test', tokens: [USDC, DAI, art, items], timer: nodePorts.timer }
const witness = (lie?: Lie) => evmNode({ ...rpc, fetch: told.source(lie) })

const topic = (event: string) => `0x${toHex(keccak_256(new TextEncoder().encode(event)))}`
const TRANSFER = topic('Transfer(address,address,uint256)')
const BATCH = topic('TransferBatch(address,address,address,uint256[],uint256[])')
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const party = (address: string) => `0x${word(BigInt(address))}`
const moved = (contract: string, to: string, amount: bigint, from = STRANGER): ToldLog => ({
  address: contract,
  topics: [TRANSFER, party(from), party(to)],
  data: `0x${word(amount)}`,
})
const pieceMoved = (contract: string, to: string, tokenId: bigint): ToldLog => ({
  address: contract,
  topics: [TRANSFER, party(STRANGER), party(to), `0x${word(tokenId)}`],
  data: '0x',
})
const batchMoved = (to: string, ids: bigint[], amounts: bigint[]): ToldLog => ({
  address: ITEMS,
  topics: [BATCH, party(STRANGER), party(STRANGER), party(to)],
  data: `0x${[64n, BigInt(96 + ids.length * 32), BigInt(ids.length), ...ids, BigInt(amounts.length), ...amounts].map(word).join('')}`,
})

function send(changes: Partial<EvmTx>): void {
  told.add({ hash: `0x${told.newId()}`, from: STRANGER, to: UNLISTED, value: 0n, status: '0x1', logs: [], ...changes })
}
const coin = ({ to }: Scene, amount = ETH) => (told.pay(to, amount), { amount })
const usdc = ({ to }: Scene, amount = 5_000_000n) => (send({ to: USDC, logs: [moved(USDC, to, amount)] }), { contract: USDC, amount })

/** Some questions, answered falsely. */
const lieOf =
  (lies: Record<string, (truth: never, params: unknown[]) => unknown>): Lie =>
  ({ name, params }, truth) =>
    truth !== null && lies[name] ? lies[name](truth as never, params as unknown[]) : truth
/** A node that gives no traces. */
const UNTRACED = lieOf({
  debug_traceBlockByHash: () => {
    throw new MethodMissing()
  },
  trace_block: () => {
    throw new MethodMissing()
  },
})
/** A call that passes coin on inside a transaction. */
const inner = (to: string, from = UNLISTED, value = ETH): ToldCall => ({ type: 'CALL', from, to, value: `0x${value.toString(16)}` })
const tracedAs = (call: ToldCall) => ({ result: { type: 'CALL', from: STRANGER, to: UNLISTED, value: '0x0', calls: [call] } })
type ToldReceipt = { blockHash: string; transactionHash: string; logs: ToldLog[] }
type Told = { number: string; transactions: { to: string; value: string }[] }
/** The same receipts with a log that no transaction wrote. */
const inventing = (log: ToldLog, receipt: Partial<ToldReceipt> = {}): Lie =>
  lieOf({
    eth_getBlockReceipts: (truth: ToldReceipt[]) =>
      truth.map((each) => ({
        ...each,
        ...receipt,
        logs: [{ removed: false, transactionHash: each.transactionHash, ...log, address: log.address.toLowerCase() }],
      })),
  })
/** The same blocks with something in them changed, if they are asked for whole. */
const blocksWith = (change: (truth: Told) => Partial<Told>): Lie =>
  lieOf({ eth_getBlockByNumber: (truth: Told, [, whole]) => (whole ? { ...truth, ...change(truth) } : truth) })

const cases: FakeDeposit[] = [
  { name: 'a failed transaction with its coin', fake: ({ to }) => send({ to, value: ETH, status: '0x0' }), control: coin },
  { name: 'a failed transaction with logs', fake: ({ to }) => send({ to: USDC, status: '0x0', logs: [moved(USDC, to, 5_000_000n)] }), control: usdc },
  { name: 'a token that says it moved and moves nothing', fake: ({ to }) => send({ logs: [moved(UNLISTED, to, 5_000_000n)] }), control: usdc },
  {
    name: 'a token of the same symbol at an address that looks like the listed one',
    fake: ({ to }) => send({ to: LOOKALIKE, logs: [moved(LOOKALIKE, to, 5_000_000n)] }),
    control: usdc,
  },
  {
    name: "a contract that claims another's payment as ours",
    fake: ({ to }) => send({ to: USDC, logs: [moved(USDC, EXCHANGE, 5_000_000n), moved(UNLISTED, to, 5_000_000n)] }),
    control: ({ to }) => {
      send({ to: USDC, logs: [moved(USDC, EXCHANGE, 5_000_000n), moved(USDC, to, 3_000_000n)] })
      return { contract: USDC, amount: 3_000_000n }
    },
  },
  {
    name: 'transferFrom of nothing by a stranger, in the name of an exchange',
    fake: ({ to }) => send({ to: USDC, logs: [moved(USDC, to, 0n, EXCHANGE)] }),
    control: ({ to }) => {
      send({ to: USDC, logs: [moved(USDC, to, 1n, EXCHANGE)] })
      return { contract: USDC, amount: 1n }
    },
  },
  { name: 'a transaction of nothing', fake: ({ to }) => send({ to, value: 0n }), control: coin },
  { name: 'dust of the coin', fake: (scene) => coin(scene, ETH / 1_000_000n - 1n), control: (scene) => coin(scene, ETH / 1_000_000n) },
  {
    name: 'dust of a token, whatever decimals its contract now claims',
    fake: ({ to }) => send({ to: DAI, logs: [moved(DAI, to, 5n)] }),
    control: ({ to }) => {
      send({ to: DAI, logs: [moved(DAI, to, 5n * ETH)] })
      return { contract: DAI, amount: 5n * ETH }
    },
  },
  {
    name: 'coin passed on by a call that failed inside one that did not',
    fake: ({ to }) => send({ value: ETH, calls: [{ ...inner(to), error: 'execution reverted' }] }),
    control: ({ to }) => (send({ value: ETH, calls: [inner(to)] }), { amount: ETH }),
  },
  {
    name: 'coin passed on below a call that failed',
    fake: ({ to }) => send({ calls: [{ type: 'CALL', from: UNLISTED, to: EXCHANGE, value: '0x0', error: 'out of gas', calls: [inner(to, EXCHANGE)] }] }),
    control: ({ to }) => (send({ calls: [{ type: 'CALL', from: UNLISTED, to: EXCHANGE, value: '0x0', calls: [inner(to, EXCHANGE)] }] }), { amount: ETH }),
  },
  {
    name: 'coin passed on in a transaction that failed',
    fake: ({ to }) => send({ status: '0x0', calls: [inner(to)] }),
    control: ({ to }) => (send({ calls: [inner(to)] }), { amount: ETH }),
  },
  {
    name: 'a delegated call, which names the coin of another call',
    fake: ({ to }) => send({ value: ETH, calls: [{ ...inner(to), type: 'DELEGATECALL' }] }),
    control: ({ to }) => (send({ value: ETH, calls: [{ ...inner(EXCHANGE), type: 'DELEGATECALL', calls: [inner(to)] }] }), { amount: ETH }),
  },
  {
    name: 'a static call and a call of code that name coin',
    fake: ({ to }) =>
      send({
        calls: [
          { ...inner(to), type: 'STATICCALL' },
          { ...inner(to), type: 'CALLCODE' },
        ],
      }),
    control: ({ to }) => (send({ calls: [{ ...inner(to), type: 'STATICCALL' }, inner(to, UNLISTED, 2n * ETH)] }), { amount: 2n * ETH }),
  },
  {
    name: 'what a contract left when it ended, in a call that was undone',
    fake: ({ to }) => send({ calls: [{ ...inner(EXCHANGE), error: 'execution reverted', calls: [{ ...inner(to, EXCHANGE), type: 'SELFDESTRUCT' }] }] }),
    control: ({ to }) => (send({ calls: [{ ...inner(EXCHANGE), calls: [{ ...inner(to, EXCHANGE), type: 'SELFDESTRUCT' }] }] }), { amount: ETH }),
  },
  {
    name: 'the traces of another block',
    fake: async (scene) => {
      send({})
      told.lie = lieOf({
        debug_traceBlockByHash: (truth: object[]) => truth.map((each) => ({ ...each, txHash: `0x${told.newId()}`, ...tracedAs(inner(scene.to)) })),
      })
      await scene.settle()
      told.reorganise(FINALITY + 1)
    },
    control: ({ to }) => (send({ calls: [inner(to)] }), { amount: ETH }),
  },
  {
    name: 'an inner call that one of two sources invents',
    fake: async (scene) => {
      scene.network.witnesses = [witness()]
      send({})
      told.lie = lieOf({ debug_traceBlockByHash: (truth: object[]) => truth.map((each) => ({ ...each, ...tracedAs(inner(scene.to)) })) })
      await scene.settle()
      told.heal()
    },
    control: (scene) => {
      scene.network.witnesses = [witness()]
      send({ calls: [inner(scene.to)] })
      return { amount: ETH }
    },
  },
  {
    name: 'an inner call that a source invents, where the other one shows balances alone',
    fake: async (scene) => {
      scene.network.witnesses = [witness(UNTRACED)]
      send({ calls: [inner(scene.to)] })
      await scene.settle()
      told.reorganise(FINALITY + 1)
    },
    control: (scene) => {
      scene.network.witnesses = [witness(UNTRACED)]
      send({ calls: [inner(scene.to)] })
      told.given.push({ to: scene.to, amount: ETH, height: told.tip.height + 1 })
      return { amount: ETH }
    },
  },
  {
    name: 'an internal transfer that was undone',
    // The outer call went well; what it tried to send inside came back, which no log and no transfer of the block shows.
    fake: ({ to }) => send({ value: ETH, logs: [{ address: UNLISTED, topics: [topic('Tried(address,uint256)'), party(to)], data: `0x${word(ETH)}` }] }),
    control: coin,
  },
  {
    name: "a contract's own word that coin was passed on",
    fake: ({ to }) => send({ logs: [{ address: UNLISTED, topics: [topic('Transfer(address,uint256)'), party(to)], data: `0x${word(ETH)}` }] }),
    control: coin,
  },
  {
    name: 'a transfer that its token takes whole as a fee',
    fake: () => send({ to: USDC, logs: [moved(USDC, EXCHANGE, 100n)] }),
    control: ({ to }) => {
      send({ to: USDC, logs: [moved(USDC, to, 95n), moved(USDC, EXCHANGE, 5n)] })
      return { contract: USDC, amount: 95n }
    },
  },
  {
    name: 'a rebase that makes balances larger without a transfer',
    fake: ({ to }) =>
      send({
        to: USDC,
        logs: [{ address: USDC, topics: [topic('TransferShares(address,address,uint256)'), party(STRANGER), party(to)], data: `0x${word(9n)}` }],
      }),
    control: usdc,
  },
  {
    name: 'an allowance to us',
    fake: ({ to }) =>
      send({ to: USDC, logs: [{ ...moved(USDC, to, 5_000_000n), topics: [topic('Approval(address,address,uint256)'), party(STRANGER), party(to)] }] }),
    control: usdc,
  },
  {
    name: 'a payment on another chain, by a node that became one of it',
    fake: async (scene) => {
      coin(scene)
      told.lie = () => {
        throw new TypeError('connection reset')
      }
      await scene.settle()
      told.lie = lieOf({ eth_chainId: () => '0x1' })
      await scene.settle()
      told.heal()
      told.reorganise(2 * FINALITY + 2)
    },
    control: coin,
  },
  {
    name: 'a log that was removed',
    fake: ({ to }) => {
      send({ to: USDC, logs: [] })
      told.lie = inventing({ ...moved(USDC, to, 7n), removed: true })
    },
    control: usdc,
  },
  {
    name: 'the receipts of another block',
    fake: ({ to }) => {
      send({ to: USDC, logs: [] })
      told.lie = inventing(moved(USDC, to, 7n), { blockHash: `0x${told.newId()}` })
    },
    control: usdc,
  },
  {
    name: 'another block than was asked for',
    fake: (scene) => {
      told.lie = blocksWith(() => ({ number: '0x7fffffff' }))
      coin(scene)
      return scene.settle().then(() => told.reorganise(FINALITY + 1))
    },
    control: coin,
  },
  {
    name: 'more than a number holds',
    fake: (scene) => {
      coin(scene)
      told.lie = blocksWith(({ transactions }) => ({ transactions: transactions.map((each) => ({ ...each, value: `0x1${'0'.repeat(64)}` })) }))
      return scene.settle().then(() => told.reorganise(FINALITY + 1))
    },
    control: (scene) => coin(scene, 120_000_000n * ETH),
  },
  {
    name: 'a payment that a reorganisation took away',
    fake: async (scene) => {
      coin(scene)
      told.mine(FINALITY)
      await scene.read()
      told.reorganise(FINALITY)
    },
    control: coin,
  },
  {
    name: 'a credited payment whose block was given up after all',
    fake: async (scene) => {
      coin(scene)
      await scene.settle()
      told.reorganise(FINALITY + 1)
    },
    control: async (scene) => {
      const paid = coin(scene)
      await scene.settle()
      return paid
    },
  },
  {
    name: 'a payment that another transaction of its nonce replaced',
    fake: async (scene) => {
      coin(scene)
      told.mine(1)
      await scene.read()
      told.blocks.splice(-1)
      coin({ ...scene, to: STRANGER })
      told.mine(2)
    },
    control: coin,
  },
  {
    name: 'a payment that one of two sources invents',
    fake: async (scene) => {
      // The source that is read adds a log to a block that the other one has without it, under the same hash.
      scene.network.witnesses = [witness()]
      send({ to: USDC })
      told.lie = inventing(moved(USDC, scene.to, 7n))
      await scene.settle()
      // It tells the truth again, and no reorganisation takes the lie away.
      told.heal()
    },
    control: (scene) => {
      scene.network.witnesses = [witness()]
      return usdc(scene)
    },
  },
  {
    name: 'a piece of an unlisted collection that poses as so many coins',
    fake: ({ to }) => send({ logs: [pieceMoved(UNLISTED, to, 5_000_000n)] }),
    control: ({ to }) => {
      send({ to: ART, logs: [pieceMoved(ART, to, 5_000_000n)] })
      return { contract: nftAsset({ standard: 'erc721', collection: ART, tokenId: 5_000_000n }), amount: 1n }
    },
  },
  {
    name: 'a batch of items, none of each',
    fake: ({ to }) => send({ to: ITEMS, logs: [batchMoved(to, [1n, 2n], [0n, 0n])] }),
    control: ({ to }) => {
      send({ to: ITEMS, logs: [batchMoved(to, [1n, 2n, 2n], [0n, 3n, 4n])] })
      return { contract: item(2n), amount: 7n }
    },
  },
  {
    name: 'a batch of items, more of one than any balance can hold',
    fake: ({ to }) => send({ to: ITEMS, logs: [batchMoved(to, Array<bigint>(9).fill(7n), Array<bigint>(9).fill(2n ** 256n - 1n))] }),
    control: ({ to }) => {
      send({ to: ITEMS, logs: [batchMoved(to, [7n, 7n], [3n, 4n])] })
      return { contract: item(7n), amount: 7n }
    },
  },
]

fakeDepositSuite({
  family: 'EVM networks',
  count: 35,
  network: async () => ({
    chain: CHAIN,
    codec,
    node: evmNode({ ...rpc, fetch: told.fetch }),
    assets: [
      { chain: CHAIN, contract: null, symbol: 'ETH', decimals: 18 },
      { chain: CHAIN, contract: USDC, symbol: 'USDC', decimals: 6 },
      { chain: CHAIN, contract: DAI, symbol: 'DAI', decimals: 18 },
    ],
    collections: [
      { chain: CHAIN, contract: art, symbol: 'ART', decimals: 0 },
      { chain: CHAIN, contract: items, symbol: 'ITEM', decimals: 0 },
    ],
  }),
  addressOf: (number) => codec.canonicalAddress(`0x${'0a'.repeat(18)}${(number + 0x1000).toString(16)}`)!,
  mine: (blocks) => told.mine(blocks),
  heal: () => told.heal(),
  cases: () => cases,
})
