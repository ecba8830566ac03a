import type { Language } from '@holdfast/contract'
import type { TransactionKind } from '@holdfast/features/transaction/contract'
import type { Moment } from '@holdfast/features/transaction/server'

type Words = {
  /** Of what is over as it should be, and of everything else: a receipt of something unpaid must not look like one of a payment. */
  titles: Record<TransactionKind, { done: string; open: string }>
  /** The same of what is neither a payment nor a deposit, by what it is called. */
  otherTitles: { done(kind: string): string; open(kind: string): string }
  number(id: string): string
  issued(time: string): string
  /** Of an order about a payment: instead of an amount, and what it is none of. */
  paysNobody: string
  aboutPayment: string
  asOf(state: string, time: string): string
  worth(value: string, moment: Moment): string
  facts: string
  recipients: string
  several(count: number): string
  approvals: string
  timeline: string
  proof: string
  to: string
  from: string
  /** The labels of its facts, where no column of an export has the word. */
  time: Record<TransactionKind, string>
  contract(address: string): string
  block(height: string): string
  lookUp(link: string): string
  feePaid: string
  feeCap: string
  decisions: Record<'approved' | 'rejected' | 'waiting', string>
  /** Who decided for somebody. */
  inPlace(name: string): string
  forOther(name: string, other: string): string
  needed(done: number, need: number, policy: number, rule: string): string
  order: string
  organisation: string
  evidence: string
  digest(sha256: string): string
  noEvidence: string
  code: string
  verify: string
  depositProof: string
  foot(organisation: string, time: string, person: string): string
}

const EN_MOMENTS: Record<Moment, string> = {
  asked: 'when it was requested',
  paid: 'when it was paid',
  inBlock: 'when it had its block',
  seen: 'when it was first seen',
}
const ZH_MOMENTS: Record<Moment, string> = { asked: '发起时', paid: '付款时', inBlock: '入块时', seen: '首次发现时' }

/** The words of a receipt that neither an export nor the console has; what the glossary names is called as there. */
export const RECEIPT_WORDS: Record<Language, Words> = {
  en_US: {
    titles: {
      withdraw: { done: 'Payment receipt', open: 'A payment that is not completed' },
      deposit: { done: 'Deposit receipt', open: 'A deposit that is not credited' },
      pull: { done: 'Allowance spend', open: 'Allowance spend, not final' },
    },
    otherTitles: { done: (kind) => `Receipt: ${kind}`, open: (kind) => `${kind}: not completed` },
    number: (id) => `No. ${id}`,
    issued: (time) => `Issued ${time}`,
    paysNobody: 'No amount: this order pays nobody',
    aboutPayment: 'This sheet is about an order to change a pending payment. It is no receipt of that payment, which has one of its own.',
    asOf: (state, time) => `${state}, as of ${time}`,
    worth: (value, moment) => `Worth ${value} ${EN_MOMENTS[moment]}`,
    facts: 'Details',
    recipients: 'Recipients',
    several: (count) => `${count} recipients, listed below`,
    approvals: 'Approvals',
    timeline: 'Timeline',
    proof: 'Verify it',
    to: 'To',
    from: 'From',
    time: { withdraw: 'Requested', deposit: 'First seen', pull: 'First seen' },
    contract: (address) => `Token contract ${address}`,
    block: (height) => `Block ${height}`,
    lookUp: (link) => `Look it up: ${link}`,
    feePaid: 'Network fee',
    feeCap: 'Network fee, at most',
    decisions: { approved: 'approved', rejected: 'rejected', waiting: 'has not decided' },
    inPlace: (name) => `by ${name} in their place`,
    forOther: (name, other) => `${name} for ${other}`,
    needed: (done, need, policy, rule) => `${done} of ${need}, by version ${policy} of the policy, rule ${rule}`,
    order: 'Fingerprint of the order',
    organisation: 'Fingerprint of the organisation',
    evidence: 'Evidence bundle',
    digest: (sha256) => `SHA-256 ${sha256}`,
    noEvidence: 'none: the signers have not signed',
    code: 'The code holds the fingerprints beside it, so that nobody has to type them.',
    verify:
      'This sheet says what the server knows and proves nothing. The evidence bundle does: it holds the order, the approvals, the policy and the signature, and anybody can verify it offline with verify-evidence and the fingerprint of the organisation.',
    depositProof:
      'This sheet says what the server knows and proves nothing. The transaction id names the transaction on its network, where anybody can read it.',
    foot: (organisation, time, person) => `${organisation} · written ${time} for ${person} · page {page} of {pages}`,
  },
  zh_CN: {
    titles: {
      withdraw: { done: '付款回单', open: '未完成的付款' },
      deposit: { done: '充值回单', open: '未入账的充值' },
      pull: { done: '授权转出', open: '授权转出（未最终确认）' },
    },
    otherTitles: { done: (kind) => `${kind}回单`, open: (kind) => `未完成的${kind}` },
    number: (id) => `编号 ${id}`,
    issued: (time) => `出具时间 ${time}`,
    paysNobody: '无金额：此订单不向任何人付款',
    aboutPayment: '本单说明的是对一笔待确认付款的变更，不是该付款的回单；该付款另有回单。',
    asOf: (state, time) => `${state}（截至 ${time}）`,
    worth: (value, moment) => `${ZH_MOMENTS[moment]}价值 ${value}`,
    facts: '交易明细',
    recipients: '收款方',
    several: (count) => `${count} 个收款方，见下表`,
    approvals: '审批',
    timeline: '经过',
    proof: '核验',
    to: '收款方',
    from: '付款方',
    time: { withdraw: '发起时间', deposit: '首次发现时间', pull: '首次发现时间' },
    contract: (address) => `代币合约 ${address}`,
    block: (height) => `区块 ${height}`,
    lookUp: (link) => `查询：${link}`,
    feePaid: '网络手续费',
    feeCap: '网络手续费上限',
    decisions: { approved: '已批准', rejected: '已拒绝', waiting: '未表态' },
    inPlace: (name) => `由 ${name} 代为决定`,
    forOther: (name, other) => `${name}（代 ${other}）`,
    needed: (done, need, policy, rule) => `${done} / ${need}，依据策略第 ${policy} 版，规则 ${rule}`,
    order: '订单指纹',
    organisation: '组织指纹',
    evidence: '证据包',
    digest: (sha256) => `SHA-256 ${sha256}`,
    noEvidence: '无：签名方尚未签名',
    code: '二维码包含右侧所列指纹，无需手工输入。',
    verify: '本回单仅陈述服务器所知，本身不构成证明。证据包才是证明：其中包含订单、审批、策略和签名，任何人都可以凭组织指纹用 verify-evidence 离线核验。',
    depositProof: '本回单仅陈述服务器所知，本身不构成证明。交易哈希指明链上的交易，任何人都可以在相应网络上查阅。',
    foot: (organisation, time, person) => `${organisation} · 于 ${time} 为 ${person} 出具 · 第 {page} 页，共 {pages} 页`,
  },
}
