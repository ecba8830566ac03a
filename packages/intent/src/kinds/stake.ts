import { type Effects, type Resource, RESOURCES, STAKE_ACTIONS, type StakeAction, type StakeOrder } from '@holdfast/chain-core'
import { type Infer, optional, struct, text, uint } from '@holdfast/encoding'
import { groupAddress } from '../group-address.ts'
import { askedRows, keyRow, moneyText, ORDER_WORDS } from '../order-rows.ts'
import { type Locale, type RenderContext, type Rendering, wordsFor } from '../rendering.ts'
import { askedIn, type Ordered, type StakeAct } from './act.ts'
import type { TransactionKind } from './intent-kind.ts'
import { askedFields, movedFields } from './order-fields.ts'

/**
 * An order about the stake of an account (TRON's staking 2.0). `amount` is coin staked, of `asset`, the chain's own; `to` is the account whose resource it is about,
 * `from` itself but for delegations. What belongs to which action, `stakeFault` says.
 */
const stakeIntentShape = struct('holdfast/intent/tron-resource/v1', {
  ...movedFields,
  action: text(16),
  resource: optional(text(16)),
  lockBlocks: uint(),
  ...askedFields,
})

export type StakeIntent = { kind: 'stake' } & Infer<typeof stakeIntentShape>

type Stake = Omit<StakeIntent, 'kind'>
type Parts = Pick<Stake, 'action' | 'resource' | 'amount' | 'from' | 'to' | 'lockBlocks' | 'asset'>

/** Orders that another account is in: it is given a resource, or loses it. */
export const isDelegation = (action: string): boolean => action === 'delegate' || action === 'undelegate'
const isAboutAll = (action: string): boolean => action === 'withdraw' || action === 'cancel-unstake'

/** Why the parts of an order about stake do not fit together, or undefined if they do: what one action has no use for says nothing, so it must be absent. */
export function stakeFault({ action, resource, amount, from, to, lockBlocks, asset }: Parts): string | undefined {
  if (!STAKE_ACTIONS.some((each) => each === action)) return `the order is to ${action}, which is nothing known of stake`
  if (asset.contract !== null) return "only the chain's own coin is staked"
  if (isAboutAll(action) ? resource !== null || amount !== 0n : amount <= 0n)
    return 'the order names an amount where it is about all that waits, or none where it needs one'
  if (!isAboutAll(action) && !RESOURCES.some((each) => each === resource)) return `the order is about the resource ${resource}, which is none`
  if (isDelegation(action) === (to === from)) return 'the order delegates to the one who delegates, or names another account without delegating'
  return lockBlocks > 0n && action !== 'delegate' ? 'the order locks something else than a delegation' : undefined
}

/** An order about stake as codecs and nodes know it. Throws where its parts do not fit together (`stakeFault`). */
export function stakeOrderOf(intent: Parts): StakeOrder {
  const fault = stakeFault(intent)
  if (fault !== undefined) throw new Error(fault)
  const { action, resource, amount, to, lockBlocks } = intent as Parts & Pick<StakeOrder, 'action' | 'resource'>
  return { action, resource, amount, receiver: isDelegation(action) ? to : null, lockBlocks }
}

type Looked = Ordered & Pick<Stake, 'action' | 'lockBlocks'>

function act(looked: Looked): StakeAct {
  const { asset, from, to, action, amount, lockBlocks } = looked
  return { as: 'stake', chain: asset.chain, from, action, amount, receiver: isDelegation(action) ? to : null, lockBlocks, ...askedIn(looked) }
}

function done(intent: Looked, { stake }: Effects): StakeAct | undefined {
  if (!stake) return undefined
  const { action, amount, receiver, lockBlocks } = stake
  return act({ ...intent, to: receiver ?? intent.from, action, amount, lockBlocks })
}

/** Where a transaction is another order about stake than the one that was approved, or none. */
function otherStake(intent: Stake, { stake }: Effects): string | undefined {
  if (!stake) return 'the transaction is no order about stake'
  const { action, resource, amount, receiver, lockBlocks } = stakeOrderOf(intent)
  if (stake.action !== action) return `the transaction is to ${stake.action}, the order to ${action}`
  if (stake.resource !== resource) return `the transaction is about ${stake.resource}, the order about ${resource}`
  if (stake.amount !== amount) return `the transaction is about ${stake.amount} base units, the order about ${amount}`
  if (stake.receiver !== receiver) return `the transaction names ${stake.receiver}, the order ${receiver}`
  return stake.lockBlocks === lockBlocks ? undefined : `the transaction locks for ${stake.lockBlocks} blocks, the order for ${lockBlocks}`
}

const en = {
  ...ORDER_WORDS['en-US'],
  resources: { bandwidth: 'bandwidth', energy: 'energy' } as Record<Resource, string>,
  actions: {
    stake: 'stake',
    unstake: 'end a stake',
    withdraw: 'take back ended stake',
    'cancel-unstake': 'call off ended stakes',
    delegate: 'delegate',
    undelegate: 'take a delegation back',
  } as Record<StakeAction, string>,
  titles: {
    stake: (amount: string, resource: string) => `Stake ${amount} for ${resource}`,
    unstake: (amount: string, resource: string) => `End the stake of ${amount} for ${resource}`,
    withdraw: () => 'Take back all stake that was ended and has waited long enough',
    'cancel-unstake': () => 'Call off every end of a stake that waits',
    delegate: (amount: string, resource: string, to: string) => `Delegate the ${resource} of ${amount} to ${to}`,
    undelegate: (amount: string, resource: string, to: string) => `Take back the ${resource} of ${amount} from ${to}`,
  } as Record<StakeAction, (amount: string, resource: string, to: string) => string>,
  otherAction: (action: string) => `Unknown action “${action}” on stake`,
  what: 'What happens',
  happens: {
    stake: 'The coin stays yours and cannot be paid with. It gives the resource from the next block on.',
    unstake: "The resource is gone at once. The coin waits for the network's time, 14 days on the main network, and has to be taken back then.",
    withdraw: 'The coin can be paid with again.',
    'cancel-unstake': 'What still waits is staked again for what it was staked for; what has waited long enough can be paid with again.',
    delegate: 'The other account uses the resource, and the paying address does not any more. The stake stays yours.',
    undelegate: 'The paying address has the resource again, less what was used of it.',
  } as Record<StakeAction, string>,
  amount: 'Stake',
  resource: 'Resource',
  receiver: 'The other account',
  lock: 'Locked for',
  blocks: (count: string) => `${count} blocks`,
  from: 'Account',
  slow: 'Staked coin cannot be paid with until the stake was ended, has waited and was taken back.',
  locked: (blocks: string) => `LOCKED: for ${blocks} blocks the delegation cannot be taken back, nor its stake ended.`,
  stranger: 'Compare every character of the other account with a source you trust.',
}

type Words = typeof en

const WORDS: Record<Locale, Words> = {
  'en-US': en,
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    resources: { bandwidth: '带宽', energy: '能量' },
    actions: {
      stake: '质押',
      unstake: '解除质押',
      withdraw: '提取已解除的质押',
      'cancel-unstake': '取消解除质押',
      delegate: '代理资源',
      undelegate: '收回代理',
    },
    titles: {
      stake: (amount, resource) => `质押 ${amount} 以获取${resource}`,
      unstake: (amount, resource) => `解除 ${amount} 的${resource}质押`,
      withdraw: () => '提取所有已过等待期的解除质押',
      'cancel-unstake': () => '取消所有等待中的解除质押',
      delegate: (amount, resource, to) => `将 ${amount} 质押的${resource}代理给 ${to}`,
      undelegate: (amount, resource, to) => `从 ${to} 收回 ${amount} 质押的${resource}`,
    },
    otherAction: (action) => `对质押执行未知操作“${action}”`,
    what: '操作内容',
    happens: {
      stake: '主币仍归您所有，但不能用于付款。自下一区块起提供资源。',
      unstake: '资源立即失去。主币须经过网络规定的等待期（主网为 14 天），到期后需提取。',
      withdraw: '主币恢复可用于付款。',
      'cancel-unstake': '仍在等待的部分按原用途重新质押；已过等待期的部分恢复可用于付款。',
      delegate: '资源由对方账户使用，付款地址不再使用。质押仍归您所有。',
      undelegate: '付款地址重新获得该资源，但须扣除已被使用的部分。',
    },
    amount: '质押金额',
    resource: '资源',
    receiver: '对方账户',
    lock: '锁定时长',
    blocks: (count) => `${count} 个区块`,
    from: '账户',
    slow: '已质押的主币在解除质押、经过等待期并提取之前，不能用于付款。',
    locked: (blocks) => `已锁定：在 ${blocks} 个区块内，代理不可收回，其质押也不可解除。`,
    stranger: '请将对方账户与可信来源逐字核对。',
  },
}

/** What was put better since; an approval over these words counts too. */
const LAST = {
  'en-US': { stranger: 'This account is not in a signed address book. Compare every character with a source you trust.' },
  'zh-CN': { stranger: '该账户不在已签名的地址簿中。请与可信来源逐字核对。' },
}

/** The names of what can be done with stake, for rules that list them. */
export const stakeActionName = (action: string, locale: Locale): string => (WORDS[locale].actions as Record<string, string>)[action] ?? action

/** An order about stake in one sentence. */
export function stakeTitle(
  { action, resource, amount, to, asset }: Pick<StakeIntent, 'action' | 'resource' | 'amount' | 'to' | 'asset'>,
  locale: Locale,
): string {
  const words = WORDS[locale]
  const title = (words.titles as Record<string, Words['titles'][StakeAction] | undefined>)[action]
  const name = resource === null ? '' : ((words.resources as Record<string, string>)[resource] ?? resource)
  return title ? title(moneyText(amount, asset), name, groupAddress(to)) : words.otherAction(action)
}

/** An order about stake in words: what it does, and everything it says. */
function render(intent: Stake, context: RenderContext, locale: Locale): Rendering {
  const words = wordsFor(WORDS, { last: LAST }, locale, context)
  const { action, resource, asset, lockBlocks } = intent
  const happens = (words.happens as Record<string, string>)[action] ?? action
  return {
    locale,
    title: stakeTitle(intent, locale),
    rows: [
      { label: words.what, value: happens },
      { label: words.amount, value: moneyText(intent.amount, asset) },
      { label: words.resource, value: resource === null ? words.none : ((words.resources as Record<string, string>)[resource] ?? resource) },
      { label: words.receiver, value: isDelegation(action) ? groupAddress(intent.to) : words.none },
      { label: words.lock, value: lockBlocks === 0n ? words.none : words.blocks(String(lockBlocks)) },
      { label: words.from, value: groupAddress(intent.from) },
      { label: words.network, value: asset.chain, isTechnical: true },
      { label: words.feeCap, value: moneyText(intent.feeCap, asset) },
      ...askedRows(intent, context, locale),
      keyRow(intent, locale),
    ],
    warnings: [
      ...(lockBlocks === 0n ? [] : [words.locked(String(lockBlocks))]),
      ...(action === 'stake' || action === 'unstake' ? [words.slow] : []),
      ...(action === 'delegate' ? [words.stranger] : []),
    ],
    isGrave: lockBlocks > 0n,
  }
}

export const stake = {
  shape: stakeIntentShape,
  fault: stakeFault,
  render,
  does: ['stake'],
  moves: () => ({ count: 1, assets: 1 }),
  act,
  done,
  mismatch: otherStake,
} satisfies TransactionKind<typeof stakeIntentShape>
