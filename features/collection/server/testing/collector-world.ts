import devDollar from '@holdfast/chain-evm/artifacts/dev-dollar.json' with { type: 'json' }
import { evmNode } from '@holdfast/chain-evm/node'
import type { CallInput, Endpoint, OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { nodePorts } from '@holdfast/ports/node'
import { type Abi, type Address, getAddress, type Hex, parseEther } from 'viem'
import { type Anvil, startAnvil } from '../../../../packages/chains/evm/testing/anvil.ts'
import { approveSignerOrders } from '../../../testing/approve-signer-orders.ts'
import { callAs } from '../../../testing/call-as.ts'
import { CHAIN } from '../../../testing/scripted-chain.ts'
import { makeWallet, openWorld, scan, type Wallet, type World } from '../../../testing/test-world.ts'
import { feature } from '../index.ts'

/** An organisation on a real network with a token of 6 decimals, and the wallets that a collector is about: one is paid into, one collects, one pays fees. */
export type CollectorWorld = {
  world: World
  anvil: Anvil
  dollar: Address
  deposits: Wallet
  treasury: Wallet
  purse: Wallet
  /** A call about collectors by the first member. */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>>
  inOrganisation<T>(act: (tx: OrganisationTx) => Promise<T>): Promise<T>
  approveAll(pending: readonly { trade_no: string }[]): Promise<void>
  /** Gives an address so many dollars, in a final block that was read. */
  mint(to: string, dollars: bigint): Promise<void>
  /** Has what was sent be final, and read. */
  settle(): Promise<void>
  /** The base units of the token that an address has on the network. */
  dollarsOf(address: string): Promise<bigint>
  close(): Promise<void>
}

const { fetch, timer } = nodePorts
const abi = devDollar.abi as Abi

/** Opens one in which 250 dollars were paid in, and the purse has 5 coins. */
export async function openCollectorWorld(): Promise<CollectorWorld> {
  const anvil = await startAnvil()
  const sent = async (sending: Promise<Hex>) => anvil.network.waitForTransactionReceipt({ hash: await sending })
  const deployed = await sent(anvil.walletOf(0).deployContract({ abi, bytecode: devDollar.bytecode as Hex, args: ['USDC'] }))
  const dollar = getAddress(deployed.contractAddress!)
  const coin = { chain: CHAIN, contract: null, symbol: 'ETH', decimals: 18 }
  const assets = [coin, { chain: CHAIN, contract: dollar, symbol: 'USDC', decimals: 6 }]
  const world = await openWorld({ network: { assets, node: evmNode({ chain: CHAIN, rpcUrl: anvil.rpcUrl, tokens: [dollar], fetch, timer }) } })
  const endpoints = feature.endpoints!(world.context, { session: { demandSecondFactorWhereSet: async () => {}, endSession() {} } } as never)
  const settle = async () => {
    await anvil.network.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n })
    await anvil.network.mine({ blocks: 3 })
    await scan(world)
  }
  const mint = async (to: string, dollars: bigint) => {
    await sent(anvil.walletOf(0).writeContract({ address: dollar, abi, functionName: 'mint', args: [to, dollars * 1_000_000n] }))
    await settle()
  }
  const deposits = await makeWallet(world, 'Deposits')
  const treasury = await makeWallet(world, 'Treasury')
  const purse = await makeWallet(world, 'Purse')
  await sent(anvil.walletOf(0).sendTransaction({ to: purse.address as Hex, value: parseEther('5') }))
  await mint(deposits.address, 250n)
  return {
    ...{ world, anvil, dollar, deposits, treasury, purse, mint, settle },
    call: (endpoint, input) => callAs(endpoints, endpoint, input, { orgId: world.orgId, personId: world.members[0].id }),
    inOrganisation: (act) => world.db.asOrganisation(world.orgId, act),
    approveAll: (pending) => approveSignerOrders(world, pending),
    dollarsOf: async (address) => (await anvil.network.readContract({ address: dollar, abi, functionName: 'balanceOf', args: [address] })) as bigint,
    close: async () => {
      await world.close()
      await anvil.stop()
    },
  }
}
