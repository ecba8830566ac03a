import { APPROVAL_REFUSALS, FREEZE_REFUSALS, WAITING_REFUSALS } from '@holdfast/policy'
import { PAGE_REFUSALS } from '../../../src/page/page-refused.ts'

/** All by which the page, its signer and the rules for signatures refuse, as logs have it in English. */
const REFUSALS = { ...APPROVAL_REFUSALS, ...FREEZE_REFUSALS, ...WAITING_REFUSALS, ...PAGE_REFUSALS }

export type RefusalCode = keyof typeof REFUSALS

export const enUsRefusals: Record<RefusalCode, string> = REFUSALS

export const zhCnRefusals = {
  'assertion-other-credential': '所用的凭证不是指定的凭证',
  'assertion-other-kind': '凭证类型 {credential} 与签名类型 {assertion} 不符',
  'assertion-other-challenge': '所签的不是本次的内容',
  'assertion-other-origin': '来源 {origin} 不是策略列明的审批页面来源',
  'assertion-other-relying-party': '通行密钥属于另一网站',
  'assertion-backup-changed': '通行密钥能否备份与登记时不同',
  'assertion-signature': '签名无法通过验证',
  'authenticator-cut-short': '身份验证器数据不完整',
  'authenticator-nobody-present': '身份验证器未确认有人在场',
  'authenticator-nobody-verified': '身份验证器未验证本人身份',
  'authenticator-odd-flags': '身份验证器数据带有签名中不应有的标志',
  'authenticator-odd-backup': '身份验证器称已备份，却又称不可备份',
  'authenticator-too-long': '身份验证器数据多于一次签名应有的内容',
  'client-other-act': '浏览器数据不属于一次身份验证',
  'client-framed': '签名时页面嵌在其他来源的框架中',
  'client-framed-page': '签名时页面嵌在其他来源的页面中',
  'client-incomplete': '浏览器数据缺少签名内容或来源',
  'client-not-plain': '浏览器数据的格式不符',
  'approval-other-organisation': '是为另一组织作出的',
  'approval-other-order': '是为另一订单作出的',
  'approval-other-policy': '是在另一策略版本下作出的',
  'approval-unknown-decision': '未知的决定：{decision}',
  'approval-unknown-language': '未知的语言：{language}',
  'approval-other-asset': '订单对资产的描述与策略不一致',
  'approval-other-words': '所显示的文字与订单的文字不同',
  'approval-out-of-time': '不是在订单有效期内签署的',
  'approval-by-stranger': '作出人不在策略之中',
  'approval-strange-key': '所用密钥不是 {name} 的密钥',
  'freeze-other-organisation': '是为另一组织作出的',
  'freeze-by-stranger': '作出人不在策略之中',
  'freeze-without-right': '{name} 既不是任何规则的审批人，也不是策略管理人',
  'freeze-strange-key': '所用密钥不是 {name} 的密钥',
  'waiting-strange-key': '策略中没有此密钥：尚未生效，或已失效',
  'waiting-out-of-time': '不是刚刚提出的查询，请核对设备的时钟',
  'moment-to-come': '所称的签名时间尚未到来，请核对设备的时钟',
  'moment-copied-key': '该通行密钥的计数自上次签名以来没有增加，可能存在副本。请重新签名；若再次被拒，请更换密钥',
  'page-no-object': '请求的内容不是对象。',
  'page-other-fields': '请求须恰好包含以下文本：{fields}。',
  'page-unreadable': '数据与其声称的内容不符。',
  'page-no-setup': '服务器没有给出创建资料。',
  'page-not-in-genesis': '服务器给出的创始文件没有列明本签名方，请勿确认。',
  'page-no-link': '服务器没有给出此链接的资料。',
  'page-strange-link': '本签名方没有保存此链接所属组织的创始文件。',
  'page-order-name': '订单须以 64 位十六进制数字指明。',
  'page-other-order': '服务器给出的订单与所请求的不一致。',
  'page-strange-order': '本签名方没有保存此订单所属组织的创始文件。',
  'page-earlier-policy': '此订单是在另一策略版本下发起的，与现行版本不同。请重新发起订单。',
  'page-challenge': '质询须为 64 位十六进制数字。',
  'page-strange-organisation': '本签名方没有保存该组织的创始文件。',
  'page-in-force': '此策略变更已经生效。',
  'page-too-late': '本签名方已告知其他签名方将执行此订单，此时拒绝为时已晚。',
  'page-server-silent': '服务器拒绝了此请求，且没有说明原因。',
} as const satisfies Record<RefusalCode, string>
