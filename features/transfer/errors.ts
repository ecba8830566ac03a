import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about orders that a chain carries out. */
export const transferErrors = defineErrors({
  insufficient_balance: entry(
    '100011',
    'toast',
    'The available balance of the paying address does not cover the amount and the fee. Send less, pay from another address, or add funds first.',
    '付款地址的可用余额不足以支付金额和手续费。请减少金额、换用其他地址或先充值。',
  ),
  build_failed: entry(
    '120204',
    'toast',
    'The transaction could not be built: {reason}. Correct the order and try again.',
    '交易构建失败：{reason}。请修改订单后重试。',
  ),
  withdrawals_suspended: entry(
    '110227',
    'toast',
    'Withdrawals of this coin are suspended. Try again later; the notice on the wallet page says more.',
    '该币种已暂停提币。请稍后再试，详见钱包页公告。',
  ),
  fee_estimate_failed: entry(
    '200075',
    'toast',
    'The fee could not be estimated now. Wait a moment and try again, or set the fee yourself.',
    '暂时无法估算手续费。请稍后重试，或自行设置手续费。',
  ),
  signing_failed: entry(
    '200015',
    'toast',
    'The signers did not produce a signature. Open the order to see which check refused, then decide.',
    '签名方未完成签名。请打开订单查看是哪项检查拒绝，再做决定。',
  ),
  processing: entry('200025', 'toast', 'This is being processed. Wait until it is done; do not send it again.', '正在处理中。请等待完成，不要重复提交。'),
  coin_unavailable: entry(
    '300080',
    'toast',
    'The coin {coin} is spent, locked or reserved by another order. Reload the list of coins.',
    'UTXO {coin} 已不存在、已锁定或已被其他订单占用。请重新加载列表。',
  ),
  account_not_own: entry(
    '300091',
    'toast',
    'Someone else may be able to sign for the paying address on its network, so its funds are not safe. No orders can be made from it; find out who can sign for it.',
    '在其网络上，他人可为付款地址签名，其中的资产并不安全。不再从该地址发起任何订单；请立即查看谁在为其签名。',
  ),
  resume_refused: entry(
    '300041',
    'toast',
    'This order has expired or its policy was replaced, so no signer will sign it. It ends as soon as the chain shows what became of its nonce or coins; no action is needed.',
    '该订单已过期或其策略已被替换，签名方不会再签名。待链上确认其位置的去向后，订单会自动结束，无需操作。',
  ),
  replacement_open: entry(
    '300075',
    'toast',
    'This payment is already being sped up or cancelled. Wait for that, or withdraw it first.',
    '该付款正在加速或取消中。请等待其完成，或先撤回。',
  ),
  replacement_impossible: entry(
    '300076',
    'toast',
    'This payment cannot be replaced: {reason}. Check its current state.',
    '该付款无法替换：{reason}。请查看其最新状态。',
  ),
  no_acceleration: entry(
    '200071',
    'toast',
    'This network does not support speed-ups. Wait for the transaction, or cancel it if possible.',
    '该网络不支持加速。请等待交易确认，或在可取消时取消。',
  ),
  btc_acceleration_error: entry('200109', 'silent', 'This Bitcoin transaction cannot be sped up: {reason}.', '该比特币交易无法加速：{reason}。'),
})
