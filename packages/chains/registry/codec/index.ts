import type { ChainCodec } from '@holdfast/chain-core'
import { codecFor as evm } from '@holdfast/chain-evm/codec'
import { codecFor as ton } from '@holdfast/chain-ton/codec'
import { codecFor as tron } from '@holdfast/chain-tron/codec'

/** The families of chains, each of which knows its own names. A family is added here and nowhere else. */
const FAMILIES: readonly ((chain: string) => ChainCodec | undefined)[] = [evm, tron, ton]

/** The codec of a chain by its CAIP-2 name, whatever its family, or undefined where no family knows the chain. */
export function codecFor(chain: string): ChainCodec | undefined {
  for (const family of FAMILIES) {
    const codec = family(chain)
    if (codec) return codec
  }
  return undefined
}
