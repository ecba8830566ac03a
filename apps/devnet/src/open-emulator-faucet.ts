import type { ChainCodec } from '@holdfast/chain-core'
import type { Ports } from '@holdfast/ports'
import type { Token } from './ensure-token.ts'
import { type Asset, type BesideFaucet, FaucetError, parseSum } from './open-faucet.ts'

/** An emulated network as its faucet uses it. */
export type PayingNetwork = {
  chain: string
  token: Token
  pay(contract: string | null, to: string, amount: bigint): Promise<string>
  heightOf(txid: string): bigint | undefined
}

const POLL_MS = 50
const WAIT_MS = 30_000

/** Pays play money of an emulated network to whoever names an address of it. Every failure of `fund` is a FaucetError. */
export function openEmulatorFaucet(
  ports: Pick<Ports, 'clock' | 'timer'>,
  network: PayingNetwork,
  { name: family, codec, coin }: { name: string; codec: ChainCodec; coin: Omit<Asset, 'contract'> },
): BesideFaucet {
  const { symbol, decimals, contract } = network.token
  const assets: Asset[] = [
    { ...coin, contract: null },
    { symbol, decimals, contract, limit: '1000000' },
  ]
  return {
    chain: network.chain,
    assets,
    isAddress: (text) => codec.canonicalAddress(text) !== undefined,
    fund: async ({ address, asset: name, amount: text }) => {
      const asset = assets.find((each) => each.symbol === name)
      if (!asset) throw new FaucetError('bad_asset', `asset must be one of ${assets.map((each) => each.symbol).join(', ')} for an address of ${family}`)
      const amount = parseSum(asset, text)
      const txid = await network.pay(asset.contract, String(address).trim(), amount).catch((cause: Error) => {
        throw new FaucetError('refused', `the ${family} emulator refused the payment: ${cause.message.slice(0, 200)}`)
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
