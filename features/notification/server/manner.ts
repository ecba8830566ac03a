import type { SystemTx } from '@holdfast/db'
import type { Sealer } from '@holdfast/features/session/server'
import { bodyOfAttempt, signatureHeaders } from './sign-notification.ts'
import { readSigningKey } from './webhook-keys.ts'

/** What one try sends. `wants`: the word without which an endpoint has not received it, or the one with which it has not. */
export type Written = { url: string; raw: string; headers: Record<string, string>; wants: 'SUCCESS' | 'no FAILURE' }
export type Write = (what: { notifyId: string; event: string; body: string; attempt: number }) => Written

/** How endpoints of one sort are told: the organisation's own, or those that its API keys have. */
export type Manner = {
  of: 'organisation' | 'machines'
  /** Writes tries to an endpoint; undefined where it is to be told nothing now, and then what is due waits. */
  open(tx: SystemTx, endpoint: { orgId: string; url: string; machineId: string | null; nowMs: number }): Promise<Write | undefined>
}

/** The organisation's own endpoints: JSON, signed by the key of the organisation. */
export const ownManner = (sealer: Sealer): Manner => ({
  of: 'organisation',
  open: async (tx, { orgId, url, nowMs }) => {
    const key = await readSigningKey(tx, sealer, orgId)
    return ({ body, ...rest }) => {
      const raw = bodyOfAttempt(body, rest.attempt)
      return { url, raw, headers: signatureHeaders(key, { ...rest, nowMs, raw }), wants: 'no FAILURE' }
    }
  },
})
