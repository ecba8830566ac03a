import type { ChainCodec } from '@holdfast/chain-core'
import { codecFor as bitcoin } from '@holdfast/chain-bitcoin/codec'
import { codecFor as evm } from '@holdfast/chain-evm/codec'
import { codecFor as ton } from '@holdfast/chain-ton/codec'
import { codecFor as tron } from '@holdfast/chain-tron/codec'
import { FAMILY_NAMES, type Family } from './families.ts'

export type { Family } from './families.ts'

/** Each family's codecs; each knows its own names. */
const CODECS: Record<Family, (chain: string) => ChainCodec | undefined> = { bitcoin, evm, ton, tron }

/** The family of a chain and its codec, by the chain's CAIP-2 name; undefined if no family knows the chain. */
export function familyOf(chain: string): { family: Family; codec: ChainCodec } | undefined {
  for (const family of FAMILY_NAMES) {
    const codec = CODECS[family](chain)
    if (codec) return { family, codec }
  }
  return undefined
}

/** The codec of a chain by its CAIP-2 name, whatever its family, or undefined if no family knows the chain. */
export function codecFor(chain: string): ChainCodec | undefined {
  return familyOf(chain)?.codec
}
