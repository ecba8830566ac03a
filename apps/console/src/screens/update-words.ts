import type { Locale } from '@holdfast/ui'

/**
 * The words of the notice that there is a newer version. They stand here and not with the other words, because those are
 * fetched too: what says that nothing can be fetched must need nothing.
 */
export const UPDATE_WORDS: Record<Locale, { text: string; refresh: string }> = {
  'en-US': { text: 'The MPC system has a new update. Refresh the system before you go on.', refresh: 'Refresh' },
  'zh-CN': { text: 'MPC 系统有新的更新，请在进行更新之前刷新系统。', refresh: '刷新' },
}
