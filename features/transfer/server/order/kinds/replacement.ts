import type { OrderKind } from './order-kind.ts'

/** A pending payment may cost more. */
export const speedUp = { subjects: [], about: 'speed_up', holds: 'amount and fee', goes: 'external' } satisfies OrderKind

/** A pending payment is cancelled: nobody is paid. */
export const cancel = { subjects: [], about: 'cancel', holds: 'fee', goes: 'nowhere' } satisfies OrderKind
