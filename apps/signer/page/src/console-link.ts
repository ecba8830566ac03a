import type { Setup } from './read/signer-api.ts'

/** The way back: the console's sign-in page where there is an invitation. Null unless the signer gave a web address. */
export function consoleLink(setup: Pick<Setup, 'console_url' | 'invite'>): string | null {
  if (!URL.canParse(setup.console_url)) return null
  const url = new URL(setup.console_url)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (setup.invite === null) return url.href
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/login#invite=${encodeURIComponent(setup.invite)}`
}
