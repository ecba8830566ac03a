import { bitcoinNode } from '@holdfast/chain-bitcoin/node'
import type { ChainNode } from '@holdfast/chain-core'
import { tonNode } from '@holdfast/chain-ton/node'
import { tronNode } from '@holdfast/chain-tron/node'
import { nodePorts as ports } from '@holdfast/ports/node'
import { depositFromFaucet } from '../../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_BITCOIN, LOCAL_CHAIN, LOCAL_TON, LOCAL_TRON } from '../../../apps/launcher/src/local-settings.ts'
import { makeWallet } from '../../../apps/launcher/src/make-wallet.ts'
import { proveRecovery } from '../../../apps/launcher/src/prove-recovery.ts'
import { freshAddress } from '../../../features/testing/fresh-address.ts'
import { freshOnBitcoin, freshOnTon, freshOnTron } from './fresh-addresses.ts'
import type { FundedOrganisation } from './funded-organisation.ts'
import { bitcoinUrl } from './local-bitcoin.ts'
import { localChain } from './local-chain.ts'
import type { TestStack } from './start-test-stack.ts'

/** What pays on one chain, and what the chain says of it past the product. */
export type Payer = {
  chain: string
  symbol: string
  decimals: number
  /** What a payment is about, in the coin; each adds some base units of its own. */
  amount: string
  subWalletId: string
  address: string
  freshAddress: () => string
  /** Base units of the coin. */
  balanceOf: (address: string) => Promise<bigint>
}

/** One payer on each chain, with enough for hundreds of payments. The one of the EVM chain is what the organisation was founded with. */
export async function openPayers(stack: Pick<TestStack, 'settings'>, org: FundedOrganisation): Promise<Payer[]> {
  const { settings } = stack
  const { fetch, timer } = ports
  const url = (port: number, path = '') => `http://127.0.0.1:${port}${path}`
  const tron = tronNode({ chain: LOCAL_TRON, rpcUrl: url(settings.ports.tron), tokens: [], fetch, timer })
  const bitcoin = bitcoinNode({ chain: LOCAL_BITCOIN, rpcUrl: await bitcoinUrl(settings), fetch, timer })
  const ton = tonNode({ chain: LOCAL_TON, rpcUrl: url(settings.ports.ton, '/api/v2/jsonRPC'), tokens: [], fetch, timer, publicKeyOf: async () => undefined })
  const forTon = await makeWallet(ports, org.alice, 'Wallet for TON', 'ed25519')
  await proveRecovery(ports, settings, org.alice, forTon.walletId)
  const funded = async (given: Omit<Payer, 'address' | 'balanceOf'>, amounts: readonly string[], node: ChainNode): Promise<Payer> => {
    const { chain, symbol, subWalletId } = given
    let address = ''
    for (const amount of amounts) address = await depositFromFaucet(ports, settings, org.alice, { subWalletId, chain, symbol, amount })
    return { ...given, address, balanceOf: (holder) => node.balance(holder, { chain, contract: null }) }
  }
  const { subWalletId, address } = org
  const balanceOf = localChain(settings).balanceOf
  return [
    { chain: LOCAL_CHAIN, symbol: 'ETH', decimals: 18, amount: '0.01', subWalletId, address, freshAddress, balanceOf },
    await funded({ chain: LOCAL_TRON, symbol: 'TRX', decimals: 6, amount: '1', subWalletId, freshAddress: freshOnTron }, ['900'], tron),
    await funded(
      {
        ...{ chain: LOCAL_BITCOIN, symbol: 'BTC', decimals: 8, amount: '0.001', subWalletId },
        freshAddress: freshOnBitcoin,
      },
      ['0.5', '0.25', '0.125'],
      bitcoin,
    ),
    await funded(
      {
        ...{ chain: LOCAL_TON, symbol: 'TON', decimals: 9, amount: '0.05', subWalletId: forTon.subWalletId },
        freshAddress: freshOnTon,
      },
      ['50'],
      ton,
    ),
  ]
}
