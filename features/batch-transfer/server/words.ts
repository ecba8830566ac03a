import { type Language, systemErrors } from '@holdfast/contract'
import { networkErrors } from '@holdfast/features/network/errors'
import { policyErrors } from '@holdfast/features/policy/errors'
import { withdrawalErrors } from '@holdfast/features/withdrawal/errors'
import type { LineFault, LineWarning } from './read-lines.ts'

/** The code of each fault: that of the refusal of one payment with it. */
const CODES: Record<LineFault, string> = {
  address_missing: networkErrors.invalid_transfer_address.code,
  address_wrong: networkErrors.invalid_transfer_address.code,
  address_case: networkErrors.invalid_transfer_address.code,
  address_other_network: networkErrors.invalid_transfer_address.code,
  address_own: withdrawalErrors.transfer_to_self.code,
  address_lost: policyErrors.strategy_blocked.code,
  amount_missing: systemErrors.amount_error.code,
  amount_wrong: systemErrors.amount_error.code,
  amount_precision: systemErrors.exceeds_precision.code,
  amount_small: systemErrors.amount_error.code,
  memo_unknown: systemErrors.invalid_parameters.code,
  memo_long: systemErrors.invalid_parameters.code,
  memo_missing: systemErrors.invalid_parameters.code,
  memo_wrong: systemErrors.invalid_parameters.code,
  cells_many: systemErrors.invalid_parameters.code,
}

const FAULTS: Record<Language, Record<LineFault, string>> = {
  en_US: {
    address_missing: 'The address is missing.',
    address_wrong: 'This is not a valid address on this network. Check that you copied all of it.',
    address_case: "The address's upper and lower case letters do not match its checksum. Copy it again from its source.",
    address_other_network: 'This address belongs to another network. Ask for one on this network.',
    address_own: 'The line pays the paying address itself.',
    address_lost: 'Nobody could ever spend anything sent to this address. No signer signs this.',
    amount_missing: 'The amount is missing.',
    amount_wrong: 'The amount is not a positive number. Use digits, a decimal point if needed, and no thousands separators.',
    amount_precision: 'The amount has more decimals than the coin.',
    amount_small: "The amount is below the network's minimum.",
    memo_unknown: 'The network does not support memos. Leave it empty.',
    memo_long: 'The memo is longer than the network allows.',
    memo_missing: 'This address needs a memo. Without it nobody would be credited.',
    memo_wrong: 'Nobody has this memo at the shared address.',
    cells_many: 'The line has more cells than there are columns. Put text that contains commas in quotation marks.',
  },
  zh_CN: {
    address_missing: '缺少收款地址。',
    address_wrong: '不是该网络的有效地址。请检查是否完整复制。',
    address_case: '地址大小写与校验和不符。请从来源重新复制。',
    address_other_network: '这是其他网络的地址。请提供本网络的地址。',
    address_own: '收款地址与付款地址相同。',
    address_lost: '转入该地址的资产永远无法取出，签名方不会签名。',
    amount_missing: '缺少金额。',
    amount_wrong: '金额不是正数。请只写数字，小数用点，千位不加分隔符。',
    amount_precision: '金额小数位超过该币种精度。',
    amount_small: '金额低于网络可转发的最小值。',
    memo_unknown: '该网络不支持标签，请留空。',
    memo_long: '标签超出网络允许的长度。',
    memo_missing: '该地址须附标签，否则无法入账。',
    memo_wrong: '该共用地址没有此标签。',
    cells_many: '该行单元格多于列数。含逗号的文本请加引号。',
  },
}

const WARNINGS: Record<Language, Record<LineWarning, string>> = {
  en_US: {
    duplicate: 'A line before it pays the same address.',
    lookalike: 'The address looks like another one that is known or stands in the file, and is not it.',
    contract: 'A contract runs at this address, or the network did not say.',
    first_seen: 'This address was never paid before.',
  },
  zh_CN: {
    duplicate: '前面已有一行向同一地址付款。',
    lookalike: '与已知地址或文件中其他地址相似，但并非同一地址。',
    contract: '该地址为合约地址，或网络未能确认。',
    first_seen: '从未向该地址付过款。',
  },
}

export const faultView = (fault: LineFault, language: Language) => ({ code: CODES[fault], msg: FAULTS[language][fault] })
export const warningView = (kind: LineWarning, language: Language) => ({ kind, msg: WARNINGS[language][kind] })

/** Why a batch is not put before people. */
export const REASONS = {
  en_US: {
    wrong: (count: number) => `${count} of its lines are wrong`,
    empty: 'none of its lines can be paid',
    noContract: 'no contract pays many on this network, choose one by one',
    notTogether: 'no two of its lines can be paid by one transaction, choose one by one',
    notDeployed: 'the contract that pays many does not stand on this network yet, have it deployed first',
    allowanceLow: 'the contract may take less of the token than the lines pay, ask for an allowance first',
    allowanceInUse: 'another batch of this sub-wallet is being paid by the same allowance, wait for its end',
    untold: 'the network does not say now whether the contract can pay, try again in a moment',
  },
  zh_CN: {
    wrong: (count: number) => `有 ${count} 行有误`,
    empty: '没有可支付的行',
    noContract: '该网络没有批量付款合约，请选择逐笔支付',
    notTogether: '没有可合并到同一笔交易的行，请选择逐笔支付',
    notDeployed: '该网络尚未部署批量付款合约，请先部署',
    allowanceLow: '合约可用的代币授权额度少于各行合计，请先申请授权',
    allowanceInUse: '该子钱包的另一批次正在使用同一授权额度，请等待其结束',
    untold: '网络暂时无法确认合约能否付款，请稍后重试',
  },
}

type Titled = { name: string; amount: string; symbol: string; lines: number; network: string }

/** A batch that people are asked for, in one sentence. */
export function titleOf({ name, amount, symbol, lines, network }: Titled, language: Language): string {
  return language === 'zh_CN'
    ? `${name} 申请在 ${network} 上批量付款 ${amount} ${symbol}，共 ${lines} 行`
    : `${name} asks to pay ${amount} ${symbol} in a batch of ${lines} lines on ${network}`
}
