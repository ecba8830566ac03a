import type { Tone } from '@holdfast/ui'
import type { PAYMENT_STATES } from '../../contract.ts'

/** How it stands with a date of a schedule, as a tag shows it. */
export const PAYMENT_TONES: Record<(typeof PAYMENT_STATES)[number], Tone> = {
  planned: 'neutral',
  late: 'warn',
  under_way: 'active',
  paid: 'good',
  skipped: 'bad',
  failed: 'bad',
  ended: 'neutral',
}
