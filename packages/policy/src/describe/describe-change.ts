import { readTokenWallets } from '@holdfast/chain-core'
import { encode, equalBytes, toHex } from '@holdfast/encoding'
import { type Locale, timeInWords } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import { describeCalls } from './describe-call-rule.ts'
import { describeRule } from './describe-policy.ts'
import { describeRecovery, recoveryEn, recoveryZh } from './describe-recovery.ts'
import { describeSigner, signersEn, signersZh } from './describe-signers.ts'
import { describeStakes } from './describe-stake-rule.ts'
import { type KeyOrigin, keyOriginOf } from '../key-origin.ts'
import { findPerson, hasThirdForm, type Person, type Policy } from '../policy.ts'
import { coolingEn, coolingZh, hoursOfCooling } from './describe-cooling.ts'
import { listingCoolingMs } from '../rules/listing-cooling.ts'
import { callBoundsOf } from '../rules/call-bounds.ts'
import { type FirstRule, type NamedRule, type Rule, ruleName, ruleShape, type TransferRule } from '../rules/rule-shapes.ts'
import { stakeBoundsOf } from '../rules/stake-bounds.ts'
import { linesOfThirdForm } from './describe-third-form.ts'
import { describeWallets, walletsEn, walletsZh } from './describe-wallets.ts'
import { namedIn, replacedSigners, type SignerIdentity } from '../signers.ts'

/**
 * What a new version of the policy changes, a line for each difference, in words: every field that can differ has its line, so
 * that no change can hide in a document of many lines. Empty if nothing but version and time differ. `signers` are those of `current`.
 */
export function describeChange(current: Policy, next: Policy, locale: Locale, signers: readonly SignerIdentity[]): string[] {
  const words = WORDS[locale]
  const nameOf = (id: Uint8Array) => (findPerson(next, id) ?? findPerson(current, id))?.name ?? toHex(id)
  const names = (ids: readonly Uint8Array[]) => ids.map(nameOf).join(words.comma)
  return [
    ...signerLines(signers, next, words),
    ...peopleLines(current, next, words),
    ...(!hasThirdForm(current) && hasThirdForm(next) ? [words.thirdForm] : []),
    ...(hasThirdForm(current) && !hasThirdForm(next) ? [words.formerForm] : []),
    ...(listingCoolingMs(current) === listingCoolingMs(next) ? [] : [words.coolingChanges(hoursOfCooling(current), hoursOfCooling(next))]),
    ...setLines(linesOfThirdForm(current, locale), linesOfThirdForm(next, locale), words.groupNew, words.groupGone),
    ...next.rules.flatMap((rule) => {
      const before = current.rules.find((each) => each.id === rule.id)
      return before ? ruleLines(before, rule, { current, next, locale, words, names }) : [newRule(rule, { next, locale, words })]
    }),
    ...current.rules.filter((rule) => !next.rules.some((each) => each.id === rule.id)).map((rule) => words.ruleGone(ruleName(rule))),
    ...(sameOrder(current, next) ? [] : [words.ruleOrder(next.rules.map((rule) => words.quoted(ruleName(rule))).join(words.comma))]),
    ...quorumLines(words.governance, current.governance, next.governance, words, names),
    ...setLines(current.origins.map(originText), next.origins.map(originText), words.originNew, words.originGone),
    ...setLines(assetTexts(current), assetTexts(next), words.assetNew, words.assetGone),
    ...setLines(walletTexts(current, words), walletTexts(next, words), words.walletsNew, words.walletsGone),
    ...recoveryLines(current, next, words),
    ...(current.expiresAtMs === next.expiresAtMs ? [] : [words.expires(timeInWords(current.expiresAtMs), timeInWords(next.expiresAtMs))]),
  ]
}

function signerLines(before: readonly SignerIdentity[], next: Policy, words: Words): string[] {
  const replaced = replacedSigners(before, namedIn(next) ?? before)
  return replaced.flatMap((signer) => {
    const gone = before.find(({ party }) => party === signer.party)
    return [...(gone ? [words.signerGone(String(gone.party), gone.name, toHex(gone.signKey))] : []), describeSigner(signer, words)]
  })
}

function peopleLines(current: Policy, next: Policy, words: Words): string[] {
  const joined = next.people.filter((person) => !findPerson(current, person.id)).flatMap((person) => [words.joins(person.name), ...keyLines([], person, words)])
  const stayed = next.people.flatMap((person) => {
    const before = findPerson(current, person.id)
    if (!before) return []
    return [...(before.name === person.name ? [] : [words.renamed(before.name, person.name)]), ...keyLines(before.credentials, person, words)]
  })
  const left = current.people.filter((person) => !findPerson(next, person.id)).map((person) => words.leaves(person.name))
  return [...joined, ...stayed, ...left]
}

function keyLines(before: Person['credentials'], person: Person, words: Words): string[] {
  const isSame = (a: Person['credentials'][number], b: Person['credentials'][number]) =>
    equalBytes(a.id, b.id) && equalBytes(a.publicKey, b.publicKey) && a.kind === b.kind && a.backupEligible === b.backupEligible
  return [
    ...person.credentials
      .filter((key) => !before.some((each) => isSame(each, key)))
      .map((key) => words.keyNew(person.name, toHex(key.publicKey), keyOriginOf(key.label).origin)),
    ...before.filter((key) => !person.credentials.some((each) => isSame(each, key))).map((key) => words.keyGone(person.name, toHex(key.publicKey))),
  ]
}

/** The words in which a whole policy is signed name a rule without quotation marks, and stay as they were signed; here it has them, as in every other line. */
function newRule(rule: Rule, { next, locale, words }: Pick<Between, 'next' | 'locale' | 'words'>): string {
  return words.ruleNew(describeRule(rule, next, locale, words.quoted(ruleName(rule))))
}

/** A named rule whole, before and after, wherever a byte or a word of it differs. */
function namedLines(before: NamedRule, after: NamedRule, { current, next, locale, words }: Omit<Between, 'names'>): string[] {
  const [was, is] = [describeRule(before, current, locale, words.quoted(before.name)), describeRule(after, next, locale, words.quoted(after.name))]
  // The same bytes can mean other people: they name groups by their ids.
  const isSame = was === is && equalBytes(encode(ruleShape, before), encode(ruleShape, after))
  return isSame ? [] : [words.ruleChanges(was, is)]
}

type Names = (ids: readonly Uint8Array[]) => string

type Between = { current: Policy; next: Policy; locale: Locale; words: Words; names: Names }

function ruleLines(before: Rule, after: Rule, { current, next, locale, words, names }: Between): string[] {
  // A rule of another kind is another rule, whatever its name.
  if (before.kind === 'named' && after.kind === 'named') return namedLines(before, after, { current, next, locale, words })
  if (before.kind !== after.kind || before.kind === 'named' || after.kind === 'named')
    return [words.ruleGone(ruleName(before)), newRule(after, { next, locale, words })]
  const where = words.rule(after.id)
  const lines = quorumLines(where, before, after, words, names)
  lines.push(...memberLines(before.initiators, after.initiators, names, words.mayAsk(where), words.mayNotAsk(where)))
  const [was, is] = [coversOf(before, current, locale), coversOf(after, next, locale)]
  if (was !== undefined && is !== undefined)
    return was === is ? lines : [...lines, words.changes(where, words[callBoundsOf(before) ? 'calls' : 'stakes'], was, is)]
  if (before.kind !== 'transfer' || after.kind !== 'transfer') return lines
  const scope = (rule: TransferRule) => `${rule.asset ?? '*'} / ${rule.chain ?? '*'}`
  if (scope(before) !== scope(after)) lines.push(words.changes(where, words.scope, scope(before), scope(after)))
  const [from, to] = [limitsOf(before, current, words), limitsOf(after, next, words)]
  if (from !== to) lines.push(words.changes(where, words.limits, from, to))
  return lines
}

/** What a rule of words of its own covers; undefined for a rule for payments. */
function coversOf(rule: FirstRule, policy: Policy, locale: Locale): string | undefined {
  const [calls, stake] = [callBoundsOf(rule), stakeBoundsOf(rule)]
  if (calls) return describeCalls(calls, policy, locale)
  return stake && describeStakes(stake, policy, locale)
}

function limitsOf(rule: TransferRule, policy: Policy, words: Words): string {
  const asset = policy.assets.find((each) => rule.asset !== null && (each.contract ?? '') === rule.asset && (rule.chain === null || each.chain === rule.chain))
  const amount = (value: bigint) => (asset ? `${formatAmount(value, Number(asset.decimals))} ${asset.symbol}` : String(value))
  const max = rule.maxAmount === null ? words.noLimit : amount(rule.maxAmount)
  return rule.window === null ? max : `${max}${words.comma}${words.window(amount(rule.window.maxAmount), String(Number(rule.window.lengthMs) / 3_600_000))}`
}

type Quorum = { approvers: Uint8Array[]; threshold: bigint }

function quorumLines(where: string, before: Quorum, after: Quorum, words: Words, names: Names): string[] {
  const threshold = before.threshold === after.threshold ? [] : [words.threshold(where, String(before.threshold), String(after.threshold))]
  return [...threshold, ...memberLines(before.approvers, after.approvers, names, words.mayApprove(where), words.mayNotApprove(where))]
}

function memberLines(before: Uint8Array[], after: Uint8Array[], names: Names, added: (names: string) => string, removed: (names: string) => string): string[] {
  const without = (ids: Uint8Array[], others: Uint8Array[]) => ids.filter((id) => !others.some((other) => equalBytes(id, other)))
  const [joined, left] = [without(after, before), without(before, after)]
  return [...(joined.length > 0 ? [added(names(joined))] : []), ...(left.length > 0 ? [removed(names(left))] : [])]
}

function setLines(before: string[], after: string[], added: (text: string) => string, removed: (text: string) => string): string[] {
  return [...after.filter((text) => !before.includes(text)).map(added), ...before.filter((text) => !after.includes(text)).map(removed)]
}

function recoveryLines(current: Policy, next: Policy, words: Words): string[] {
  const lineOf = (policy: Policy, party: bigint) => {
    const found = policy.recovery.find((each) => each.party === party)
    return describeRecovery(found ?? { kind: 'single', party, recipients: [] }, words)
  }
  const parties = [...new Set([...current.recovery, ...next.recovery].map((each) => each.party))]
  return parties.filter((party) => lineOf(current, party) !== lineOf(next, party)).map((party) => lineOf(next, party))
}

/** The first rule that covers an order decides, so their order is a decision too. */
function sameOrder(current: Policy, next: Policy): boolean {
  const known = new Set(next.rules.map((rule) => rule.id))
  const kept = current.rules.map((rule) => rule.id).filter((id) => known.has(id))
  const stayed = next.rules.map((rule) => rule.id).filter((id) => kept.includes(id))
  return kept.every((id, i) => id === stayed[i])
}

const originText = ({ origin, rpId }: Policy['origins'][number]) => `${origin} (${rpId})`
const assetTexts = ({ assets }: Policy) => assets.filter(({ contract }) => !readTokenWallets(contract)).map(assetText)
const walletTexts = ({ assets }: Policy, words: Words) => assets.flatMap((asset) => describeWallets(asset, words) ?? [])
const assetText = ({ symbol, chain, contract, decimals }: Policy['assets'][number]) => `${symbol} ${chain} ${contract ?? '-'} ${decimals}`

const en = {
  comma: ', ',
  joins: (name: string) => `${name} joins the policy.`,
  leaves: (name: string) => `${name} leaves the policy: none of their keys counts any more.`,
  renamed: (before: string, after: string) => `${before} is named ${after} from now on.`,
  keyNew: (name: string, key: string, origin: KeyOrigin | null) => {
    const confirmed = origin?.confirmed ? `confirmed by ${name}` : `NOT confirmed by ${name}: ask them by voice whether it is theirs`
    const at = origin?.page ? `, for approvals at ${origin.page}` : ''
    return `${name} may approve with a new key: ${key}${origin ? ` (made with a link by ${origin.linkBy}, ${confirmed}${at})` : ''}`
  },
  keyGone: (name: string, key: string) => `This key of ${name} no longer counts: ${key}`,
  quoted: (id: string) => `“${id}”`,
  rule: (id: string) => `Rule “${id}”`,
  ruleNew: (rule: string) => `New: ${rule}`,
  ruleGone: (id: string) => `Rule “${id}” is taken away.`,
  ruleChanges: (before: string, after: string) => `From now on: ${after}. Before: ${before}.`,
  thirdForm: 'The policy takes the form with groups and with rules that have names, conditions and steps.',
  formerForm: 'The policy goes back to the form without groups, conditions and steps.',
  groupNew: (group: string) => `From now on: ${group}`,
  groupGone: (group: string) => `No longer: ${group}`,
  ruleOrder: (ids: string) => `The rules are asked in this order: ${ids}. The first that covers an order decides.`,
  governance: 'Changes of the policy',
  threshold: (where: string, before: string, after: string) => `${where}: approvals needed change from ${before} to ${after}.`,
  mayApprove: (where: string) => (names: string) => `${where}: ${names} may approve from now on.`,
  mayNotApprove: (where: string) => (names: string) => `${where}: ${names} may no longer approve.`,
  mayAsk: (where: string) => (names: string) => `${where}: ${names} may ask for orders under it from now on.`,
  mayNotAsk: (where: string) => (names: string) => `${where}: ${names} may no longer ask for orders under it.`,
  changes: (where: string, what: string, before: string, after: string) => `${where}: ${what} change from ${before} to ${after}.`,
  scope: 'asset and network',
  calls: 'the calls it covers',
  stakes: 'the orders about stake it covers',
  limits: 'the limits',
  noLimit: 'no limit',
  window: (amount: string, hours: string) => `${amount} in ${hours} hours`,
  originNew: (origin: string) => `Approvals may be given at ${origin} from now on.`,
  originGone: (origin: string) => `Approvals given at ${origin} no longer count.`,
  assetNew: (asset: string) => `This asset can be paid from now on: ${asset}`,
  assetGone: (asset: string) => `This asset can no longer be paid: ${asset}`,
  ...coolingEn,
  ...walletsEn,
  walletsNew: (wallets: string) => `Pinned from now on: ${wallets}`,
  walletsGone: (wallets: string) => `No longer pinned: ${wallets}`,
  ...signersEn,
  signerGone: (party: string, name: string, key: string) =>
    `Signer ${party}, ${name}, is replaced: nothing signed with its key ${key} counts from then on, and every wallet key needs a repair.`,
  ...recoveryEn,
  expires: (before: string, after: string) => `The policy is valid until ${after}; before, until ${before}.`,
}

type Words = typeof en

const WORDS: Record<Locale, Words> = {
  'en-US': en,
  'zh-CN': {
    comma: '、',
    joins: (name) => `${name} 加入策略。`,
    leaves: (name) => `${name} 退出策略：其所有密钥不再有效。`,
    renamed: (before, after) => `${before} 改名为 ${after}。`,
    keyNew: (name, key, origin) => {
      const confirmed = origin?.confirmed ? `已由 ${name} 确认` : `未经 ${name} 确认，请以语音核实是否为其本人密钥`
      const at = origin?.page ? `，用于在 ${origin.page} 审批` : ''
      return `${name} 可使用新密钥审批：${key}${origin ? `（链接由 ${origin.linkBy} 生成，${confirmed}${at}）` : ''}`
    },
    keyGone: (name, key) => `${name} 的此密钥不再有效：${key}`,
    quoted: (id) => `“${id}”`,
    rule: (id) => `规则“${id}”`,
    ruleNew: (rule) => `新增：${rule}`,
    ruleGone: (id) => `删除规则“${id}”。`,
    ruleChanges: (before, after) => `今后：${after}。此前：${before}。`,
    thirdForm: '策略改用新形式：可设人员组，规则带有名称、条件与审批步骤。',
    formerForm: '策略改回旧形式：不含人员组、条件与审批步骤。',
    groupNew: (group) => `今后：${group}`,
    groupGone: (group) => `不再有：${group}`,
    ruleOrder: (ids) => `规则按此顺序匹配：${ids}。首个覆盖订单的规则生效。`,
    governance: '策略变更',
    threshold: (where, before, after) => `${where}：所需审批人数由 ${before} 改为 ${after}。`,
    mayApprove: (where) => (names) => `${where}：${names} 今后可审批。`,
    mayNotApprove: (where) => (names) => `${where}：${names} 不再可审批。`,
    mayAsk: (where) => (names) => `${where}：${names} 今后可据此发起订单。`,
    mayNotAsk: (where) => (names) => `${where}：${names} 不再可据此发起订单。`,
    changes: (where, what, before, after) => `${where}：${what}由 ${before} 改为 ${after}。`,
    scope: '资产与网络',
    calls: '所覆盖的调用',
    stakes: '所覆盖的质押操作',
    limits: '限额',
    noLimit: '无限额',
    window: (amount, hours) => `${hours} 小时内 ${amount}`,
    originNew: (origin) => `今后可在 ${origin} 进行审批。`,
    originGone: (origin) => `在 ${origin} 所作审批不再有效。`,
    assetNew: (asset) => `今后可支付该资产：${asset}`,
    assetGone: (asset) => `该资产不再可支付：${asset}`,
    ...coolingZh,
    ...walletsZh,
    walletsNew: (wallets) => `今后固定：${wallets}`,
    walletsGone: (wallets) => `不再固定：${wallets}`,
    ...signersZh,
    signerGone: (party, name, key) => `签名方 ${party}（${name}）被替换：此后其密钥 ${key} 的签名不再有效，每个钱包密钥都需要修复。`,
    ...recoveryZh,
    expires: (before, after) => `策略有效期至 ${after}（此前为 ${before}）。`,
  },
}
