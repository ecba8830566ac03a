import type { MailLanguage } from '@holdfast/features/mail/contract'
import type { MailAbout } from '@holdfast/features/mail/server'
import type { BatchState } from '../shapes-contract.ts'

/** An e-mail that a batch waits for somebody's decision. */
export const askedMail = (lines: number): MailAbout['words'] => ({
  'en-US': {
    subject: 'A batch of payments is waiting for your approval',
    text: `A batch of ${lines} payments is waiting for your approval. One decision covers all of them, so read every line:`,
  },
  'zh-CN': { subject: '有批量付款等待您审批', text: `有一个共 ${lines} 笔付款的批次等待您审批。一次审批对全部付款生效，请逐行核对：` },
})

const ENDS: Partial<Record<BatchState, Record<MailLanguage, string>>> = {
  finished: { 'en-US': 'All its payments are settled.', 'zh-CN': '全部付款均已处理完毕。' },
  stopped: { 'en-US': 'It was stopped before all of it was paid.', 'zh-CN': '该批次在全部付款完成前已被停止。' },
  rejected: { 'en-US': 'It was rejected.', 'zh-CN': '该批次已被拒绝。' },
  expired: { 'en-US': 'It was not approved in time.', 'zh-CN': '该批次因逾期未获审批而关闭。' },
  superseded: { 'en-US': 'The policy was replaced before it was approved.', 'zh-CN': '审批完成前策略已变更，该批次已失效。' },
}

/** An e-mail that a batch has ended, to whoever asked for it: counts, and no amount. */
export function endedMail({ state, lines, paid, failed }: { state: BatchState; lines: number; paid: number; failed: number }): MailAbout['words'] {
  const left = lines - paid - failed
  return {
    'en-US': {
      subject: 'A batch of payments has ended',
      text: `The batch of ${lines} payments that you requested has ended. ${ENDS[state]?.['en-US'] ?? ''}\nPaid: ${paid} of ${lines}. Failed: ${failed}. Not executed: ${left}.`,
    },
    'zh-CN': {
      subject: '批量付款已结束',
      text: `您发起的批量付款（共 ${lines} 笔）已结束。${ENDS[state]?.['zh-CN'] ?? ''}\n已支付 ${paid}/${lines} 笔，失败 ${failed} 笔，未执行 ${left} 笔。`,
    },
  }
}
