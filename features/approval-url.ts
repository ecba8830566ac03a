import { toHex } from '@holdfast/encoding'
import { pageUrl } from '@holdfast/features/approval-page/contract'
import type { Policy } from '@holdfast/policy'
import type { ServerContext } from './context.ts'

type Needs = Pick<ServerContext, 'settings'>

/** Where approvals count by a policy: the page that members are led to first, then the others, for when the signer that serves it is away. */
export function approvalPages({ settings }: Needs, { origins }: Pick<Policy, 'origins'>): string[] {
  const all = origins.map(({ origin }) => origin)
  return [...all.filter((origin) => origin === settings.approvalOrigin), ...all.filter((origin) => origin !== settings.approvalOrigin)]
}

/** The page on which an order is read and decided: served by a signer, under an origin of its own. */
export function approvalUrl({ settings }: Needs, intentHash: Uint8Array): string {
  return pageUrl(settings.approvalOrigin, 'order', toHex(intentHash))
}

/** The page on which one person stops all signing of an organisation. */
export function stopUrl({ settings }: Needs, fingerprint: Uint8Array): string {
  return pageUrl(settings.approvalOrigin, 'stop', toHex(fingerprint))
}

/** Where one person stops standing orders. */
export function standingUrl({ settings }: Needs, fingerprint: Uint8Array): string {
  return pageUrl(settings.approvalOrigin, 'standing', toHex(fingerprint))
}

/** Where somebody says who decides for them, and ends it. */
export function delegationUrl({ settings }: Needs, fingerprint: Uint8Array): string {
  return pageUrl(settings.approvalOrigin, 'delegation', toHex(fingerprint))
}

/** So many orders are walked through at once: the page takes no more. */
export const REVIEW_MAX = 50

/** The page on which several orders are read and decided one after another. Null if there are not several. */
export function reviewUrl({ settings }: Needs, intentHashes: readonly Uint8Array[]): string | null {
  if (intentHashes.length < 2) return null
  return pageUrl(settings.approvalOrigin, 'review', intentHashes.slice(0, REVIEW_MAX).map(toHex).join(','))
}
