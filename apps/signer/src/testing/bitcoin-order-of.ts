import { bitcoinCodec } from '@holdfast/chain-bitcoin/codec'
import { build, coinOf, type Made, recipient as STRANGER } from '@holdfast/chain-bitcoin/testing'
import { derivePublicKey } from '@holdfast/mpc'
import { type Draft, draftOf, type OrderOptions, type PublicKey } from './order-of.ts'
import { BTC } from './organisation-of.ts'

export const bitcoin = bitcoinCodec({ chain: BTC.chain })
export const PATH = [0, 7]
export const CHANGE_PATH = [0, 9]
/** An address of nobody who is asked. */
export { recipient as STRANGER } from '@holdfast/chain-bitcoin/testing'

export const bitcoinAddress = (key: PublicKey, path: number[]): string =>
  bitcoin.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path))

/** Coins of an address; `first` numbers them, so that others have other numbers. */
export const coinsOf = (address: string, amounts: readonly bigint[], first = 0): Made[] => amounts.map((amount, i) => coinOf(address, amount, first + i))

export type BitcoinOrder = Omit<OrderOptions, 'asset' | 'path'> & { coins?: readonly bigint[]; firstCoin?: number; satPerKvb?: bigint; to?: string }

/** An order to pay in Bitcoin and the bytes for it: several coins of the paying address are spent, change goes to another address of the key. */
export function bitcoinOrderOf(options: BitcoinOrder): { draft: Draft; unsigned: Uint8Array } {
  const { key, amount = 120_000n, coins = [60_000n, 50_000n, 40_000n], firstCoin = 0, satPerKvb = 2_000n, to = STRANGER } = options
  const from = bitcoinAddress(key, PATH)
  const made = coinsOf(from, coins, firstCoin)
  const unsigned = build({ from, payments: [{ to, amount }], made, satPerKvb, change: { address: bitcoinAddress(key, CHANGE_PATH), path: CHANGE_PATH } })
  const changes = { keyId: key.keyId, from, to: STRANGER, feeAsset: BTC, feeCap: 20_000n, slotRule: 'anchor-input', ...options.changes }
  const draft = draftOf({ ...options, amount, asset: BTC, path: PATH.map(BigInt), changes })
  return { draft, unsigned }
}
