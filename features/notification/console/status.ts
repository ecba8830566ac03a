import type { OutputOf } from '@holdfast/contract'
import type { Tone } from '@holdfast/ui'
import type { getWebhookEndpoints, listNotifications } from '../contract.ts'

export type NotificationRow = OutputOf<typeof listNotifications>['list'][number]
export type EndpointRow = OutputOf<typeof getWebhookEndpoints>['receivers'][number]

const TONES: Readonly<Record<NotificationRow['status'], Tone>> = { success: 'good', retrying: 'active', failed: 'bad', stopped: 'neutral' }
const ENDPOINT_TONES: Readonly<Record<EndpointRow['state'], Tone>> = { active: 'good', failing: 'warn', paused: 'neutral', auto_paused: 'bad' }

/** What the state of a notification means to people. */
export function toneOf({ status, hold }: Pick<NotificationRow, 'status' | 'hold'>): Tone {
  return hold === null ? TONES[status] : 'warn'
}

export function endpointTone(state: EndpointRow['state']): Tone {
  return ENDPOINT_TONES[state]
}

/** The key of the words for a state. */
export function stateKey({ status, hold, times }: Pick<NotificationRow, 'status' | 'hold' | 'times'>): string {
  if (hold !== null) return `notification.hold.${hold}`
  return status === 'retrying' && times === 0 ? 'notification.state.sending' : `notification.state.${status}`
}

export function canResend({ status, hold }: Pick<NotificationRow, 'status' | 'hold'>): boolean {
  return status !== 'retrying' || hold === 'earlier'
}

export function canSkip({ status }: Pick<NotificationRow, 'status'>): boolean {
  return status === 'retrying' || status === 'failed'
}

/** A share as per cent, with one digit where it is neither all nor nothing. */
export function percent(share: number | null): string | null {
  if (share === null) return null
  // Never rounded up to a hundred or down to nothing: one failure of a million shows.
  const tenths = share > 0 && share < 1 ? Math.min(999, Math.max(1, Math.round(share * 1000))) : share * 1000
  return `${Number.isInteger(tenths / 10) ? tenths / 10 : `${Math.floor(tenths / 10)}.${tenths % 10}`}%`
}
