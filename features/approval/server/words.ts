import type { Language } from '@holdfast/contract'

type Titled = {
  stake?: { title: string }
  call?: { method: string | null } | null
  lifts?: string
  purpose: 'pay' | 'speed_up' | 'cancel'
  about?: { amount: string; address_to: string; recipients?: number }
  fee: string
  fee_symbol: string
  amount: string
  symbol: string
  address_to: string
  network: string
  initiator: { name: string }
}

/** An order in one sentence, with the whole address and every digit. */
export function titleOf(order: Titled, language: Language): string {
  const { stake, call, lifts, amount, symbol, address_to, network, initiator } = order
  if (order.about) return aboutTitle({ ...order, about: order.about }, language)
  if (stake) return language === 'zh_CN' ? `${initiator.name} 申请在 ${network} 上：${stake.title}` : `${initiator.name} asks on ${network}: ${stake.title}`
  if (lifts !== undefined) {
    return language === 'zh_CN'
      ? `${initiator.name} 申请在 ${network} 上加速一笔等待中的充值 ${amount} ${symbol}`
      : `${initiator.name} asks to speed up a deposit of ${amount} ${symbol} that waits on ${network}`
  }
  if (call) return callTitle({ ...order, call }, language)
  return language === 'zh_CN'
    ? `${initiator.name} 申请在 ${network} 上付款 ${amount} ${symbol} 至 ${address_to}`
    : `${initiator.name} asks to pay ${amount} ${symbol} to ${address_to} on ${network}`
}

function callTitle(
  { call: { method }, amount, symbol, address_to: to, network, initiator }: Titled & { call: { method: string | null } },
  language: Language,
): string {
  const isPaid = amount !== '0'
  if (language === 'zh_CN')
    return `${initiator.name} 申请在 ${network} 上调用合约 ${to} 的${method === null ? '未知函数' : ` ${method}`}${isPaid ? `，并附带 ${amount} ${symbol}` : ''}`
  return `${initiator.name} asks to call ${method ?? 'an unknown function'} of contract ${to} on ${network}${isPaid ? `, with ${amount} ${symbol}` : ''}`
}

function aboutTitle({ about, purpose, fee, fee_symbol, symbol, network, initiator }: Titled & Required<Pick<Titled, 'about'>>, language: Language): string {
  const { amount, recipients, address_to: to } = about
  if (language === 'zh_CN') {
    const payment = `${network} 上的付款 ${amount} ${symbol}（${recipients === undefined ? `至 ${to}` : `共 ${recipients} 个收款地址`}）`
    return purpose === 'cancel' ? `${initiator.name} 申请取消${payment}` : `${initiator.name} 申请以最高 ${fee} ${fee_symbol} 的手续费加速${payment}`
  }
  const payment = `the payment of ${amount} ${symbol} to ${recipients === undefined ? to : `${recipients} recipients`} on ${network}`
  return purpose === 'cancel'
    ? `${initiator.name} asks to cancel ${payment}`
    : `${initiator.name} asks to allow a fee of up to ${fee} ${fee_symbol} for ${payment}`
}

type Claimed = { amount: string; symbol: string; network: string; name: string; comment: string | null }

/** A claim of a held payment, in one sentence. */
export function claimTitle({ amount, symbol, network, name, comment }: Claimed, language: Language): string {
  if (language === 'zh_CN')
    return `${name} 提出：${network} 上暂挂的 ${amount} ${symbol} ${comment === null ? '不属于任何有附言的付款人' : `应附的附言为 ${comment}`}`
  return `${name} says of ${amount} ${symbol} held on ${network}: ${comment === null ? 'it is of nobody who has a comment' : `its comment should be ${comment}`}`
}
