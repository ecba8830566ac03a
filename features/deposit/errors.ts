import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about deposits and about whose they are. */
export const depositErrors = defineErrors({
  own_claim: entry(
    '300180',
    'toast',
    'The person who identified the owner cannot confirm or refuse it. Ask another person to decide.',
    '提出归属的人不能自行确认或拒绝。请由另一位成员决定。',
  ),
  deposit_not_final: entry(
    '300181',
    'toast',
    'The block of this payment is not final yet. Confirm it once it has all its confirmations.',
    '该笔转账所在区块尚未最终确认。请在确认数满足后再操作。',
  ),
  crediting_halted: entry(
    '300182',
    'toast',
    'The ledger of this coin does not balance, so nothing is credited in it right now. Try again once that is resolved; see the network status.',
    '该币种账目不平，暂不入账。请在问题解决后重试，详见网络状态。',
  ),
})
