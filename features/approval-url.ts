import { toHex } from '@holdfast/encoding'
import type { Policy } from '@holdfast/policy'
import type { ServerContext } from './context.ts'

/** The page on which an order is read and decided: served by a signer, under an origin of its own. */
export function approvalUrl({ settings }: Pick<ServerContext, 'settings'>, intentHash: Uint8Array): string {
  return `${settings.approvalOrigin}/#/order/${toHex(intentHash)}`
}

/** What `approvalUrl` answered, on the other pages from which approvals may come by a policy: for when the signer that serves the first is away. */
export function otherApprovalUrls({ settings }: Pick<ServerContext, 'settings'>, { origins }: Pick<Policy, 'origins'>, url: string): string[] {
  const others = origins.filter(({ origin }) => origin !== settings.approvalOrigin)
  return url.startsWith(`${settings.approvalOrigin}/`) ? others.map(({ origin }) => origin + url.slice(settings.approvalOrigin.length)) : []
}

/** The page on which one person stops all signing of an organisation. */
export function stopUrl({ settings }: Pick<ServerContext, 'settings'>, fingerprint: Uint8Array): string {
  return `${settings.approvalOrigin}/#/stop/${toHex(fingerprint)}`
}

/** So many orders are walked through at once: the page takes no more. */
export const REVIEW_MAX = 50

/** The page on which several orders are read and decided one after another. Null where there are not several. */
export function reviewUrl({ settings }: Pick<ServerContext, 'settings'>, intentHashes: readonly Uint8Array[]): string | null {
  if (intentHashes.length < 2) return null
  return `${settings.approvalOrigin}/#/review/${intentHashes.slice(0, REVIEW_MAX).map(toHex).join(',')}`
}
