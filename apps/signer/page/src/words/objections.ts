import { POLICY_FAULTS, type Said, sayInChinese } from '@holdfast/policy/policy-faults'
import { STANDING_FAULTS } from '@holdfast/policy/standing-faults'

/**
 * What another signer has against an order. It signs its sentence in English (`apps/signer/src/calls/attest-order.ts`), so that everybody can hold it to the same
 * words; whoever reads Chinese is told it in Chinese.
 */
const OBJECTIONS: readonly Said[] = [
  ['it holds another policy', '该签名方持有另一策略'],
  ['made under policy version {}; version {} is in force', '订单基于策略第 {} 版，现行版本为第 {} 版'],
  ['names another policy than the one of version {}', '订单所指的策略与第 {} 版不符'],
  ['the policy has expired: accept its next version', '策略已过期，请先使下一版本生效'],
  ['the order is not open yet', '订单尚未生效'],
  ['the order has expired', '订单已过期'],
  ['frozen by {}: no reason given (freeze {})', '{} 已停止一切签名，未说明原因（冻结 {}）'],
  ['frozen by {}: {} (freeze {})', '{} 已停止一切签名，原因：{}（冻结 {}）'],
  ['the order describes an asset as the policy does not', '订单对资产的描述与策略不一致'],
  ['this signer cannot read transactions of a network of the standing order', '该签名方无法解读长期授权所涉网络的交易'],
  ['this signer cannot read transactions of {}', '该签名方无法解读 {} 的交易'],
  ["rejected at a signer's approval page", '已在某签名方的审批页面被拒绝'],
  ['this signer signs with epoch {} of the key, not with epoch {}', '该签名方使用密钥的第 {} 代分片，而非第 {} 代'],
  ['this signer signs with epoch {} of key {}; the request is for epoch {}', '该签名方使用第 {} 代分片（密钥 {}），而所请求的是第 {} 代'],
  ['this signer holds no share of key {} in epoch {}', '该签名方没有密钥 {} 的第 {} 代分片'],
  ['this signer holds no share of the key that it could deal from', '该签名方没有可用于生成新分片的密钥分片'],
  ['this signer has not lost its share of the key', '该签名方并未丢失其密钥分片'],
  ['unknown action {}', '未知的操作：{}'],
  ['epoch {} does not follow epoch {}', '第 {} 代不是第 {} 代的下一代'],
  ['refresh needs {} different signers that deal, in ascending order', '更换分片须由 {} 个不同的签名方按升序参与'],
  ['repair needs {} different signers that deal, in ascending order', '修复分片须由 {} 个不同的签名方按升序参与'],
  ['the order is open at no time at which it may be followed', '订单没有可以执行的时间'],
  ['a key that is retired is sealed to nobody', '停用密钥的订单不应列明接收人'],
  ['an export names recipients for two signers or three, in ascending order', '导出订单须按升序列明两个或三个签名方的接收人'],
  ['an export names a signer without anybody to seal its share to', '导出订单列明了没有接收人的签名方'],
  ['this signer is not away', '该签名方并未离线'],
  ['the time for which the signer was said to be away is over', '所称的离线时间已过'],
  ['this order was followed before, and signer {} has been back since', '此订单此前已执行，签名方 {} 此后已恢复在线'],
  ['there is no signer {}', '没有签名方 {}'],
  ['the signer would be away at no time', '所列的离线时间为空'],
  ['a signer is said to be away for 30 days at most', '签名方最多可被列为离线 30 天'],
  ['the order names no freeze', '订单没有列明任何冻结'],
  ['the order names a freeze of another organisation', '订单列明了另一组织的冻结'],
  ['the order changes no entry', '订单没有变更任何条目'],
  ['the whitelist begins with version 1', '白名单自第 1 版开始'],
  ['the first version of the whitelist follows no other, and every later one does', '白名单第 1 版没有上一版，其后各版均须有上一版'],
  ['the order names an entry twice', '订单重复列明同一条目'],
  ['the order names an entry without a name or an address', '订单列明了没有名称或地址的条目'],
  ['the order adds an entry without a network, or names a network or a list twice', '订单加入的条目没有网络，或重复列明网络或列表'],
  ['the order adds an entry with an empty memo', '订单加入的条目带有空标签'],
  ['the order adds an address twice', '订单重复加入同一地址'],
  ['the whitelist has an entry {} already', '白名单中已有条目 {}'],
  ['the whitelist has no entry {} that could be taken off', '白名单中没有可移出的条目 {}'],
  ['the entry {} that is taken off is another than the order says', '要移出的条目 {} 与订单所述不符'],
  ['the whitelist has this address already, as entry {}', '白名单中已有此地址，条目为 {}'],
  ['the whitelist would have {} entries, and has at most {}', '白名单将有 {} 个条目，最多允许 {} 个'],
  ['this signer is at version {} of the whitelist: bring it the ones before version {}', '该签名方的白名单为第 {} 版，请先提供第 {} 版之前的版本'],
  ['this signer is at version {} of the whitelist, which this order does not follow', '该签名方的白名单为第 {} 版，此订单不是其下一版'],
  ['this signer cannot read addresses of {}', '该签名方无法解读 {} 的地址'],
  ["{} is no address of {} in the network's own spelling", '{} 不是 {} 的规范地址'],
  ['version {} of this standing order is in force, which version {} does not follow', '该长期授权的第 {} 版正在生效，第 {} 版不能取代它'],
  ['there are {} standing orders, and there can be {} at most', '现有 {} 项长期授权，最多允许 {} 项'],
  ['the standing order describes an asset as the policy does not', '长期授权对资产的描述与策略不一致'],
  ['{} is no address of these networks in their own spelling', '{} 不是这些网络的规范地址'],
]

const DENIED = 'the policy denies the order: '
const inChinese = sayInChinese([...OBJECTIONS, ...POLICY_FAULTS, ...STANDING_FAULTS])

/** An objection in Chinese. `denials` are the reasons of policies by code. A sentence that is not known here stands as the signer signed it. */
export function objectionInChinese(said: string, denials: Readonly<Record<string, string>>): string {
  const denied = said.startsWith(DENIED) ? denials[said.slice(DENIED.length)] : undefined
  return denied ?? inChinese(said) ?? `（签名方原文）${said}`
}
