import { bitcoinCodec } from '@holdfast/chain-bitcoin/codec'
import { type Asset, type BesideFaucet, FaucetError, parseSum } from '../open-faucet.ts'
import type { BitcoinDevnet } from './start-emulator.ts'

/** Pays play money of the Bitcoin network of this machine to whoever names an address of it. Every failure of `fund` is a FaucetError. */
export function openBitcoinFaucet(network: Pick<BitcoinDevnet, 'chain' | 'fund' | 'pay' | 'mining'>): BesideFaucet {
  const { canonicalAddress } = bitcoinCodec({ chain: network.chain })
  const coin: Asset = { symbol: 'BTC', decimals: 8, contract: null, limit: '10' }
  return {
    chain: network.chain,
    assets: [coin],
    isAddress: (text) => canonicalAddress(text) !== undefined,
    mining: network.mining,
    fund: async ({ address, asset, amount: text }) => {
      if (asset !== coin.symbol) throw new FaucetError('bad_asset', `asset must be ${coin.symbol} for an address of Bitcoin`)
      const amount = parseSum(coin, text)
      const to = String(address).trim()
      const paying: Promise<{ txid: string; height?: bigint }> = network.mining.paused ? network.pay(to, amount) : network.fund(to, amount)
      const { txid, height } = await paying.catch((cause: Error) => {
        throw new FaucetError('refused', `the Bitcoin network refused the payment: ${cause.message.slice(0, 200)}`)
      })
      return { txid, height: height === undefined ? null : String(height) }
    },
  }
}
