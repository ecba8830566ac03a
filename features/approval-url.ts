import { toHex } from '@holdfast/encoding'
import type { ServerContext } from './context.ts'

/** The page on which an order is read and decided: served by a signer, under an origin of its own. */
export function approvalUrl({ settings }: Pick<ServerContext, 'settings'>, intentHash: Uint8Array): string {
  return `${settings.approvalOrigin}/#/order/${toHex(intentHash)}`
}
