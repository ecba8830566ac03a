import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codecFor } from '@holdfast/chain-bitcoin/codec'
import { type BitcoinNode, bitcoinNode } from '@holdfast/chain-bitcoin/node'
import { recipient as STRANGER } from '@holdfast/chain-bitcoin/testing'
import { BRC20_DECIMALS, brc20Asset } from '@holdfast/chain-core'
import { type BitcoinDevnet, startBitcoin } from '@holdfast/devnet/bitcoin'
import { scanChain } from '@holdfast/features/deposit/server'
import type { Network } from '@holdfast/features/network/server'
import { balances } from '@holdfast/ledger'
import { nodePorts } from '@holdfast/ports/node'
import { formatAmount } from '@holdfast/units'
import { broadcastOrder } from '../transfer/server/settlement/broadcast-order.ts'
import { recordedCoins } from '../utxo/server/recorded-coins.ts'
import { signOrder } from '../transfer/server/signing/sign-order.ts'
import { approve, requestWithdrawal, bytesOf, openWorld, orderOf, type Wallet, type World } from './test-world.ts'

/** Blocks on top of the one that holds a transaction before it is final. */
export const FINALITY = 2

/** An organisation on a Bitcoin of this machine (a real node where there is one), and what tests do there. */
export type BitcoinWorld = {
  world: World
  bitcoin: BitcoinDevnet
  network: Network & { node: BitcoinNode }
  /** A node that looks through all the coins there are. */
  looking: BitcoinNode
  scan(): Promise<void>
  mine(blocks: number): Promise<void>
  deposit(wallet: Wallet, ...amounts: bigint[]): Promise<void>
  money(wallet: Wallet): Promise<{ available: bigint; held: bigint }>
  /** An order to pay a stranger that two members have approved. */
  approvedOrder(wallet: Wallet, amount: string, maxFee?: string): Promise<string>
  /** A fee cap that leaves room for several higher fees, by what the network asks now. */
  roomyCap(wallet: Wallet): Promise<string>
  sign(id: string): ReturnType<typeof signOrder>
  send(id: string): ReturnType<typeof broadcastOrder>
  /** The coins that the bytes of an order spend. */
  coinsOf(id: string): Promise<string[]>
  stop(): Promise<void>
}

export async function openBitcoinWorld(options: { readFrom?: bigint; tokens?: readonly string[] } = {}): Promise<BitcoinWorld> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'bitcoin-world-'))
  const bitcoin = await startBitcoin(nodePorts, { rpcPort: 0, dataFolder })
  const { chain, rpcUrl } = bitcoin
  const { fetch, timer } = nodePorts
  const tokens = (options.tokens ?? []).map((ticker) => ({ chain, contract: brc20Asset(ticker), symbol: ticker, decimals: BRC20_DECIMALS }))
  const assets = [{ chain, contract: null, symbol: 'BTC', decimals: 8 }, ...tokens]
  const common = {
    chain,
    name: bitcoin.label,
    family: 'bitcoin' as const,
    assets,
    finalityBlocks: FINALITY,
    readFrom: options.readFrom ?? 0n,
    local: true,
    faucetUrl: null,
  }
  const codec = codecFor(chain)!
  const opened: { world?: World } = {}
  // As the server does it: the node is asked for the coins that the ledger knows.
  const coinsOf = (address: string) => recordedCoins(opened.world!.db, codec, chain, address)
  const network = { ...common, codec, node: bitcoinNode({ chain, rpcUrl, fetch, timer, coinsOf }) }
  const world = await openWorld({ network })
  opened.world = world
  const scan = async () => {
    while (await scanChain(world.context, network)) {
      /* goes on */
    }
  }
  const mine = async (blocks: number) => {
    await bitcoin.mine(blocks)
    await scan()
  }
  const roomyCap = async ({ address }: Wallet) => {
    const [, , fast] = await network.node.estimateFee({ from: address, to: STRANGER, asset: { chain, contract: null }, amount: 10_000n })
    return formatAmount(fast.feeMax * 5n, 8)
  }
  return {
    world,
    bitcoin,
    network,
    looking: bitcoinNode({ chain, rpcUrl, fetch, timer }),
    scan,
    mine,
    deposit: async (wallet, ...amounts) => {
      for (const amount of amounts) await bitcoin.fund(wallet.address, amount)
      await mine(FINALITY)
    },
    money: async (wallet) => {
      const all = await world.db.asOrganisation(world.orgId, (tx) => balances(tx, wallet.subWalletId))
      const { available, held } = all.find(({ asset }) => asset.chain === chain && asset.contract === null) ?? { available: 0n, held: 0n }
      return { available, held }
    },
    roomyCap,
    approvedOrder: async (wallet, amount, maxFee) => {
      const { id } = (await requestWithdrawal(world, wallet, { symbol: 'BTC', to: STRANGER, amount, maxFee: maxFee ?? (await roomyCap(wallet)) })).order.row
      await approve(world, id, world.members[1], world.members[2])
      return id
    },
    sign: (id) => signOrder(world.context, world.orgId, id),
    send: (id) => broadcastOrder(world.context, world.orgId, id),
    coinsOf: async (id) => codec.decode(bytesOf(await orderOf(world, id))).inputs!.map(({ outpoint }) => outpoint),
    stop: async () => {
      await world.close()
      await bitcoin.stop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
