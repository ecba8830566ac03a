import { toHex } from '@holdfast/encoding'
import { algorithmOf, type Locale, timeInWords } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import { pinnedBy } from '../conditions/index.ts'
import type { PartName } from '../change/part-names.ts'
import { linesOfDeputies } from '../people/deputies.ts'
import { nameWho } from '../people/who.ts'
import { hasThirdForm, type Policy } from '../policy.ts'

const en = {
  group: (name: string, members: string) => `Group “${name}”: ${members}`,
  machine: (name: string, kind: string, purpose: string, key: string, until: string) =>
    `Machine “${name}” (${kind}) for ${purpose === '' ? 'no stated purpose' : purpose}, key ${key}, until ${until}`,
  // Keys of Ed25519 were written without a name before there were others, and people approved that.
  p256: (key: string) => `of P-256 ${key}`,
  unsigned: (machine: string) => `${machine}. It asks at door two: no signer can check that it does, so people or a co-signer decide each of its orders`,
  valuation: (asset: string, dollars: string, until: string) => `1 ${asset} is taken to be worth at most ${dollars} USD until ${until}`,
  part: (part: string, need: string, who: string) => `Changes of ${part} need ${need} of ${who}`,
  parts: {
    members: 'members and their keys',
    strategies: 'rules and groups',
    assets: 'assets',
    valuation: 'what assets are worth at most',
    machines: 'API keys and machines',
    addressBook: 'the whitelist of the address book',
    keys: 'keys',
    screening: 'screening',
    standingOrders: 'standing orders',
    coldAddresses: 'cold addresses',
  } satisfies Record<PartName, string>,
  loosening: (hours: string) => `A change that loosens the policy waits for ${hours} hours at each signer`,
}

const WORDS: Record<Locale, typeof en> = {
  'en-US': en,
  'zh-CN': {
    group: (name, members) => `“${name}”组：${members}`,
    machine: (name, kind, purpose, key, until) => `机器“${name}”（${kind}），用途：${purpose === '' ? '未说明' : purpose}，密钥 ${key}，有效期至 ${until}`,
    p256: (key) => `P-256 ${key}`,
    unsigned: (machine) => `${machine}。该密钥通过二号接口发起请求，签名方无法核验其请求，因此每笔订单均须由成员或协签程序决定`,
    valuation: (asset, dollars, until) => `${until} 前，1 ${asset} 按不超过 ${dollars} 美元计`,
    part: (part, need, who) => `更改${part}需 ${who} 中 ${need} 人签名`,
    parts: {
      members: '成员及其密钥',
      strategies: '规则和人员分组',
      assets: '资产',
      valuation: '资产估值上限',
      machines: ' API 密钥和机器',
      addressBook: '地址簿白名单',
      keys: '密钥',
      screening: '交易筛查',
      standingOrders: '定期指令',
      coldAddresses: '冷地址',
    },
    loosening: (hours) => `放宽策略的变更须在每个签名方等待 ${hours} 小时`,
  },
}

/** A part of the workspace as sentences name it: changes of …. */
export const nameOfPart = (part: PartName, locale: Locale): string => WORDS[locale].parts[part].trimStart()

/** What only the third form of a policy says beside its rules, a line each; nothing for the forms before. */
export function linesOfThirdForm(policy: Policy, locale: Locale): string[] {
  if (!hasThirdForm(policy)) return []
  const words = WORDS[locale]
  const { groups, machines, valuation, parts, looseningDelayMs } = policy
  const person = (id: Uint8Array) => ({ kind: 'person' as const, id })
  const names = (ids: readonly Uint8Array[]) => nameWho(policy, ids.map(person), locale)
  return [
    ...groups.map(({ name, members }) => words.group(name, names(members))),
    ...machines.map(({ name, kind, purpose, publicKey, expiresAtMs }) => {
      const key = algorithmOf(publicKey) === 'ecdsa-p256-sha256' ? words.p256(toHex(publicKey)) : toHex(publicKey)
      const told = words.machine(name, kind, purpose, key, timeInWords(expiresAtMs))
      return kind === 'apiRsa' ? words.unsigned(told) : told
    }),
    ...valuation.map((each) => words.valuation(nameOf(policy, each), formatAmount(each.microUsd, 6), timeInWords(each.validUntilMs))),
    ...parts.map(({ part, need, who }) => words.part(words.parts[part as PartName] ?? part, String(need), nameWho(policy, who, locale))),
    ...linesOfDeputies(policy, locale),
    ...(looseningDelayMs === 0n ? [] : [words.loosening(String(Number(looseningDelayMs) / 3_600_000))]),
  ]
}

const nameOf = (policy: Policy, { chain, asset }: { chain: string; asset: string }) => `${pinnedBy(policy, { chain, asset })?.symbol ?? asset} (${chain})`
