import type { ChainCodec } from '@holdfast/chain-core'
import { codecFor as bitcoin } from '@holdfast/chain-bitcoin/codec'
import { codecFor as evm } from '@holdfast/chain-evm/codec'
import { codecFor as ton } from '@holdfast/chain-ton/codec'
import { codecFor as tron } from '@holdfast/chain-tron/codec'

/** The families of chains, each of which knows its own names. A family is added here, and to the nodes in `../node`. */
const FAMILIES = { bitcoin, evm, ton, tron } satisfies Record<string, (chain: string) => ChainCodec | undefined>

export type Family = keyof typeof FAMILIES

/** The family of a chain and its codec, by the chain's CAIP-2 name; undefined if no family knows the chain. */
export function familyOf(chain: string): { family: Family; codec: ChainCodec } | undefined {
  for (const family of Object.keys(FAMILIES) as Family[]) {
    const codec = FAMILIES[family](chain)
    if (codec) return { family, codec }
  }
  return undefined
}

/** The codec of a chain by its CAIP-2 name, whatever its family, or undefined if no family knows the chain. */
export function codecFor(chain: string): ChainCodec | undefined {
  return familyOf(chain)?.codec
}
