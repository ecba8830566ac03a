import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about what people are asked to decide. */
export const proposalErrors = defineErrors({
  order_not_found: entry('210003', 'toast', 'This order does not exist, or you may not see it. Check the number.', '该订单不存在或您无权查看。请检查编号。'),
  approval_expired: entry('300004', 'toast', 'The time to approve has passed. Request a new order.', '审批已过期。请重新发起订单。'),
  screening_too_late: entry(
    '300433',
    'toast',
    'This order has already been signed or ended, or the policy has changed since: screening results no longer count.',
    '该订单已签署、已结束，或策略在此之后已变更：筛查结果不再有效。',
  ),
  everybody_absent: entry(
    '300431',
    'toast',
    'Everyone this is waiting for is out of office: {names}. Ask their contacts, or wait until they are back.',
    '等待审批的人员均已外出：{names}。请联系其指定的联系人，或等待其返回。',
  ),
  delegation_over: entry(
    '300432',
    'toast',
    'You cannot currently decide for this person: the period is over or has not started, or the person ended it. Decide for yourself if you are asked to, or ask them.',
    '您目前不能代其审批：代审批期限已过、尚未开始，或已由本人结束。如也需您本人审批，请以自己的名义审批，或与其联系。',
  ),
  decide_on_page: entry(
    '300430',
    'toast',
    'A decision is signed with your own key, which no call can do for you. Open {approval_url}, read the order and decide there.',
    '审批须由您本人的密钥签名，任何接口都不能代为审批。请打开 {approval_url}，阅读订单后在该页面审批。',
  ),
})
