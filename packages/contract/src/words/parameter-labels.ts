import type { Language } from '../define-errors.ts'

/** What the forms of the console call the parameters of calls. */
const LABELS: Record<string, Record<Language, string>> = {
  abi: { en_US: 'ABI', zh_CN: 'ABI' },
  address: { en_US: 'Address', zh_CN: '地址' },
  address_to: { en_US: 'Destination', zh_CN: '收款地址' },
  alias: { en_US: 'Name', zh_CN: '名称' },
  amount: { en_US: 'Amount', zh_CN: '金额' },
  category: { en_US: 'Category', zh_CN: '分类' },
  chain: { en_US: 'Network', zh_CN: '网络' },
  contract_address: { en_US: 'Contract', zh_CN: '合约' },
  data: { en_US: 'Call data', zh_CN: '调用数据' },
  drill: { en_US: 'Drill record', zh_CN: '演练记录' },
  expire_hours: { en_US: 'Approval deadline', zh_CN: '审批期限' },
  form: { en_US: 'Form', zh_CN: '表单' },
  gross: { en_US: 'Deduct fee from amount', zh_CN: '从金额中扣除手续费' },
  keyword: { en_US: 'Search', zh_CN: '搜索' },
  label: { en_US: 'Name', zh_CN: '名称' },
  lock_blocks: { en_US: 'Lock, in blocks', zh_CN: '锁定区块数' },
  max_fee: { en_US: 'Maximum fee', zh_CN: '手续费上限' },
  memo: { en_US: 'Memo', zh_CN: '附言' },
  name: { en_US: 'Name', zh_CN: '名称' },
  nick_name: { en_US: 'Name', zh_CN: '名称' },
  note: { en_US: 'Note', zh_CN: '备注' },
  outputs: { en_US: 'Recipients', zh_CN: '收款方' },
  receiver: { en_US: 'Recipient address', zh_CN: '对方地址' },
  remark: { en_US: 'Remark', zh_CN: '备注' },
  sub_wallet_id: { en_US: 'Sub-wallet', zh_CN: '子钱包' },
  sub_wallet_name: { en_US: 'Sub-wallet name', zh_CN: '子钱包名称' },
  symbol: { en_US: 'Coin', zh_CN: '币种' },
  tags: { en_US: 'Tags', zh_CN: '标签' },
  token_id: { en_US: 'Token', zh_CN: '代币编号' },
  url: { en_US: 'Webhook URL', zh_CN: '回调地址' },
  user_id: { en_US: 'Person', zh_CN: '成员' },
  wallet_id: { en_US: 'Wallet', zh_CN: '钱包' },
  wallet_name: { en_US: 'Wallet name', zh_CN: '钱包名称' },
}

/** What people read in place of the name of a parameter: its label, or else its own words. A part of a list is told by the parameter that holds it. */
export function labelOfParameter(name: string, language: Language): string {
  const [whole = ''] = name.split('.')
  if (Object.hasOwn(LABELS, whole)) return LABELS[whole]?.[language] ?? whole
  const words = whole.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
