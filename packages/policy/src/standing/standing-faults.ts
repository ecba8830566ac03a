import type { Said } from '../policy-faults.ts'

/** Why a standing order cannot be (`standingOrderFault`), or does not cover a transfer (`faultUnderStanding`). */
export const STANDING_FAULTS: readonly Said[] = [
  ['a standing order begins with version 1', '长期授权的版本从 1 开始'],
  ['the standing order has no name', '长期授权没有名称'],
  ['the standing order names no wallet that pays, or one twice', '长期授权没有列明付款钱包，或有重复'],
  ['the standing order names no asset, or one twice', '长期授权没有列明资产，或有重复'],
  ['the standing order lets no amount of an asset be moved', '长期授权对某资产允许的金额为空'],
  ['the standing order bounds a fee by nothing, or in something else than a coin', '长期授权的手续费上限为空，或不是以主币计'],
  ['the standing order bounds the fees of a network twice', '长期授权对同一网络重复设置手续费上限'],
  ['the standing order does not bound the fees of a network', '长期授权没有为某个网络设置手续费上限'],
  ['the standing order excludes no address, or one twice', '长期授权的排除地址为空或重复'],
  ['a standing order is in force for {} days at most, and for some time', '长期授权的有效期须大于零且最长 {} 天'],
  ['the order is open at no time at which it may be followed', '该授权没有可供审批的时间'],
  ['the standing order does not bound how many transfers it makes in a time', '长期授权没有限制一段时间内的转账笔数'],
  ['the standing order has a limit for each {}', '长期授权含有按 {} 统计的限额，不受支持'],
  ['the standing order has a limit over no time', '长期授权有限额没有时间范围'],
  ['the standing order has a limit that counts something else than transfers and their amounts', '长期授权的限额只能统计笔数和金额'],
  ['the standing order has a limit that limits nothing', '长期授权有限额未作任何限制'],
  ['a limit of the standing order names an asset twice', '长期授权的限额中有资产重复'],
  ['a limit of the standing order names other assets than those that are moved', '长期授权的限额所列资产与所转资产不一致'],
  ['the standing order does not name one address to move to on each network', '长期授权须为每个网络指定一个归集地址'],
  ['the standing order moves to an address that it does not name', '长期授权的归集地址为空'],
  ["fees are paid in a network's own coin, and the standing order sends something else", '手续费以网络主币支付，而长期授权补充的是其他资产'],
  ['the standing order names no wallet that gets coins, or one twice', '长期授权没有列明补充主币的钱包，或有重复'],
  ['the standing order sends coins to the addresses that they come from', '长期授权的付款钱包与补充主币的钱包重叠'],
]
