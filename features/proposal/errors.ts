import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about what people are asked to decide. */
export const proposalErrors = defineErrors({
  order_not_found: entry('210003', 'toast', 'This order does not exist, or you may not see it. Check the number.', '该订单不存在或您无权查看。请检查编号。'),
  approval_expired: entry('300004', 'toast', 'The time to approve has passed. Ask for a new order.', '审批已过期。请重新发起订单。'),
})
