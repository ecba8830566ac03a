import { bitcoinChain, bitcoinCodec, networkOf, requireScript } from '@holdfast/chain-bitcoin/codec'
import { bitcoinNode } from '@holdfast/chain-bitcoin/node'
import { fromHex, toHex } from '@holdfast/encoding'
import { nodePorts } from '@holdfast/ports/node'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type FakeDeposit, fakeDepositSuite, FINALITY, type Scene } from '../testing/fake-deposit-suite.ts'
import { hashOf, type Lie } from '../testing/told-chain.ts'
import { type BitcoinTx, ToldBitcoin, type ToldOutput } from '../testing/told-bitcoin.ts'

const chain = bitcoinChain('regtest')
const network = networkOf(chain)
const codec = bitcoinCodec({ chain })
const BTC = 100_000_000n
const told = new ToldBitcoin()
const rpc = { chain, rpcUrl: 'http://node.test', timer: nodePorts.timer }
const witness = (lie?: Lie) => bitcoinNode({ ...rpc, fetch: told.source(lie) })

const keyOf = (number: number) => secp256k1.getPublicKey(fromHex(hashOf(`key ${number}`)), true)
const scriptOf = (address: string) => toHex(requireScript(network, address))
/** The 20 bytes that a P2WPKH address pays to. */
const programOf = (address: string) => scriptOf(address).slice(4)
const STRANGER: ToldOutput = { script: scriptOf(codec.addressFromKey(keyOf(100_000))), amount: 10n * BTC }

function send(outputs: ToldOutput[], changes: Partial<BitcoinTx> = {}): BitcoinTx {
  const transaction = { txid: told.newId(), spent: STRANGER, outputs, witness: ['30', '02'], ...changes }
  told.add(transaction)
  return transaction
}
const output = ({ to }: Scene, amount = BTC): ToldOutput => ({ script: scriptOf(to), called: to, amount })
const pay = ({ to }: Scene, amount = BTC) => (told.pay(to, amount), { amount })
type Told = { hash: string; tx: { vout: { n: number; value: number }[] }[] }
const blocksWith =
  (change: (truth: Told) => Partial<Told>): Lie =>
  ({ name }, truth) =>
    name === 'getblock' ? { ...(truth as Told), ...change(truth as Told) } : truth
/** Tells a lie about blocks until nobody could have believed it, and gives the blocks up. */
async function lying(scene: Scene, lie: Lie): Promise<void> {
  told.lie = lie
  await scene.settle()
  told.heal()
  told.reorganise(FINALITY + 1)
}

const cases: FakeDeposit[] = [
  {
    name: 'a payment that waits and is never in a block',
    fake: async (scene) => {
      pay(scene)
      await scene.read()
      told.drop()
    },
    control: pay,
  },
  {
    name: 'a payment with fewer blocks on it than count as final, given up',
    fake: async (scene) => {
      pay(scene)
      told.mine(FINALITY)
      await scene.read()
      told.reorganise(FINALITY)
    },
    control: pay,
  },
  {
    name: 'the reward of a block, which nobody may spend yet',
    fake: (scene) => void send([output(scene)], { coinbase: true }),
    control: pay,
  },
  {
    name: 'an OP_RETURN with our script in it',
    fake: (scene) => void send([{ script: `6a16${scriptOf(scene.to)}`, called: scene.to, amount: BTC }]),
    control: pay,
  },
  {
    name: "a stranger's script that the node calls by our address",
    fake: (scene) => void send([{ ...STRANGER, called: scene.to, amount: BTC }]),
    control: (scene) => (send([{ ...output(scene), called: 'nobody' }]), { amount: BTC }),
  },
  {
    name: 'an older script with our hash in it',
    fake: ({ to }) =>
      void send([
        { script: `76a914${programOf(to)}88ac`, amount: BTC },
        { script: `a914${programOf(to)}87`, amount: BTC },
      ]),
    control: pay,
  },
  {
    name: 'a segwit program of a version to come, with our hash in it',
    fake: ({ to }) => void send([{ script: `5214${programOf(to)}`, amount: BTC }]),
    control: pay,
  },
  {
    name: 'a script of several keys that anybody named ours in',
    fake: ({ to }) => void send([{ script: `5121${toHex(keyOf(1))}21${programOf(to).padEnd(66, '0')}52ae`, called: to, amount: BTC }]),
    control: pay,
  },
  {
    name: 'a payment whose coin another transaction spent in its place',
    fake: async (scene) => {
      pay(scene)
      told.mine(1)
      await scene.read()
      told.blocks.splice(-1)
      send([{ ...STRANGER, amount: BTC }])
      told.mine(2)
    },
    control: pay,
  },
  {
    name: 'a payment that is told twice, with another witness',
    fake: (scene) => {
      const first = send([output(scene)])
      told.add({ ...first, witness: ['31', '02'] })
      return scene.settle().then(() => told.reorganise(FINALITY + 1))
    },
    control: async (scene) => {
      // In another block again, after the first one was given up: still one payment.
      const first = send([output(scene)])
      told.mine(1)
      await scene.read()
      told.blocks.splice(-1)
      told.add({ ...first, witness: ['31', '02'] })
      told.mine(2)
      return { amount: BTC }
    },
  },
  { name: 'dust', fake: (scene) => pay(scene, 99n), control: (scene) => pay(scene, 100n) },
  {
    name: 'more coin than there is, and parts of a satoshi',
    fake: async (scene) => {
      for (const value of [21_000_000.00000001, 1e300, 0.000000001, -1]) {
        pay(scene)
        await lying(
          scene,
          blocksWith(({ tx }) => ({ tx: tx.map((each) => ({ ...each, vout: each.vout.map((out) => ({ ...out, value })) })) })),
        )
      }
    },
    control: (scene) => pay(scene, 20_999_999n * BTC),
  },
  {
    name: 'another block than was asked for',
    fake: (scene) => {
      pay(scene)
      return lying(
        scene,
        blocksWith(() => ({ hash: hashOf('another') })),
      )
    },
    control: pay,
  },
  {
    name: 'a payment that one of two sources invents',
    fake: async (scene) => {
      scene.network.witnesses = [witness()]
      send([STRANGER])
      told.lie = blocksWith(({ tx }) => ({ tx: tx.map((each) => ({ ...each, vout: [{ n: 0, value: 1, scriptPubKey: { hex: scriptOf(scene.to) } }] })) }))
      await scene.settle()
      // It tells the truth again, and no reorganisation takes the lie away.
      told.heal()
    },
    control: (scene) => {
      scene.network.witnesses = [witness()]
      return pay(scene)
    },
  },
]

fakeDepositSuite({
  family: 'Bitcoin',
  count: 14,
  network: async () => ({
    chain,
    codec,
    node: bitcoinNode({ ...rpc, fetch: told.fetch }),
    assets: [{ chain, contract: null, symbol: 'BTC', decimals: 8 }],
  }),
  addressOf: (number) => codec.addressFromKey(keyOf(number)),
  mine: (blocks) => told.mine(blocks),
  heal: () => told.heal(),
  cases: () => cases,
})
