import { codecFor as bitcoinCodecFor, networkBytes } from '@holdfast/chain-bitcoin/codec'
import { codecFor as evmCodecFor } from '@holdfast/chain-evm/codec'
import { broadcastMessage, codecFor as tonCodecFor } from '@holdfast/chain-ton/codec'
import { codecFor as tronCodecFor } from '@holdfast/chain-tron/codec'
import type { ChainCodec } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { signatureKindOf } from '@holdfast/mpc'
import { buildBitcoinSweep } from '../sweep/sweep-bitcoin.ts'
import { buildEvmSweep } from '../sweep/sweep-evm.ts'
import type { SweepBuilder } from '../sweep/sweep-plan.ts'
import { buildTonSweep } from '../sweep/sweep-ton.ts'
import { buildTronSweep } from '../sweep/sweep-tron.ts'

/**
 * A family of networks as the recovery tool knows it: whose addresses it can derive, and whose money it can move. Another chain takes part by its codec and
 * by how the transactions that empty an address are built.
 */
export type NetworkFamily = {
  /** The first half of the CAIP-2 names of its networks. */
  namespace: string
  /** Of its own coin. */
  decimals: number
  /** The network of the family whose addresses are shown where no other one is named. */
  example: string
  codecFor(chain: string): ChainCodec | undefined
  buildSweep: SweepBuilder
  /** The signed form as nodes of the family take it. */
  toSend(chain: string, raw: Uint8Array): string
}

const prefixed = (_chain: string, raw: Uint8Array): string => `0x${toHex(raw)}`

const FAMILIES: readonly NetworkFamily[] = [
  { namespace: 'eip155', decimals: 18, example: 'eip155:1', codecFor: evmCodecFor, buildSweep: buildEvmSweep, toSend: prefixed },
  { namespace: 'tron', decimals: 6, example: 'tron:0x2b6653dc', codecFor: tronCodecFor, buildSweep: buildTronSweep, toSend: prefixed },
  {
    namespace: 'bip122',
    decimals: 8,
    example: 'bip122:000000000019d6689c085ae165831e93',
    codecFor: bitcoinCodecFor,
    buildSweep: buildBitcoinSweep,
    toSend: (chain, raw) => toHex(networkBytes(chain, raw)),
  },
  {
    namespace: 'ton',
    decimals: 9,
    example: 'ton:-239',
    codecFor: tonCodecFor,
    buildSweep: buildTonSweep,
    toSend: (chain, raw) => Buffer.from(broadcastMessage(raw, chain)).toString('base64'),
  },
]

export const familyOf = (chain: string): NetworkFamily | undefined => FAMILIES.find(({ namespace }) => chain.startsWith(`${namespace}:`))

/** The families whose addresses are made of keys of a protocol. */
export const familiesOf = (protocol: string): NetworkFamily[] =>
  FAMILIES.filter((family) => family.codecFor(family.example)!.signatureKinds.includes(signatureKindOf(protocol)))

export const codecFor = (chain: string): ChainCodec | undefined => familyOf(chain)?.codecFor(chain)
