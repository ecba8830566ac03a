import { codecFor as evmCodecFor } from '@holdfast/chain-evm/codec'
import { codecFor as tronCodecFor } from '@holdfast/chain-tron/codec'
import type { ChainCodec } from '@holdfast/chain-core'
import { PROTOCOL } from '@holdfast/mpc'
import { buildEvmSweep } from './sweep-evm.ts'
import type { SweepBuilder } from './sweep-plan.ts'
import { buildTronSweep } from './sweep-tron.ts'

/**
 * A family of networks as the recovery tool knows it: whose addresses it can derive, and whose money it can move. Another chain takes part by its codec and
 * by how the transactions that empty an address are built.
 */
export type NetworkFamily = {
  /** The first half of the CAIP-2 names of its networks. */
  namespace: string
  /** The kind of key that signs there. */
  protocol: string
  /** Of its own coin. */
  decimals: number
  /** A network of the family whose addresses are those of all. */
  example: string
  codecFor(chain: string): ChainCodec | undefined
  buildSweep: SweepBuilder
}

const FAMILIES: readonly NetworkFamily[] = [
  { namespace: 'eip155', protocol: PROTOCOL, decimals: 18, example: 'eip155:1', codecFor: evmCodecFor, buildSweep: buildEvmSweep },
  { namespace: 'tron', protocol: PROTOCOL, decimals: 6, example: 'tron:0x2b6653dc', codecFor: tronCodecFor, buildSweep: buildTronSweep },
]

export const familyOf = (chain: string): NetworkFamily | undefined => FAMILIES.find(({ namespace }) => chain.startsWith(`${namespace}:`))

/** The families whose addresses are made of keys of a protocol. */
export const familiesOf = (protocol: string): NetworkFamily[] => FAMILIES.filter((family) => family.protocol === protocol)

export const codecFor = (chain: string): ChainCodec | undefined => familyOf(chain)?.codecFor(chain)
