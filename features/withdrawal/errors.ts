import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about payments. */
export const withdrawalErrors = defineErrors({
  transfer_to_self: entry('3040006', 'toast', 'Sender and recipient are the same address. Choose another recipient.', '转出与转入地址相同。请更换收款地址。'),
  coins_locked: entry(
    '300081',
    'toast',
    'Of the available balance, {locked} {symbol} is in coins that are locked or carry inscriptions. Send less, or unlock coins first.',
    '可用余额中有 {locked} {symbol} 位于已锁定或带有铭文的 UTXO 中。请减少金额或先解锁。',
  ),
  inscription_unavailable: entry(
    '300085',
    'toast',
    'This inscription cannot be sent: it is not a valid BRC-20 transfer, it has moved, its block is not final, or its coin is reserved. Reload the list.',
    '该铭文无法转出：它不是有效的 BRC-20 转账铭文、已被转移、所在区块尚未最终确认，或其 UTXO 被占用。请重新加载列表。',
  ),
  inscription_needs_taproot: entry(
    '300086',
    'toast',
    'This wallet cannot create inscriptions: only a wallet with a taproot key can. Send an existing inscription.',
    '此钱包无法制作铭文：仅 taproot 密钥的钱包可以。请转出已有的铭文。',
  ),
  token_not_available: entry(
    '300087',
    'toast',
    'At most {available} {symbol} of this token can be inscribed; the rest is already in inscriptions, or unknown. Send less, or send those inscriptions.',
    '该代币可制作铭文的数量为 {available} {symbol}，其余已在铭文中或尚不明确。请减少金额，或转出已有铭文。',
  ),
  transaction_type_unsupported: entry(
    '200072',
    'toast',
    'This type of wallet cannot send this type of transaction. Choose another wallet.',
    '该类型钱包不支持此类交易。请选择其他钱包。',
  ),
  transaction_unsupported: entry(
    '200076',
    'toast',
    'This kind of transaction is not supported. Only kinds that can be decoded and shown in full are signed.',
    '不支持此类交易。系统只签署可完整解析和展示的交易。',
  ),
})
