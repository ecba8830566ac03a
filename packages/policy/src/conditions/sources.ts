import { bytes, equalBytes, list, struct, text, toHex, uint } from '@holdfast/encoding'
import type { ConditionKind } from './condition-kind.ts'

const WALLETS_MAX = 64

/** Paying addresses by key and by the beginning of their path; `name` is what people called them when they signed the rule. */
const shape = struct('holdfast/condition/sources/v1', {
  wallets: list(struct('holdfast/condition/source/v1', { name: text(64), keyId: bytes(32), path: list(uint(31), 8) }), WALLETS_MAX),
})

/** Whether a path begins with the steps of another one. */
export const beginsWith = (path: readonly bigint[], beginning: readonly bigint[]) => beginning.every((step, i) => path[i] === step)

/** Which wallet or sub-wallet pays. */
export const sources = {
  shape,
  suits: ['payment', 'call', 'stake', 'trade'],
  fault: ({ wallets }) => {
    if (wallets.length === 0) return 'is for no wallet'
    const places = wallets.map(({ keyId, path }) => `${toHex(keyId)}/${path.join('/')}`)
    return new Set(places).size === places.length ? undefined : 'names a wallet twice'
  },
  holds: ({ wallets }, { source }) =>
    source === null ? undefined : wallets.some(({ keyId, path }) => equalBytes(keyId, source.keyId) && beginsWith(source.path, path)),
  words: ({ wallets }, _, locale) => {
    const places = wallets.map(({ name, keyId, path }) => `“${name}” (${toHex(keyId)}${path.map((step) => `/${step}`).join('')})`)
    return locale === 'zh-CN' ? `由钱包 ${places.join('、')} 付款` : `from ${places.join(', ')}`
  },
} satisfies ConditionKind<typeof shape>
