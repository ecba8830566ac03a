import type { ApprovalOrigin } from '@holdfast/intent'

/** Whether a text is the exact origin of a web page that can ask for approval keys: https, or http on this machine. */
export function isApprovalOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.origin !== text) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && /(^|\.)localhost$/.test(url.hostname))
}

/**
 * What is wrong with the places from which approvals are to count; undefined if nothing is. One that stood in the version before stays as it was accepted: a
 * new one has to be a page of its own whose passkeys belong to its own host and to none above it.
 */
export function faultOfOrigins(next: readonly ApprovalOrigin[], current: readonly ApprovalOrigin[]): string | undefined {
  const fresh = next.filter(({ origin, rpId }) => !current.some((each) => each.origin === origin && each.rpId === rpId))
  const countIn = (list: readonly ApprovalOrigin[], origin: string) => list.filter((each) => each.origin === origin).length
  const doubled = next.find(({ origin }) => countIn(next, origin) > Math.max(1, countIn(current, origin)))
  if (doubled) return `names the approval origin ${doubled.origin} twice`
  for (const { origin, rpId } of fresh) {
    if (!isApprovalOrigin(origin)) return `takes approvals from ${origin}, which is no origin of a page: https and a host, or http on localhost`
    if (new URL(origin).hostname !== rpId) return `takes approvals at ${origin} with passkeys of ${rpId}, which is another host`
  }
  return undefined
}
