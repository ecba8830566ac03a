import { pinnedContract } from '@holdfast/chain-core'
import { type Infer, list, optional, struct, text, uint } from '@holdfast/encoding'
import type { Asset } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import type { ConditionKind, Known } from './condition-kind.ts'

/** An asset as rules name it: a contract, a collection or one token of it, or empty text for the network's own coin. */
export type AssetName = { chain: string; asset: string }

/**
 * Amounts of assets, in base units: more than `above`, and at most `atMost`, absent without an upper bound. `asset` absent is any asset of the network, whose
 * amounts are not compared.
 */
const shape = struct('holdfast/condition/assets/v1', {
  assets: list(struct('holdfast/condition/asset/v1', { chain: text(64), asset: optional(text(128)), above: uint(256), atMost: optional(uint(256)) }), 256),
})

export type Bounded = Infer<typeof shape>['assets'][number]

/** Whether a rule that names an asset means this one: a collection stands for each token of it. */
export const isNamed = (asset: string, contract: string | null): boolean => asset === (contract ?? '') || asset === (pinnedContract(contract) ?? '')

/** The asset as the policy pins it, by which people read amounts; undefined if it pins none by that name. */
export const pinnedBy = ({ assets }: Pick<Known, 'assets'>, { chain, asset }: AssetName): Asset | undefined =>
  assets.find((each) => each.chain === chain && (each.contract ?? '') === (pinnedContract(asset) ?? ''))

/** An amount of an asset, by the name and the decimals that the policy pins. */
export function amountOf(known: Pick<Known, 'assets'>, named: AssetName, amount: bigint): string {
  const pinned = pinnedBy(known, named)
  return pinned ? `${formatAmount(amount, Number(pinned.decimals))} ${pinned.symbol}` : `${amount} of ${named.asset}`
}

function faultOf({ chain, asset, above, atMost }: Bounded, known: Known): string | undefined {
  if (asset === null) {
    if (above > 0n || atMost !== null) return `bounds amounts of any asset of ${chain}: name the asset`
    return known.assets.some((each) => each.chain === chain) ? undefined : `is for payments on ${chain}, of which the policy pins no asset`
  }
  if (!pinnedBy(known, { chain, asset })) return `is for ${asset === '' ? 'the own coin' : asset} on ${chain}, which the policy does not pin`
  return atMost !== null && atMost <= above ? `lets no amount of ${asset === '' ? 'the own coin' : asset} on ${chain} through` : undefined
}

const WORDS = {
  'en-US': {
    comma: ' or ',
    any: (chain: string) => `any asset on ${chain}`,
    above: (amount: string) => ` above ${amount}`,
    atMost: (amount: string) => ` up to ${amount}`,
  },
  'zh-CN': {
    comma: '或',
    any: (chain: string) => `${chain} 上的任意资产`,
    above: (amount: string) => `高于 ${amount}`,
    atMost: (amount: string) => `不超过 ${amount}`,
  },
}

/** Which assets, and how much of them. */
export const assets = {
  shape,
  suits: ['payment'],
  fault: (condition, known) => {
    if (condition.assets.length === 0) return 'is for no asset'
    const names = condition.assets.map(({ chain, asset }) => `${chain}|${asset ?? '*'}`)
    if (new Set(names).size !== names.length) return 'names an asset twice'
    return condition.assets.map((each) => faultOf(each, known)).find((fault) => fault !== undefined)
  },
  holds: (condition, act) =>
    act.as === 'payment' &&
    condition.assets.some(
      ({ chain, asset, above, atMost }) =>
        chain === act.chain && (asset === null || (isNamed(asset, act.contract) && act.amount > above && (atMost === null || act.amount <= atMost))),
    ),
  words: (condition, known, locale) => {
    const words = WORDS[locale]
    const parts = condition.assets.map(({ chain, asset, above, atMost }) => {
      if (asset === null) return words.any(chain)
      const amount = (value: bigint) => amountOf(known, { chain, asset }, value)
      const bounds = `${above > 0n ? words.above(amount(above)) : ''}${atMost === null ? '' : words.atMost(amount(atMost))}`
      return `${pinnedBy(known, { chain, asset })?.symbol ?? asset} (${chain})${bounds}`
    })
    return parts.join(words.comma)
  },
} satisfies ConditionKind<typeof shape>
