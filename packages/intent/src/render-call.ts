import { ChainError } from '@holdfast/chain-core'
import { ANY_SUPPLY, type CallReading, type Find, type Grant, readCall, valueText } from '@holdfast/chain-evm/codec'
import { toHex } from '@holdfast/encoding'
import { formatAmount } from '@holdfast/units'
import { groupAddress } from './group-address.ts'
import type { Asset } from './asset.ts'
import { type Asked, askedRows, feeRow, keyRow, type Keyed, moneyText, ORDER_WORDS } from './order-rows.ts'
import { describeTrade } from './render-trade.ts'
import type { Locale, RenderContext, Rendering } from './rendering.ts'

const en = {
  ...ORDER_WORDS['en-US'],
  call: (name: string, contract: string) => `Call ${name} of ${contract}`,
  spends: (spender: string, amount: string) => `Let ${spender} spend up to ${amount}`,
  revokes: (spender: string, token: string) => `Revoke the allowance of ${spender} over ${token}`,
  any: 'ANY AMOUNT of',
  callUnknown: (contract: string) => `Send call data that nobody can read to ${contract}`,
  unreadable: (reason: string) => `The call data cannot be read: ${reason}`,
  does: 'What it allows',
  allows: (spender: string, amount: string) => `${spender} may take up to ${amount}`,
  adds: (spender: string, amount: string) => `${spender} may take ${amount} more than before`,
  takesBack: (spender: string, token: string) => `${spender} may take nothing more of ${token}`,
  nobody: (number: string, token: string) => `The right over number ${number} of ${token} is taken back: nobody has it then`,
  endlessOf: (token: string) => `ANY AMOUNT of ${token}`,
  baseUnits: (amount: string, token: string) => `${amount} base units of token ${token} (or its token of this number, where it is a collection)`,
  operates: (spender: string, token: string) => `${spender} may take EVERYTHING of ${token}, now and later`,
  operatesNot: (spender: string, token: string) => `${spender} may take nothing of ${token} any more, as far as this right goes`,
  effect: 'What it does',
  inside: 'Carried inside',
  moves: (amount: string) => `moves ${amount} base units of tokens or coin`,
  movesSome: 'moves tokens or coin, nobody can say here how much',
  gives: (amount: string) => `lets others take ${amount} base units of a token`,
  givesMore: (amount: string) => `lets others take ${amount} base units of a token more than before`,
  givesAll: 'lets others take everything, now and later',
  takesRightBack: 'takes a right back',
  control: 'GIVES AWAY CONTROL',
  goesTo: (address: string) => `to ${address}`,
  contract: 'Contract',
  function: 'Function',
  unknownFunction: 'unknown',
  argument: (number: string, type: string) => `Argument ${number} (${type})`,
  value: 'Coin sent along',
  data: 'Call data',
  from: 'From',
  codeDecides: 'What a call does is up to the code of the contract. Approve it only if you know this contract and every argument.',
  endlessRisk: (spender: string) =>
    `UNLIMITED: ${spender} can take everything of this token from the paying address, at any later time and without asking again.`,
  controlRisk: (name: string) => `CONTROL: ${name} gives somebody else a say over a contract, an account or a name, and with it over what that holds.`,
  carriedRisk: (name: string) => `The call data carries ${name}, which the contract may run.`,
  unknownRisk: 'Nobody can say what this call data does: no function is named by which it could be read.',
}

type Words = typeof en

const WORDS: Record<Locale, Words> = {
  'en-US': en,
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    call: (name, contract) => `调用 ${contract} 的 ${name}`,
    spends: (spender, amount) => `允许 ${spender} 支用至多 ${amount}`,
    revokes: (spender, token) => `撤销 ${spender} 对 ${token} 的授权`,
    any: '任意数量的',
    callUnknown: (contract) => `向 ${contract} 发送无法解读的调用数据`,
    unreadable: (reason) => `无法解读调用数据：${reason}`,
    does: '授予的权限',
    allows: (spender, amount) => `${spender} 可取走至多 ${amount}`,
    adds: (spender, amount) => `${spender} 可在原额度之上再取走 ${amount}`,
    takesBack: (spender, token) => `${spender} 不能再取走 ${token}`,
    nobody: (number, token) => `收回对 ${token} 第 ${number} 号的授权：此后无人拥有该授权`,
    endlessOf: (token) => `任意数量的 ${token}`,
    baseUnits: (amount, token) => `代币 ${token} 的 ${amount} 个最小单位（若为藏品合约，则为此编号的藏品）`,
    operates: (spender, token) => `${spender} 可取走 ${token} 的全部藏品，现在及以后`,
    operatesNot: (spender, token) => `就此权限而言，${spender} 不能再取走 ${token} 的藏品`,
    effect: '调用效果',
    inside: '内含调用',
    moves: (amount) => `转移代币或主币 ${amount} 个最小单位`,
    movesSome: '转移代币或主币，数量无法在此得知',
    gives: (amount) => `允许他人取走代币 ${amount} 个最小单位`,
    givesMore: (amount) => `允许他人在原额度之上再取走代币 ${amount} 个最小单位`,
    givesAll: '允许他人取走全部，现在及以后',
    takesRightBack: '收回一项权限',
    control: '交出控制权',
    goesTo: (address) => `接收方 ${address}`,
    contract: '合约',
    function: '函数',
    unknownFunction: '未知',
    argument: (number, type) => `参数 ${number}（${type}）`,
    value: '附带主币',
    data: '调用数据',
    from: '付款地址',
    codeDecides: '调用的实际效果取决于合约代码。仅在了解该合约及每个参数时批准。',
    endlessRisk: (spender) => `无限授权：${spender} 今后可随时取走付款地址中该代币的全部余额，且无需再次询问。`,
    controlRisk: (name) => `控制权：${name} 使他人得以支配某个合约、账户或名称，以及其中的资产。`,
    carriedRisk: (name) => `调用数据内含 ${name}，合约可能会执行它。`,
    unknownRisk: '无人能说明此调用数据的作用：未指明可据以解读的函数。',
  },
}

type Call = { to: string; data: Uint8Array; signature: string | null; asset: { chain: string }; amount?: bigint; from?: string }

/** What a call says, in words: the trade that it makes, the rights it gives, what else known functions in it do, every argument, and what to beware of. */
export type CallInWords = {
  title: string
  trade: Rendering['rows']
  grants: string[]
  finds: Rendering['rows']
  args: { label: string; value: string }[]
  warnings: string[]
  isGrave: boolean
  isRead: boolean
}

type Context = Pick<RenderContext, 'asset' | 'isUnlimited' | 'tellsFinds' | 'isLast' | 'trade' | 'coin'>

/** Reads a call by the function it names, and tells what was read. Where it cannot be read, the warning says why. */
export function describeCall(call: Call, context: Context, locale: Locale): CallInWords {
  const words = WORDS[locale]
  const contract = groupAddress(call.to)
  const name = call.signature?.slice(0, call.signature.indexOf('('))
  const title = name === undefined ? words.callUnknown(contract) : words.call(name, contract)
  const reading = readOrSay(call)
  if (typeof reading === 'string')
    return { title, trade: [], grants: [], finds: [], args: [], warnings: [words.unreadable(reading)], isGrave: true, isRead: false }
  const endless = reading.grants.filter((grant) => context.isUnlimited(call.asset.chain, grant))
  const isRead = reading.signature !== null
  // A right that the called function itself gives is told with its token.
  const finds = context.tellsFinds ? reading.finds.filter(({ carried, deed }) => carried || deed !== 'grants' || reading.grants.length === 0) : []
  const [rights, carried] = [finds.filter(({ deed }) => deed === 'rights'), finds.filter((find) => find.carried)]
  const trade = tradeInWords(call, context, locale)
  return {
    title: trade?.title ?? (context.isLast ? undefined : allowanceTitle(call, reading, context, words)) ?? title,
    trade: trade?.rows ?? [],
    grants: reading.grants.map((grant) => grantText(grant, call.asset.chain, context, words)),
    finds: finds.map((find) => ({ label: find.carried ? words.inside : words.effect, value: findText(find, words) })),
    args: reading.args.map(({ type, value }, i) => ({
      label: words.argument(String(i + 1), type),
      value: type === 'address' ? groupAddress(String(value)) : valueText(value),
    })),
    warnings: [
      ...(trade?.warnings ?? []),
      ...endless.map((grant) => words.endlessRisk(groupAddress(grant.spender))),
      ...rights.map(({ signature }) => words.controlRisk(signature)),
      ...carried.map(({ signature }) => words.carriedRisk(signature)),
      ...(isRead ? [] : [words.unknownRisk]),
      words.codeDecides,
    ],
    isGrave: (trade?.warnings ?? []).length > 0 || endless.length > 0 || rights.length > 0 || finds.some(isBoundless) || !isRead,
    isRead,
  }
}

/** What a call of a venue of the policy trades; undefined of every other call. */
function tradeInWords({ to, data, signature, asset: { chain }, amount: value = 0n, from }: Call, context: Context, locale: Locale) {
  const trade = context.trade?.({ chain, contract: to, data, value, signature })
  return trade && describeTrade(trade, { chain, from }, context, locale)
}

/** What a call is about that does nothing but give one allowance over a pinned token, or take it back; undefined of every other call. */
function allowanceTitle({ amount: sent = 0n, asset: { chain } }: Call, { grants, finds }: CallReading, context: Context, words: Words): string | undefined {
  const [grant, ...others] = grants
  if (!grant || others.length > 0 || grant.kind === 'operator' || grant.adds || sent > 0n || finds.some(({ carried }) => carried)) return undefined
  const token = context.asset(chain, grant.token)
  if (!token) return undefined
  const spender = groupAddress(grant.spender)
  if (grant.amount === 0n) return words.revokes(spender, token.symbol)
  const amount = context.isUnlimited(chain, grant) ? words.any : formatAmount(grant.amount, Number(token.decimals))
  return words.spends(spender, `${amount} ${token.symbol}`)
}

type Ordered = Call & Asked & Keyed & { asset: Asset; from: string; amount: bigint; feeCap: bigint }

/** A call of a contract in words, read from its call data by the function it names: every argument, every right it gives. */
export function renderCall(intent: Ordered, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const { title, trade, grants, finds, args, warnings, isGrave, isRead } = describeCall(intent, context, locale)
  return {
    locale,
    title,
    rows: [
      ...trade,
      ...grants.map((value) => ({ label: words.does, value })),
      ...finds,
      { label: words.contract, value: groupAddress(intent.to) },
      { label: words.function, value: intent.signature ?? words.unknownFunction },
      ...args,
      ...(isRead ? [] : [{ label: words.data, value: `0x${toHex(intent.data)}` }]),
      { label: words.value, value: moneyText(intent.amount, intent.asset) },
      { label: words.from, value: groupAddress(intent.from) },
      { label: words.network, value: intent.asset.chain, isTechnical: true },
      feeRow(intent.feeCap, intent.asset, locale),
      ...askedRows(intent, context, locale),
      keyRow(intent, locale),
    ],
    warnings,
    isGrave,
  }
}

/** What the call data says, or in words why it cannot be read; then nobody may sign it, and people see why. */
function readOrSay({ to, data, signature }: Call): CallReading | string {
  try {
    return readCall({ contract: to, data, signature })
  } catch (cause) {
    if (cause instanceof ChainError) return cause.message
    throw cause
  }
}

function grantText(grant: Grant, chain: string, context: Context, words: Words): string {
  const spender = groupAddress(grant.spender)
  const asset = context.asset(chain, grant.token)
  const token = asset ? `${asset.symbol} ${groupAddress(grant.token)}` : groupAddress(grant.token)
  if (grant.kind === 'operator') return grant.approved ? words.operates(spender, token) : words.operatesNot(spender, token)
  if (context.isUnlimited(chain, grant)) return words.allows(spender, words.endlessOf(token))
  const amount = asset ? `${formatAmount(grant.amount, Number(asset.decimals))} ${token}` : words.baseUnits(String(grant.amount), token)
  if (grant.adds) return words.adds(spender, amount)
  // ERC-721 takes a right over one of its tokens back by giving it to nobody.
  if (!asset && /^0x0{40}$/.test(grant.spender)) return words.nobody(String(grant.amount), token)
  return grant.amount === 0n && asset ? words.takesBack(spender, token) : words.allows(spender, amount)
}

/** A right without an amount, or with more than any supply. */
const isBoundless = ({ deed, amount, takesBack }: Find): boolean => deed === 'grants' && !takesBack && (amount === null || amount >= ANY_SUPPLY)

function findText(find: Find, words: Words): string {
  const to = find.to === null || find.takesBack ? [] : [words.goesTo(groupAddress(find.to))]
  return [find.signature, deedText(find, words), ...to].join(' · ')
}

function deedText(find: Find, words: Words): string {
  const { deed, amount, takesBack, adds } = find
  if (deed === 'rights') return words.control
  if (deed === 'moves') return amount === null ? words.movesSome : words.moves(String(amount))
  if (takesBack) return words.takesRightBack
  return amount === null || isBoundless(find) ? words.givesAll : (adds ? words.givesMore : words.gives)(String(amount))
}
