import type { ChainCodec, ChainNode } from '@holdfast/chain-core'
import { bitcoinChain, bitcoinCodec } from '@holdfast/chain-bitcoin/codec'
import { bitcoinNode } from '@holdfast/chain-bitcoin/node'
import { codecFor as evmCodecFor } from '@holdfast/chain-evm/codec'
import { evmNode } from '@holdfast/chain-evm/node'
import { addressText as tonAddress, tonCodec } from '@holdfast/chain-ton/codec'
import { tonNode } from '@holdfast/chain-ton/node'
import { tronCodec } from '@holdfast/chain-tron/codec'
import { tronNode } from '@holdfast/chain-tron/node'
import { startTon, TON_CHAIN } from '@holdfast/devnet/ton'
import type { Network } from '@holdfast/features/network/server'
import { assertConserved, balances } from '@holdfast/ledger'
import { nodePorts } from '@holdfast/ports/node'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { makeWallet, openWorld, type World } from '../../../testing/test-world.ts'
import { scanChain } from './scan.ts'
import { addPayee } from '../testing/add-payee.ts'
import { openReaper } from '../testing/reaper.ts'
import { ToldBitcoin } from '../testing/told-bitcoin.ts'
import type { ToldChain } from '../testing/told-chain.ts'
import { ToldEvm } from '../testing/told-evm.ts'
import { ToldTron } from '../testing/told-tron.ts'

const FINALITY = 3
// HOLDFAST_THOROUGH=1 kills it fifty times.
const DEATHS = process.env.HOLDFAST_THOROUGH ? 50 : 15
const DEPTH_MAX = 6
const AMOUNT = 1_000_000_000_000n
const COIN_DECIMALS = 8

const { timer, fetch } = nodePorts
const rpc = { rpcUrl: 'http://node.test', tokens: [], timer }
const key = secp256k1.getPublicKey(new Uint8Array(32).fill(7), true)
const evmCodec = evmCodecFor('eip155:31337')!
const bitcoin = bitcoinCodec({ chain: bitcoinChain('regtest') })

type Family = { name: string; told: ToldChain<unknown>; chain: string; codec: ChainCodec; open(fetch: typeof globalThis.fetch): ChainNode }
const tron = new ToldTron()
const families: Family[] = [
  { name: 'EVM', told: new ToldEvm(), chain: 'eip155:31337', codec: evmCodec, open: (ask) => evmNode({ ...rpc, chain: 'eip155:31337', fetch: ask }) },
  { name: 'TRON', told: tron, chain: tron.chain, codec: tronCodec(tron), open: (ask) => tronNode({ ...rpc, chain: tron.chain, fetch: ask }) },
  {
    name: 'Bitcoin',
    told: new ToldBitcoin(),
    chain: bitcoinChain('regtest'),
    codec: bitcoin,
    open: (ask) => bitcoinNode({ ...rpc, chain: bitcoinChain('regtest'), fetch: ask }),
  },
]

let world: World
let walletId: string
let payees = 0
before(async () => {
  world = await openWorld()
  ;({ walletId } = await makeWallet(world))
})
after(() => world?.close())

const payee = (chain: string, address: string) => addPayee(world, { walletId, number: ++payees, chain, address })
const networkOf = (chain: string, node: ChainNode, codec: ChainCodec): Network => {
  const assets = [{ chain, contract: null, symbol: 'COIN', decimals: COIN_DECIMALS }]
  return { ...world.network, chain, name: chain, codec, node, assets, collections: [], finalityBlocks: FINALITY }
}
/** The moments differ from one another, and are the same in every run. */
const momentOf = (death: number, longest: number) => 1 + ((death * 17) % longest)

async function readToTheEnd(network: Network): Promise<void> {
  while (await scanChain(world.context, network)) {
    /* goes on */
  }
}

/** Every block from the first one that was read, as the reader has them. */
async function readBlocks(chain: string): Promise<{ height: bigint; hash: string }[]> {
  return world.db.asSystem((tx) => tx.selectFrom('chain_block').select(['height', 'hash']).where('chain', '=', chain).orderBy('height').execute())
}

async function creditedTo(subWalletId: string): Promise<bigint> {
  await world.db.asSystem(assertConserved)
  return (await world.db.asOrganisation(world.orgId, (tx) => balances(tx, subWalletId)))[0]?.available ?? 0n
}

describe(`a reader killed ${DEATHS} times`, () => {
  for (const { name, told, chain, codec, open } of families) {
    it(`skips no block of ${name} and ends in its canonical truth, through reorganisations to depth ${DEPTH_MAX}`, async () => {
      const to = codec.addressFromKey(key)
      const subWalletId = await payee(chain, to)
      const network = networkOf(chain, open(told.fetch), codec)
      told.mine(DEPTH_MAX)
      await readToTheEnd(network)
      const reaper = openReaper()
      const mortal = reaper.mortal(world.context)
      const paid = new Map<unknown, bigint>()
      for (let turn = 0; reaper.deaths < DEATHS; turn++) {
        paid.set(told.pay(to, AMOUNT + BigInt(turn)), AMOUNT + BigInt(turn))
        told.mine(1 + (turn % 3))
        // Sometimes everything is posted before the blocks go away, so that there is the most to reverse.
        if (turn % 4 === 0) {
          told.mine(FINALITY)
          await readToTheEnd(network)
        }
        if (turn % 2 === 0) told.reorganise(1 + ((turn / 2) % DEPTH_MAX))
        const dying: typeof fetch = async (...given) => {
          reaper.maybeDie()
          const answer = await told.fetch(...given)
          reaper.maybeDie()
          return answer
        }
        await reaper.run(momentOf(turn, 60), () => scanChain(mortal, { ...network, node: open(dying) }))
      }
      told.mine(FINALITY)
      await readToTheEnd(network)
      const canonical = told.blocks.map(({ height, hash }) => ({ height: BigInt(height), hash }))
      const read = await readBlocks(chain)
      assert.deepEqual(read, canonical.slice(-read.length))
      const final = told.blocks.filter(({ height }) => height <= told.tip.height - FINALITY)
      const truth = final.flatMap(({ transactions }) => transactions).reduce<bigint>((sum, each) => sum + (paid.get(each) ?? 0n), 0n)
      assert.ok(truth > 0n)
      assert.equal(await creditedTo(subWalletId), truth)
    })
  }

  it('skips no block of TON, whose blocks are never replaced, and credits each payment once', async () => {
    const dataFolder = mkdtempSync(`${tmpdir()}/holdfast-ton-`)
    const ton = await startTon(nodePorts, { port: 0, dataFolder, blockTimeMs: 60_000, mining: false })
    try {
      const to = tonAddress({ workchain: 0, hash: new Uint8Array(32).fill(7) }, true)
      const subWalletId = await payee(TON_CHAIN, to)
      const open = (ask: typeof fetch) =>
        tonNode({ chain: TON_CHAIN, rpcUrl: ton.url, tokens: [], timer, fetch: ask, publicKeyOf: () => Promise.reject(new Error('nothing is paid here')) })
      const network = networkOf(TON_CHAIN, open(fetch), tonCodec({ chain: TON_CHAIN }))
      await readToTheEnd(network)
      const reaper = openReaper()
      const mortal = reaper.mortal(world.context)
      const dying: typeof fetch = async (...given) => {
        reaper.maybeDie()
        const answer = await fetch(...given)
        reaper.maybeDie()
        return answer
      }
      let paid = 0n
      for (let turn = 0; reaper.deaths < DEATHS; turn++) {
        if (turn % 5 === 0) {
          paid += 1_000_000n
          await ton.pay(null, to, 1_000_000n)
          await ton.mine(1)
        }
        await reaper.run(momentOf(turn, 40), () => scanChain(mortal, { ...network, node: open(dying) }))
      }
      await ton.mine(FINALITY)
      await readToTheEnd(network)
      const heights = (await readBlocks(TON_CHAIN)).map(({ height }) => height)
      assert.deepEqual(
        heights,
        heights.map((_, i) => heights[0]! + BigInt(i)),
      )
      // The chain takes rent for the account at each arrival, so what it has is the truth, a little less than was sent.
      const credited = await creditedTo(subWalletId)
      assert.equal(credited, await network.node.balance(to, { chain: TON_CHAIN, contract: null }))
      assert.ok(credited <= paid && credited > paid - 1_000n)
    } finally {
      await ton.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    }
  })
})
