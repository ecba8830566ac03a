import { ChainError } from '@holdfast/chain-core'
import jettonMaster from '@holdfast/chain-ton/artifacts/jetton-master.json' with { type: 'json' }
import jettonWallet from '@holdfast/chain-ton/artifacts/jetton-wallet.json' with { type: 'json' }
import { addressText, tonCodec } from '@holdfast/chain-ton/codec'
import { tonNode } from '@holdfast/chain-ton/node'
import { startTon, TON_CHAIN as chain, type TonNetwork } from '@holdfast/devnet/ton'
import { nodePorts } from '@holdfast/ports/node'
import { Address, beginCell, Cell, comment, contractAddress, internal, SendMode, toNano } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { JettonMaster, TonClient, WalletContractV5R1 } from '@ton/ton'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type FakeDeposit, fakeDepositSuite, type Scene } from '../testing/fake-deposit-suite.ts'

/* On the real virtual machine: the tests run what strangers' contracts can do. */

const TON = 10n ** 9n
const DUST = 999n
const NOTIFICATION = 0x7362d09c
const INTERNAL_TRANSFER = 0x178d4519
const TRANSFER = 0x0f8a7ea5
const EXCESSES = 0xd53276db
const OWNERSHIP_ASSIGNED = 0x05138d91
const mallory = keyPairFromSeed(Buffer.alloc(32, 9))
const mallorys = WalletContractV5R1.create({ publicKey: mallory.publicKey, walletId: { networkGlobalId: Number(chain.slice(4)) } })
const folder = mkdtempSync(`${tmpdir()}/holdfast-ton-`)
const text = (address: Address) => address.toString({ bounceable: false, testOnly: true })

let ton: TonNetwork
let client: TonClient
/** What a node answers in place of the true answer, as text. */
let garbled: ((body: string) => string) | undefined

async function start(): Promise<TonNetwork> {
  ton = await startTon(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: 60_000, mining: false })
  client = new TonClient({ endpoint: ton.url })
  await ton.pay(null, text(mallorys.address), 100n * TON)
  await ton.pay(ton.token.contract, text(mallorys.address), 1_000_000n)
  await ton.mine(1)
  return ton
}

const fetchGarbled: typeof globalThis.fetch = async (input, init) => {
  const response = await nodePorts.fetch(input, init)
  return garbled ? new Response(garbled(await response.text()), { status: response.status }) : response
}

type Sent = { to: Address | string; value: bigint; bounce?: boolean; body?: Cell; init?: { code: Cell; data: Cell } }

/** Mallory's wallet sends anything. */
async function malloryDoes(...messages: Sent[]): Promise<void> {
  const opened = client.open(mallorys)
  const seqno = await opened.getSeqno()
  const given = {
    seqno,
    timeout: 4_000_000_000,
    sendMode: SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS,
    secretKey: mallory.secretKey,
    messages: messages.map(({ to, ...each }) => internal({ to: typeof to === 'string' ? Address.parse(to) : to, bounce: false, ...each })),
  }
  await opened.send((mallorys as { createTransfer(given: object): unknown }).createTransfer(given) as Cell)
  await ton.mine(1)
}

const walletOf = (owner: string) => client.open(JettonMaster.create(Address.parse(ton.token.contract))).getWalletAddress(Address.parse(owner))
/** What jetton wallets tell each other and their holders. */
const said = (op: number, amount: bigint) =>
  beginCell().storeUint(op, 32).storeUint(1, 64).storeCoins(amount).storeAddress(mallorys.address).storeAddress(null).storeCoins(0).storeBit(0).endCell()
const transferTo = (to: string, amount: bigint) =>
  beginCell()
    .storeUint(TRANSFER, 32)
    .storeUint(1, 64)
    .storeCoins(amount)
    .storeAddress(Address.parse(to))
    .storeAddress(mallorys.address)
    .storeBit(0)
    .storeCoins(1)
    .storeBit(0)
    .endCell()

async function coin({ to }: Scene, amount = TON) {
  await malloryDoes({ to, value: amount })
  return { amount }
}

async function jetton({ to }: Scene, amount = 5_000n) {
  await malloryDoes({ to: await walletOf(text(mallorys.address)), value: toNano('0.2'), body: transferTo(to, amount) })
  return { contract: ton.token.contract, amount }
}

const cases: FakeDeposit[] = [
  {
    name: 'a message that our address sent back',
    fake: ({ to }) => malloryDoes({ to, value: TON, bounce: true }),
    control: coin,
  },
  { name: 'a message of nothing but a comment', fake: ({ to }) => malloryDoes({ to, value: 0n, body: comment('1000 TON') }), control: coin },
  { name: 'dust with a comment that names an amount', fake: ({ to }) => malloryDoes({ to, value: DUST, body: comment('5000 TUSD') }), control: jetton },
  {
    name: "a jetton's notification from a stranger",
    fake: ({ to }) => malloryDoes({ to, value: DUST, body: said(NOTIFICATION, 5_000n) }),
    control: jetton,
  },
  {
    name: 'an arrival that a stranger tells our jetton wallet of',
    fake: async ({ to }) => malloryDoes({ to: await walletOf(to), value: toNano('0.1'), body: said(INTERNAL_TRANSFER, 5_000n) }),
    control: jetton,
  },
  {
    name: 'a jetton of another master, with the same wallets',
    fake: async ({ to }) => {
      const code = Cell.fromBase64(jettonMaster.code)
      const data = beginCell().storeCoins(0).storeAddress(mallorys.address).storeRef(Cell.fromBase64(jettonWallet.code)).endCell()
      const master = contractAddress(0, { code, data })
      const mint = beginCell().storeUint(21, 32).storeUint(0, 64).storeAddress(Address.parse(to)).storeCoins(5_000n).endCell()
      await malloryDoes({ to: master, value: toNano('0.1'), init: { code, data } })
      await malloryDoes({ to: master, value: toNano('0.2'), body: mint })
    },
    control: jetton,
  },
  {
    name: 'more of a jetton than the payer has',
    fake: (scene) => jetton(scene, 10n ** 15n),
    control: jetton,
  },
  {
    name: 'more coin than the payer has',
    fake: (scene) => coin(scene, 10_000n * TON),
    control: coin,
  },
  {
    name: 'the same account in the other workchain',
    fake: ({ to }) => malloryDoes({ to: new Address(-1, Address.parse(to).hash), value: TON }),
    control: coin,
  },
  {
    name: 'what is said to be left of a transfer, and an item that is said to be ours',
    fake: async ({ to }) => {
      await malloryDoes({ to, value: DUST, body: beginCell().storeUint(EXCESSES, 32).storeUint(1, 64).endCell() })
      const assigned = beginCell().storeUint(OWNERSHIP_ASSIGNED, 32).storeUint(1, 64).storeAddress(mallorys.address).endCell()
      await malloryDoes({ to, value: DUST, body: assigned })
    },
    control: coin,
  },
  {
    name: "somebody else's payment with our address in its bytes",
    fake: async (scene) => {
      const theirs = Buffer.alloc(32, 0x5a)
      await coin({ ...scene, to: addressText({ workchain: 0, hash: theirs }, true) })
      const swapped = (data: string) => Buffer.from(Buffer.from(data, 'base64').toString('hex').replaceAll(theirs.toString('hex'), hashOf(scene.to)), 'hex')
      garbled = (body) => body.replaceAll(/"data":"([^"]+)"/g, (_, data: string) => `"data":"${swapped(data).toString('base64')}"`)
      await scene.settle()
    },
    control: coin,
  },
]

const hashOf = (address: string) => Address.parse(address).hash.toString('hex')
const keyOf = (number: number) => Uint8Array.of(...new Uint8Array(28), 7, 7, number >> 8, number & 0xff)

fakeDepositSuite({
  family: 'TON',
  count: 11,
  network: async () => {
    const { token } = await start()
    const options = { chain, tokens: [token.contract], timer: nodePorts.timer }
    const publicKeyOf = () => Promise.reject(new ChainError('nothing is paid here'))
    return {
      chain,
      codec: tonCodec({ chain }),
      node: tonNode({ ...options, rpcUrl: ton.url, fetch: fetchGarbled, publicKeyOf }),
      assets: [
        { chain, contract: null, symbol: 'TON', decimals: 9 },
        { chain, contract: token.contract, symbol: token.symbol, decimals: token.decimals },
      ],
    }
  },
  addressOf: (number) => addressText({ workchain: 0, hash: keyOf(number) }, true),
  mine: (blocks) => ton.mine(blocks),
  heal: () => {
    garbled = undefined
  },
  cases: () => cases,
  close: async () => {
    await ton?.stop()
    rmSync(folder, { recursive: true, force: true })
  },
})
