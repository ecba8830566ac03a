import type { Locale } from '@holdfast/ui'

type Words = Record<'text' | 'refresh' | 'lost' | 'retry' | 'incomplete', string>

/**
 * The words of the notices that there is a newer version, and that the server does not answer. They stand here and not with the other words, because those are
 * fetched too: what says that nothing can be fetched must need nothing.
 */
const UPDATE_WORDS: Record<Locale, Words> = {
  'en-US': {
    text: 'A new version is ready. Reload to continue.',
    refresh: 'Reload',
    lost: 'No connection. What you typed is kept, and this page goes on once the server answers.',
    retry: 'Try again',
    incomplete: 'A part of this page could not be loaded. It is being tried again.',
  },
  'zh-CN': {
    text: 'MPC 系统有新的更新，请在进行更新之前刷新系统。',
    refresh: '刷新',
    lost: '无法连接服务器。已填写的内容会保留，恢复连接后页面自动继续。',
    retry: '重试',
    incomplete: '页面的部分内容未能加载，正在重试。',
  },
}

/** The words in the language that the page is in. */
export const updateWords = (language: string): Words => UPDATE_WORDS[language === 'zh-CN' ? 'zh-CN' : 'en-US']
