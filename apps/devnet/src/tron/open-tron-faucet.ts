import { tronCodec } from '@holdfast/chain-tron/codec'
import type { Ports } from '@holdfast/ports'
import { type Asset, type BesideFaucet, FaucetError, parseSum } from '../open-faucet.ts'
import type { TronNetwork } from './start-tron.ts'

const POLL_MS = 50
const WAIT_MS = 30_000

/** Pays play money of the emulated TRON network to whoever names an address of it. Every failure of `fund` is a FaucetError. */
export function openTronFaucet(ports: Pick<Ports, 'clock' | 'timer'>, network: TronNetwork): BesideFaucet {
  const { canonicalAddress } = tronCodec({ chain: network.chain })
  const { symbol, decimals, contract } = network.token
  const assets: Asset[] = [
    { symbol: 'TRX', decimals: 6, contract: null, limit: '10000' },
    { symbol, decimals, contract, limit: '1000000' },
  ]
  return {
    chain: network.chain,
    assets,
    isAddress: (text) => canonicalAddress(text) !== undefined,
    fund: async ({ address, asset: name, amount: text }) => {
      const asset = assets.find((each) => each.symbol === name)
      if (!asset) throw new FaucetError('bad_asset', `asset must be one of ${assets.map((each) => each.symbol).join(', ')} for an address of TRON`)
      const amount = parseSum(asset, text)
      const txid = await network.pay(asset.contract, String(address).trim(), amount).catch((cause: Error) => {
        throw new FaucetError('refused', `the TRON emulator refused the payment: ${cause.message.slice(0, 200)}`)
      })
      const startedMs = ports.clock.monotonicMs()
      while (ports.clock.monotonicMs() - startedMs < WAIT_MS) {
        const height = network.heightOf(txid)
        if (height !== undefined) return { txid, height: String(height) }
        await ports.timer.sleep(POLL_MS)
      }
      throw new FaucetError('not_included', `the payment ${txid} was sent but is in no block yet: look for it before asking again`)
    },
  }
}
