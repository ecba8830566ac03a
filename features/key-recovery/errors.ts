import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about orders about a key. */
export const keyRecoveryErrors = defineErrors({
  key_change_open: entry(
    '300070',
    'toast',
    'There is already an open order for this key. Decide or withdraw it, then propose again.',
    '已有一项针对该密钥的变更正在进行。请先完成审批或撤回，再提交新的变更。',
  ),
  key_change_refused: entry('300071', 'toast', 'The key cannot be changed like this: {reason}.', '密钥不能这样变更：{reason}。'),
  drill_not_held: entry(
    '300300',
    'toast',
    'The drill could not be run on this machine. Start the demo again with npm start, or verify the kit by hand.',
    '无法在本机运行恢复演练。请用 npm start 重新启动演示，或手动验证恢复包。',
  ),
})
