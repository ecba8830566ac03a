import { networkBytes } from '@holdfast/chain-bitcoin/codec'
import { broadcastMessage } from '@holdfast/chain-ton/codec'
import type { ChainCodec } from '@holdfast/chain-core'
import { codecFor, type Family, familyOf } from '@holdfast/chain-registry/codec'
import { toHex } from '@holdfast/encoding'
import { signatureKindOf } from '@holdfast/mpc'
import { known } from '@holdfast/units'
import { buildBitcoinSweep } from '../sweep/sweep-bitcoin.ts'
import { buildEvmSweep } from '../sweep/sweep-evm.ts'
import type { SweepBuilder } from '../sweep/sweep-plan.ts'
import { buildTonSweep } from '../sweep/sweep-ton.ts'
import { buildTronSweep } from '../sweep/sweep-tron.ts'

/** What the recovery tool knows of a family of networks beside its codec: how its money is moved. */
export type NetworkFamily = {
  /** Of its own coin. */
  decimals: number
  /** The network of the family whose addresses are shown where no other one is named. */
  example: string
  /** How the transactions that empty an address are built. */
  buildSweep: SweepBuilder
  /** The signed form as nodes of the family take it. */
  toSend(chain: string, raw: Uint8Array): string
}

const prefixed = (_chain: string, raw: Uint8Array): string => `0x${toHex(raw)}`

const FAMILIES: Record<Family, NetworkFamily> = {
  evm: { decimals: 18, example: 'eip155:1', buildSweep: buildEvmSweep, toSend: prefixed },
  tron: { decimals: 6, example: 'tron:0x2b6653dc', buildSweep: buildTronSweep, toSend: prefixed },
  bitcoin: {
    decimals: 8,
    example: 'bip122:000000000019d6689c085ae165831e93',
    buildSweep: buildBitcoinSweep,
    toSend: (chain, raw) => toHex(networkBytes(chain, raw)),
  },
  ton: {
    decimals: 9,
    example: 'ton:-239',
    buildSweep: buildTonSweep,
    toSend: (chain, raw) => Buffer.from(broadcastMessage(raw, chain)).toString('base64'),
  },
}

/** The family of a network and the network's codec, or undefined if no family knows it. */
export function networkOf(chain: string): { family: NetworkFamily; codec: ChainCodec } | undefined {
  const found = familyOf(chain)
  return found && { family: FAMILIES[found.family], codec: found.codec }
}

/** The codec of the network whose addresses are shown for a family. */
export const exampleCodec = ({ example }: NetworkFamily): ChainCodec => known(codecFor(example), `the codec of ${example}`)

/** The families whose addresses are made of keys of a protocol. */
export const familiesOf = (protocol: string): NetworkFamily[] =>
  Object.values(FAMILIES).filter((family) => exampleCodec(family).signatureKinds.includes(signatureKindOf(protocol)))
