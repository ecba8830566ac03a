import { addressBytes, addressText, tronCodec } from '@holdfast/chain-tron/codec'
import { tronNode } from '@holdfast/chain-tron/node'
import { fromHex, toHex } from '@holdfast/encoding'
import { nodePorts } from '@holdfast/ports/node'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type FakeDeposit, fakeDepositSuite, FINALITY, type Scene } from '../testing/fake-deposit-suite.ts'
import type { Lie } from '../testing/told-chain.ts'
import { ToldTron, type TronLog, type TronTx } from '../testing/told-tron.ts'

const told = new ToldTron()
const { chain } = told
const TRX = 1_000_000n
/** The 20 bytes that contracts know parties by. */
const USDT = '5f'.repeat(20)
const LOOKALIKE = `5f5f5f5f${'00'.repeat(12)}5f5f5f5f`
const STRANGER = '51'.repeat(20)
const EXCHANGE = 'ee'.repeat(20)
const CONTRACT = 'bad0'.repeat(10)
const textOf = (bytes: string) => addressText(fromHex(`41${bytes}`))
const bytesOf = (address: string) => toHex(addressBytes(address)).slice(2)
const usdt = textOf(USDT)
const rpc = { chain, rpcUrl: 'http://node.test', tokens: [usdt], timer: nodePorts.timer }
const witness = (lie?: Lie) => tronNode({ ...rpc, fetch: told.source(lie) })

const TRANSFER = toHex(keccak_256(new TextEncoder().encode('Transfer(address,address,uint256)')))
const party = (bytes: string) => bytes.padStart(64, '0')
const moved = (contract: string, to: string, amount: bigint, from = STRANGER): TronLog => ({
  address: contract,
  topics: [TRANSFER, party(from), party(bytesOf(to))],
  data: amount.toString(16).padStart(64, '0'),
})

function send(type: string, value: Record<string, unknown>, changes: Partial<TronTx> = {}): void {
  told.add({ txID: told.newId(), type, value: { owner_address: `41${STRANGER}`, ...value }, ret: 'SUCCESS', ...changes })
}
const failedCoin = ({ to }: Scene, changes: Partial<TronTx>) => send('TransferContract', { to_address: `41${bytesOf(to)}`, amount: 5_000_000 }, changes)
const call = (contract: string, logs: TronLog[], changes: Partial<TronTx> = {}) =>
  send('TriggerSmartContract', { contract_address: `41${contract}`, data: 'a9059cbb' }, { receipt: { result: 'SUCCESS' }, logs, ...changes })
const coin = ({ to }: Scene, amount = 5n * TRX) => (told.pay(to, amount), { amount })
const textHex = (text: string) => toHex(new TextEncoder().encode(text))
/** A contract that passes coin on inside its own transaction. */
const passOn = ({ to }: Scene, changes: object = {}, outer: Partial<TronTx> = {}) => {
  const inner = { caller_address: `41${CONTRACT}`, transferTo_address: `41${bytesOf(to)}`, callValueInfo: [{ callValue: 5_000_000 }], note: textHex('call') }
  call(CONTRACT, [], { internal: [{ ...inner, ...changes }], ...outer })
  return { amount: 5n * TRX }
}
const token = ({ to }: Scene, amount = 5_000_000n) => (call(USDT, [moved(USDT, to, amount)]), { contract: usdt, amount })
type Infos = { log?: TronLog[]; blockNumber: number }[]

const cases: FakeDeposit[] = [
  {
    name: 'a contract that failed, in a block that says SUCCESS',
    fake: ({ to }) => call(USDT, [moved(USDT, to, 5_000_000n)], { receipt: { result: 'REVERT' } }),
    control: token,
  },
  {
    name: 'a contract that ran out of energy, with logs',
    fake: ({ to }) => call(USDT, [moved(USDT, to, 5_000_000n)], { ret: 'OUT_OF_ENERGY', result: 'FAILED' }),
    control: token,
  },
  {
    name: 'a contract whose result alone says FAILED',
    fake: ({ to }) => call(USDT, [moved(USDT, to, 5_000_000n)], { result: 'FAILED' }),
    control: token,
  },
  { name: 'a transfer of the coin that failed', fake: (scene) => failedCoin(scene, { ret: 'FAILED' }), control: coin },
  {
    name: 'a transfer of the coin that failed, in a block that says SUCCESS',
    fake: (scene) => failedCoin(scene, { result: 'FAILED' }),
    control: coin,
  },
  {
    name: 'a TRC-10 token of the name of the coin',
    fake: ({ to }) => send('TransferAssetContract', { to_address: `41${bytesOf(to)}`, asset_name: toHex(new TextEncoder().encode('TRX')), amount: 5_000_000 }),
    control: coin,
  },
  {
    name: 'a TRC-10 token of the name of a TRC-20 token',
    fake: ({ to }) => send('TransferAssetContract', { to_address: `41${bytesOf(to)}`, asset_name: toHex(new TextEncoder().encode('USDT')), amount: 5_000_000 }),
    control: token,
  },
  {
    name: 'a TRC-20 token at an address that looks like the listed one',
    fake: ({ to }) => call(LOOKALIKE, [moved(LOOKALIKE, to, 5_000_000n)]),
    control: token,
  },
  {
    name: 'an internal transfer that was not carried out',
    fake: (scene) => passOn(scene, { rejected: true }),
    control: (scene) => passOn(scene),
  },
  {
    name: 'an internal transfer of a transaction that failed',
    fake: (scene) => passOn(scene, {}, { receipt: { result: 'REVERT' } }),
    control: (scene) => passOn(scene),
  },
  {
    name: 'an internal transfer of a token that poses as the coin',
    fake: (scene) => passOn(scene, { callValueInfo: [{ callValue: 5_000_000, tokenId: '1002000' }] }),
    control: (scene) => passOn(scene, { callValueInfo: [{ callValue: 5_000_000 }, { callValue: 7, tokenId: '1002000' }] }),
  },
  {
    name: 'what a contract did about stake, with a value that moved nowhere',
    fake: (scene) => passOn(scene, { note: textHex('freezeBalanceV2ForEnergy') }),
    control: (scene) => passOn(scene, { note: textHex('suicide') }),
  },
  {
    name: 'an internal transfer that one of two sources alone tells of',
    fake: async (scene) => {
      // Nodes keep them or do not, and do not say which: reading goes on, and nothing is credited on the word of one.
      scene.network.witnesses = [
        witness(({ name }, truth) =>
          name.endsWith('byblocknum') ? (truth as object[]).map((each) => ({ ...each, internal_transactions: undefined })) : truth,
        ),
      ]
      passOn(scene)
      await scene.settle()
      delete scene.network.witnesses
    },
    control: (scene) => {
      scene.network.witnesses = [witness()]
      return passOn(scene)
    },
  },
  {
    name: 'a transferFrom of nothing in the name of an exchange',
    fake: ({ to }) => call(USDT, [moved(USDT, to, 0n, EXCHANGE)]),
    control: ({ to }) => {
      call(USDT, [moved(USDT, to, 1n, EXCHANGE)])
      return { contract: usdt, amount: 1n }
    },
  },
  {
    name: 'energy that is lent to us',
    fake: ({ to }) => send('DelegateResourceContract', { receiver_address: `41${bytesOf(to)}`, balance: 5_000_000, resource: 'ENERGY' }),
    control: coin,
  },
  {
    name: 'a payment that a reorganisation took away',
    fake: async (scene) => {
      token(scene)
      told.mine(FINALITY)
      await scene.read()
      told.reorganise(FINALITY)
    },
    control: token,
  },
  {
    name: 'what transactions did in another block',
    fake: async (scene) => {
      call(USDT, [])
      told.lie = ({ name }, truth) =>
        name.endsWith('byblocknum') ? (truth as Infos).map((each) => ({ ...each, blockNumber: each.blockNumber - 1, log: [moved(USDT, scene.to, 7n)] })) : truth
      await scene.settle()
      told.heal()
      told.reorganise(FINALITY + 1)
    },
    control: token,
  },
  {
    name: 'a payment that one of two sources invents',
    fake: async (scene) => {
      scene.network.witnesses = [witness()]
      call(USDT, [])
      told.lie = ({ name }, truth) => (name.endsWith('byblocknum') ? (truth as Infos).map((each) => ({ ...each, log: [moved(USDT, scene.to, 7n)] })) : truth)
      await scene.settle()
      // It tells the truth again, and no reorganisation takes the lie away.
      told.heal()
    },
    control: (scene) => {
      scene.network.witnesses = [witness()]
      return token(scene)
    },
  },
]

fakeDepositSuite({
  family: 'TRON',
  count: 18,
  network: async () => ({
    chain,
    codec: tronCodec({ chain }),
    node: tronNode({ ...rpc, fetch: told.fetch }),
    assets: [
      { chain, contract: null, symbol: 'TRX', decimals: 6 },
      { chain, contract: usdt, symbol: 'USDT', decimals: 6 },
    ],
  }),
  addressOf: (number) => textOf('0a'.repeat(18) + (number + 0x1000).toString(16)),
  mine: (blocks) => told.mine(blocks),
  heal: () => told.heal(),
  cases: () => cases,
})
