import { type AuthorizationIntent, ENDS_DELEGATION } from '@holdfast/intent'
import type { OrderKind, Paid, SubjectKind } from './order-kind.ts'

/** An account authorizes the code of the contract `to` to run in its name, or ends that (`ENDS_DELEGATION`). */
export type Authorization = Paid & { kind: 'authorization' }

export const authorization: SubjectKind<Authorization, AuthorizationIntent> = {
  intent: (_, order) => ({ kind: 'authorization', ...order }),
  asked: ({ to }) => ({ authorizes: { delegate: to === ENDS_DELEGATION ? null : to } }),
  proof: 'presence',
  isCarried: true,
}

/** An address lets the sweeper collect from it, or ends that. Whoever carries it in a transaction pays for it. */
export const authorize = { subjects: ['authorization'], holds: 'nothing', goes: 'nowhere' } satisfies OrderKind
