import { list, struct, text } from '@holdfast/encoding'
import type { ConditionKind } from './condition-kind.ts'

/** Addresses that the rule itself names; `name` is what people called them when they signed it. */
const shape = struct('holdfast/condition/destinations/v1', {
  addresses: list(struct('holdfast/condition/destination/v1', { name: text(64), chain: text(64), address: text(128) }), 256),
})

/** Whom a payment goes to: each recipient of it has to be among these. */
export const destinations = {
  shape,
  suits: ['payment'],
  fault: ({ addresses }) => {
    if (addresses.length === 0) return 'is for no destination'
    const places = addresses.map(({ chain, address }) => `${chain}|${address}`)
    return new Set(places).size === places.length ? undefined : 'names a destination twice'
  },
  holds: ({ addresses }, act) => {
    if (act.as !== 'payment') return false
    if (act.recipients.length === 0) return undefined
    return act.recipients.every((to) => addresses.some(({ chain, address }) => chain === act.chain && address === to))
  },
  words: ({ addresses }, _, locale) => {
    const places = addresses.map(({ name, chain, address }) => `“${name}” (${address}, ${chain})`)
    return locale === 'zh-CN' ? `付至 ${places.join('、')}` : `to ${places.join(', ')}`
  },
} satisfies ConditionKind<typeof shape>
