import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about staking and resources on TRON. */
export const resourceErrors = defineErrors({
  tron_no_data: entry('200163', 'silent', 'TRON has no data for this query. Check the address or the period.', '未查询到 TRON 数据。请检查地址或时间范围。'),
  tron_insufficient_fee: entry('200164', 'silent', 'There is not enough TRX for the fee. Top up the fee wallet.', 'TRX 手续费不足。请为手续费钱包充值。'),
  tron_duplicate_request: entry('200166', 'silent', 'This TRON request has already been sent. Wait for its result.', '该 TRON 请求已提交。请等待结果。'),
})
