import type { ChainCodec } from '@holdfast/chain-core'
import { codecFor as bitcoin } from '@holdfast/chain-bitcoin/codec'
import { codecFor as evm } from '@holdfast/chain-evm/codec'
import { codecFor as ton } from '@holdfast/chain-ton/codec'
import { codecFor as tron } from '@holdfast/chain-tron/codec'
import { RecentMap } from '@holdfast/units'
import { FAMILY_NAMES, type Family } from './families.ts'

export type { Family } from './families.ts'

/** Each family's codecs; each knows its own names. */
const CODECS: Record<Family, (chain: string) => ChainCodec | undefined> = { bitcoin, evm, ton, tron }

type OfChain = { family: Family; codec: ChainCodec }

/** A name means the same for ever, and every page asks for the few that are configured again and again. What no family knows is not remembered. */
const remembered = new RecentMap<string, OfChain>(100)

/** The family of a chain and its codec, by the chain's CAIP-2 name; undefined if no family knows the chain. */
export function familyOf(chain: string): OfChain | undefined {
  const known = remembered.get(chain)
  if (known) return known
  for (const family of FAMILY_NAMES) {
    const codec = CODECS[family](chain)
    if (!codec) continue
    remembered.set(chain, { family, codec })
    return { family, codec }
  }
  return undefined
}

/** The codec of a chain by its CAIP-2 name, whatever its family, or undefined if no family knows the chain. */
export function codecFor(chain: string): ChainCodec | undefined {
  return familyOf(chain)?.codec
}
