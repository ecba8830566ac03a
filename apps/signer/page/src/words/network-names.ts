import type { Locale } from '@holdfast/intent'

/** Networks as people call them. This page has them of itself, so that no server can call one by the name of another. */
const NAMES: Readonly<Record<string, string | Record<Locale, string>>> = {
  'eip155:1': { 'en-US': 'Ethereum', 'zh-CN': '以太坊' },
  'eip155:10': 'OP Mainnet',
  'eip155:56': { 'en-US': 'BNB Smart Chain', 'zh-CN': 'BNB 智能链' },
  'eip155:137': 'Polygon',
  'eip155:8453': 'Base',
  'eip155:42161': 'Arbitrum One',
  'eip155:43114': { 'en-US': 'Avalanche C-Chain', 'zh-CN': 'Avalanche C 链' },
  'eip155:11155111': { 'en-US': 'Sepolia, a test network', 'zh-CN': 'Sepolia 测试网' },
  'eip155:31337': { 'en-US': 'Local test network', 'zh-CN': '本机测试网络' },
  'bip122:000000000019d6689c085ae165831e93': { 'en-US': 'Bitcoin', 'zh-CN': '比特币' },
  'bip122:0f9188f13cb7b2c71f2a335e3a4fc328': { 'en-US': 'Bitcoin regtest, a local test network', 'zh-CN': '比特币 regtest 本机测试网络' },
  'tron:0x2b6653dc': { 'en-US': 'TRON', 'zh-CN': '波场 TRON' },
  'tron:0xcd8690dc': { 'en-US': 'TRON Nile, a test network', 'zh-CN': '波场 Nile 测试网' },
  'ton:-239': 'TON',
  'ton:-3': { 'en-US': 'TON testnet', 'zh-CN': 'TON 测试网' },
}

/** The name of a network; undefined for one that this page does not know. */
export function networkName(chain: string, locale: Locale): string | undefined {
  if (!Object.hasOwn(NAMES, chain)) return undefined
  const name = NAMES[chain]
  return typeof name === 'object' ? name[locale] : name
}
