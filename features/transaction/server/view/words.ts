import type { Language } from '@holdfast/contract'
import { timeInWords } from '@holdfast/intent'

/** What an order or a deposit waits for, by its sub-status. Where one is missing, the state has nothing to wait for. */
const WAITS: Record<string, Record<Language, string>> = {
  waiting_co_signer: {
    en_US: 'Signed in turn, after earlier payments of its wallet, as soon as two signers are connected.',
    zh_CN: '按顺序签名：同一钱包较早的付款优先，且需两个签名方在线。',
  },
  waiting_third_signer: {
    en_US: 'A signer is not answering. Payments continue when it is back, or when the people who govern declare it away.',
    zh_CN: '有签名方没有答复。待其恢复后，或策略审批人批准其离线授权后，付款继续进行。',
  },
  waiting_freeze: {
    en_US: 'Signing is stopped. The order continues once the people who govern lift the freeze, as long as its approvals are still valid.',
    zh_CN: '签名已被紧急冻结。待策略审批人批准解除冻结后，若审批仍有效，订单将自动继续。',
  },
  waiting_screening: { en_US: "Waiting for a screener's risk result, as its rule requires.", zh_CN: '等待规则要求的风险筛查结果。' },
  queued_nonce: { en_US: 'Queued behind an earlier order of the same address.', zh_CN: '排在同一地址的前一笔订单之后。' },
  waiting_resources: {
    en_US:
      'Waiting until its address has been lent the energy that the payment needs. The TRON agent shows the progress; if it is switched off for this address, the payment burns TRX.',
    zh_CN: '等待付款地址获得本次付款所需的能量。进度见 TRON 代理页面；对该地址关闭自动代理后，将改为燃烧 TRX 付款。',
  },
  waiting_carrier: { en_US: 'Signed. Waiting for the transaction that carries it.', zh_CN: '已签名，等待交易将其载入。' },
  signing: { en_US: 'Two signers are checking and signing the order.', zh_CN: '两个签名方正在核对并签名。' },
  co_signer_fault: { en_US: 'A signing session failed and is being retried.', zh_CN: '一次签名会话失败，正在重试。' },
  co_signer_not_ready: { en_US: 'A signer is not ready for this order yet; it will be asked again.', zh_CN: '有签名方尚未就绪，将再次请求。' },
  build_failed: {
    en_US: 'The transaction cannot be built. It is retried until the order expires, and the order can be cancelled.',
    zh_CN: '无法构建交易。订单到期前会继续尝试，也可以撤回。',
  },
  sources_disagree: {
    en_US: "This network's sources disagree on what is final. Nothing is signed or booked until they agree; see the network status.",
    zh_CN: '该网络的数据源对最终区块不一致。在一致之前不会签名或入账，详见网络状态。',
  },
  books_broken: {
    en_US: 'The ledger of this coin does not balance. Nothing is credited or paid in it until someone has found out why; see the network status.',
    zh_CN: '该币种账目不平。在查明原因之前不会入账或付款，详见网络状态。',
  },
  comment_missing: {
    en_US: 'Held: it arrived without a comment at an address that several payers share, so its owner is unknown. It is on the chain but not credited.',
    zh_CN: '已暂挂：该地址由多位付款人共用，转账未附附言，无法确定归属。资金在链上，未计入任何账户。',
  },
  comment_unknown: {
    en_US: 'Held: its comment is not one of those of the shared address it arrived at, so its owner is unknown. It is on the chain but not credited.',
    zh_CN: '已暂挂：附言与该共用地址的任何附言都不匹配，无法确定归属。资金在链上，未计入任何账户。',
  },
  amount_too_large: {
    en_US: 'Held: its token reports an amount too large for any ledger. Such a token can report anything; nothing is credited.',
    zh_CN: '已暂挂：代币声明的金额超出可记账范围。此类代币的声明不可信，不会入账。',
  },
  uneven_token: {
    en_US: 'Held: this token is marked as one whose balances differ from its transfers. It is on the chain but not credited.',
    zh_CN: '已暂挂：该代币已标记为余额与日志不符。资金在链上，未计入任何账户。',
  },
  not_booked: {
    en_US: 'It is final but could not be booked. It is retried with every block; see the network status for the reason.',
    zh_CN: '区块已最终确认，但入账失败。每个新区块都会重试，原因见网络状态。',
  },
  never_there: {
    en_US: "One of the network's sources reported this payment, but the others do not have it. Nothing was credited.",
    zh_CN: '该网络的一个数据源报告了此笔充值，其他数据源均无此笔。未入账。',
  },
  needs_attention: {
    en_US: 'Needs attention: the server could not continue with it. Other orders are not affected.',
    zh_CN: '需要处理：服务器无法继续处理该订单，其他订单不受影响。',
  },
  node_unavailable: { en_US: "This network's node is not answering. Retrying.", zh_CN: '该网络节点无响应，正在重试。' },
  cheat_detected: {
    en_US: 'A signer reports that another signer cheated. Nothing continues until a person has investigated.',
    zh_CN: '有签名方报告另一方作弊。在人工核查之前，订单不会继续。',
  },
  signature_unclear: {
    en_US: 'A signature may exist that was never delivered. The funds stay reserved until a person has investigated.',
    zh_CN: '可能存在一个未送达的签名。在人工核查之前，资金保持冻结。',
  },
  slot_blocked: {
    en_US: 'Two signers have bound the nonce or coins of this order to another order. A person must investigate.',
    zh_CN: '两个签名方已将该订单要占用的 Nonce 或 UTXO 绑定到其他订单，需要人工处理。',
  },
  broadcasting: { en_US: 'Signed; being sent to the network.', zh_CN: '已签名，正在发送到网络。' },
  broadcast_unknown: {
    en_US: 'Sent; it is not known yet whether the network accepted it. The same bytes are sent again.',
    zh_CN: '已发送，网络是否接收尚不确定，将重发相同的交易。',
  },
  speeding_up: { en_US: 'A transaction with a higher fee is being signed.', zh_CN: '手续费更高的交易正在签名。' },
  replaced_by: { en_US: 'A transaction with a higher fee is being sent to the network.', zh_CN: '手续费更高的交易正在发送到网络。' },
  replacement_failed: {
    en_US: 'It could not be sped up or cancelled; the payment continues as before.',
    zh_CN: '未能加速或取消；付款照常进行。',
  },
  mempool: { en_US: 'The network has it; waiting for a block.', zh_CN: '网络已接收，等待打包。' },
  reorg_recheck: { en_US: 'The chain was reorganised. The same bytes are sent again.', zh_CN: '链发生重组，将重发相同的交易。' },
}

const PHRASES = {
  en_US: {
    confirming: (done: number, need: number) => `${done} of ${need} confirmations.`,
    cooling: (until: string) => `Has its approvals. It waits until ${until}, as its rule says, and can be stopped at the approval page until then.`,
    approve: (missing: number, names: string) => `Needs ${missing} more ${missing === 1 ? 'approval' : 'approvals'} from: ${names}.`,
    claim: (asker: string, names: string) =>
      `Held: ${asker} says whose it is. ${names === '' ? 'Nobody else may decide that yet.' : `It is credited once another person confirms it: ${names}.`}`,
    separator: ', ',
  },
  zh_CN: {
    confirming: (done: number, need: number) => `已确认 ${done} / ${need}。`,
    cooling: (until: string) => `已获所需审批。按规则等待至 ${until}，此前可在审批页叫停。`,
    approve: (missing: number, names: string) => `还需 ${missing} 人审批，可审批人：${names}。`,
    claim: (asker: string, names: string) => `已暂挂：${asker}已提出归属。${names === '' ? '目前没有其他人可以确认。' : `需由另一人确认后入账：${names}。`}`,
    separator: '、',
  },
}

export function waitText(subStatus: string, language: Language): string {
  return (Object.hasOwn(WAITS, subStatus) && WAITS[subStatus]?.[language]) || ''
}

/** Until when an order waits after its last approval, to the second. */
export function coolingText(untilMs: bigint, language: Language): string {
  return PHRASES[language].cooling(timeInWords(untilMs - (untilMs % 1000n)))
}

export function confirmingText(done: number, need: number, language: Language): string {
  return PHRASES[language].confirming(done, need)
}

/** What was said of a held payment, and who decides it. */
export function claimText({ askedBy, who }: { askedBy: string; who: readonly { name: string }[] }, language: Language): string {
  const phrases = PHRASES[language]
  return phrases.claim(askedBy, who.map(({ name }) => name).join(phrases.separator))
}

export function approveText(missing: number, names: readonly string[], language: Language): string {
  return PHRASES[language].approve(missing, names.join(PHRASES[language].separator))
}
