import { toHex } from '@holdfast/encoding'
import { type Locale, type RenderContext, timeInWords } from '@holdfast/intent'
import { formatAmount, known } from '@holdfast/units'
import { describeCalls } from './describe-call-rule.ts'
import { describeRecovery, recoveryEn, recoveryZh } from './describe-recovery.ts'
import { describeStakes } from './describe-stake-rule.ts'
import { describeSigner, signersEn, signersZh } from './describe-signers.ts'
import { coolingEn, coolingZh, hoursOfCooling } from './describe-cooling.ts'
import { linesOfThirdForm } from './describe-third-form.ts'
import { describeNamedRule, type InWords } from './describe-named-rule.ts'
import { findPerson, type Policy, policyHash } from '../policy.ts'
import { callBoundsOf } from '../rules/call-bounds.ts'
import type { Rule, TransferRule } from '../rules/rule-shapes.ts'
import { namedIn } from '../signers.ts'
import { describeWallets, walletsEn, walletsZh } from './describe-wallets.ts'

/** A policy in words, a line for each thing it decides: what people read before they accept or change it. `asked`: in the words before the present ones. */
export function describePolicy(policy: Policy, locale: Locale, asked: Pick<RenderContext, 'isLast' | 'isFormer'> = {}): string[] {
  const words = WORDS[locale]
  const names = namesIn(policy, words)
  return [
    words.version(String(policy.version), toHex(policyHash(policy))),
    words.people(names(policy.people.map((person) => person.id))),
    ...policy.people.map((person) =>
      words.keys(person.name, String(person.credentials.length), person.credentials.map((each) => toHex(each.publicKey)).join(words.comma), asked.isFormer),
    ),
    ...policy.assets.map((asset) => {
      const wallets = describeWallets(asset, words)
      return wallets ?? words.asset(asset.symbol, asset.chain, asset.contract, String(asset.decimals))
    }),
    ...linesOfThirdForm(policy, locale),
    // Whoever signed a policy that does not say it has not read this line, and what they read stays as it was.
    ...('listingCoolingMs' in policy ? [words.cooling(hoursOfCooling(policy))] : []),
    ...policy.rules.map((rule) => describeRule(rule, policy, locale, undefined, asked)),
    describeGovernance(policy, locale),
    ...policy.origins.map((origin) => words.origin(origin.origin)),
    ...(namedIn(policy) ?? []).map((signer) => describeSigner(signer, words)),
    ...policy.recovery.map((each) => describeRecovery(each, words)),
    words.expires(timeInWords(policy.expiresAtMs)),
  ]
}

/**
 * One rule of a policy in words: whom it lets ask for what, and how many of whom must approve. `name` is what the sentence calls it: its own name or id, if
 * absent.
 */
export function describeRule(
  rule: Rule,
  policy: Policy,
  locale: Locale,
  name = rule.kind === 'named' ? `“${rule.name}” (${rule.id})` : rule.id,
  asked: InWords = {},
): string {
  if (rule.kind === 'named') return describeNamedRule(rule, name, policy, locale, asked)
  const names = namesIn(policy, WORDS[locale])
  if (rule.kind === 'transfer') return describeTransferRule({ ...rule, id: name }, policy, WORDS[locale], names)
  const people = { initiators: names(rule.initiators), threshold: String(rule.threshold), approvers: names(rule.approvers) }
  if (rule.kind === 'stake') return WORDS[locale].stakeRule(name, describeStakes(rule, policy, locale), people)
  return WORDS[locale].callRule(name, describeCalls(known(callBoundsOf(rule), 'the bounds of a rule for calls'), policy, locale), people)
}

/** Who decides changes of a policy, in words. */
export function describeGovernance(policy: Policy, locale: Locale): string {
  const words = WORDS[locale]
  return words.governance(String(policy.governance.threshold), namesIn(policy, words)(policy.governance.approvers))
}

function namesIn(policy: Policy, words: Words): (ids: readonly Uint8Array[]) => string {
  return (ids) => ids.map((id) => findPerson(policy, id)?.name ?? toHex(id)).join(words.comma)
}

function describeTransferRule(rule: TransferRule, policy: Policy, words: Words, names: (ids: Uint8Array[]) => string): string {
  const asset = policy.assets.find((each) => rule.asset !== null && (each.contract ?? '') === rule.asset && (rule.chain === null || each.chain === rule.chain))
  const amount = (value: bigint) => (asset ? `${formatAmount(value, Number(asset.decimals))} ${asset.symbol}` : String(value))
  return words.rule({
    id: rule.id,
    chain: rule.chain,
    asset: rule.asset === null ? null : (asset?.symbol ?? rule.asset),
    max: rule.maxAmount === null ? null : amount(rule.maxAmount),
    window: rule.window === null ? null : { hours: String(Number(rule.window.lengthMs) / 3_600_000), max: amount(rule.window.maxAmount) },
    initiators: names(rule.initiators),
    threshold: String(rule.threshold),
    approvers: names(rule.approvers),
  })
}

type PeopleWords = { initiators: string; threshold: string; approvers: string }

type RuleWords = PeopleWords & {
  id: string
  chain: string | null
  asset: string | null
  max: string | null
  window: { hours: string; max: string } | null
}

const en = {
  comma: ', ',
  version: (version: string, hash: string) => `Policy version ${version}, fingerprint ${hash}`,
  people: (names: string) => `People: ${names}`,
  keys: (name: string, count: string, keys: string, isFormer?: true) => `${name}: ${count} approval key${isFormer ? '(s)' : count === '1' ? '' : 's'} ${keys}`,
  asset: (symbol: string, chain: string, contract: string | null, decimals: string) =>
    `Asset ${symbol} on ${chain}, ${contract ?? 'own coin'}, ${decimals} decimals`,
  rule: (rule: RuleWords) =>
    `Rule ${rule.id}: ${rule.initiators} may pay ${rule.asset ?? 'any asset'} on ${rule.chain ?? 'any network'}${rule.max === null ? '' : ` up to ${rule.max}`}` +
    `${rule.window === null ? '' : `, at most ${rule.window.max} in ${rule.window.hours} hours`}; needs ${rule.threshold} of ${rule.approvers}, never the person who asks`,
  callRule: (id: string, calls: string, people: PeopleWords) =>
    `Rule ${id}: ${people.initiators} may have contracts called: ${calls}; needs ${people.threshold} of ${people.approvers}, never the person who asks`,
  stakeRule: (id: string, stakes: string, people: PeopleWords) =>
    `Rule ${id}: ${people.initiators} may order about stake: ${stakes}; needs ${people.threshold} of ${people.approvers}, never the person who asks`,
  governance: (threshold: string, names: string) => `Changes of the policy need ${threshold} of ${names}`,
  origin: (origin: string) => `Approvals are given at ${origin} only`,
  ...coolingEn,
  ...walletsEn,
  ...signersEn,
  ...recoveryEn,
  expires: (day: string) => `Valid until ${day}`,
}

type Words = typeof en

const WORDS: Record<Locale, Words> = {
  'en-US': en,
  'zh-CN': {
    comma: '、',
    version: (version, hash) => `策略版本 ${version}，指纹 ${hash}`,
    people: (names) => `人员：${names}`,
    keys: (name, count, keys) => `${name}：审批密钥 ${count} 个 ${keys}`,
    asset: (symbol, chain, contract, decimals) => `资产 ${symbol}，网络 ${chain}，${contract ?? '主币'}，精度 ${decimals} 位`,
    rule: (rule) =>
      `规则 ${rule.id}：${rule.initiators} 可支付${rule.chain ?? '任意网络'}上的${rule.asset ?? '任意资产'}${rule.max === null ? '' : `，单笔不超过 ${rule.max}`}` +
      `${rule.window === null ? '' : `，${rule.window.hours} 小时内累计不超过 ${rule.window.max}`}；需 ${rule.approvers} 中 ${rule.threshold} 人审批，发起人不得审批`,
    callRule: (id, calls, people) =>
      `规则 ${id}：${people.initiators} 可发起合约调用：${calls}；需 ${people.approvers} 中 ${people.threshold} 人审批，发起人不得审批`,
    stakeRule: (id, stakes, people) =>
      `规则 ${id}：${people.initiators} 可发起质押操作：${stakes}；需 ${people.approvers} 中 ${people.threshold} 人审批，发起人不得审批`,
    governance: (threshold, names) => `更改策略需 ${names} 中 ${threshold} 人签名`,
    origin: (origin) => `审批仅可在 ${origin} 进行`,
    ...coolingZh,
    ...walletsZh,
    ...signersZh,
    ...recoveryZh,
    expires: (day) => `有效期至 ${day}`,
  },
}
