import devDollar from '@holdfast/chain-evm/artifacts/dev-dollar.json' with { type: 'json' }
import { type Abi, erc20Abi, getContractAddress, type Hex } from 'viem'
import type { Network } from './open-network.ts'

export type Token = { symbol: string; name: string; contract: string; decimals: number }

const SYMBOL = 'USDX'
const DECIMALS = 6
/** What the faucet's account holds at the start, in base units: a million million dollars. */
const SUPPLY = 10n ** 12n * 10n ** BigInt(DECIMALS)

/** The play-money dollar, deployed as the very first transaction of its account and therefore at the same address on every new network. */
export async function ensureToken(network: Network): Promise<Token> {
  const { address: owner } = network.account
  const contract = getContractAddress({ from: owner, nonce: 0n })
  const abi = devDollar.abi as Abi
  if ((await network.getCode({ address: contract })) === undefined) {
    const used = await network.getTransactionCount({ address: owner })
    if (used !== 0) throw new Error('the saved network was not made by this program: remove its data folder to start a new one')
    await minedOk(network, await network.deployContract({ abi, bytecode: devDollar.bytecode as Hex, args: [SYMBOL] }))
  }
  const held = await network.readContract({ address: contract, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  if (held < SUPPLY / 2n) await minedOk(network, await network.writeContract({ address: contract, abi, functionName: 'mint', args: [owner, SUPPLY] }))
  return { symbol: SYMBOL, name: 'Development Dollar', contract, decimals: DECIMALS }
}

/** Mines a block with a transaction of the start. Throws where the transaction failed. */
export async function minedOk(network: Network, hash: Hex): Promise<void> {
  await network.mine({ blocks: 1 })
  const receipt = await network.getTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`the token's transaction ${hash} failed`)
}
