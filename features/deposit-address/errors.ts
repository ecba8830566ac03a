import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about addresses that deposits are paid to. */
export const depositAddressErrors = defineErrors({
  coin_address_exists: entry(
    '200011',
    'toast',
    'This wallet already has an address for the coin. Use it, or add another address from the address list.',
    '该钱包已有此币种地址。请直接使用，或在地址列表中新增。',
  ),
  deposits_closed: entry(
    '300024',
    'toast',
    'Deposits are closed until the recovery kit of this wallet has been verified. Verify the kit first.',
    '恢复包验证通过前，充值保持关闭。请先验证该钱包的恢复包。',
  ),
  too_many_addresses: entry(
    '300440',
    'toast',
    'There is room for {left} more addresses here. Ask for fewer, or use another sub-wallet or wallet.',
    '此处最多还可创建 {left} 个地址。请减少数量，或使用其他子钱包或钱包。',
  ),
  no_test_coins: entry('300301', 'toast', 'No test coins were sent: {reason}.', '未能发送测试币：{reason}。'),
})
