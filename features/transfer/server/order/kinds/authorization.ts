import { type AuthorizationIntent, ENDS_DELEGATION } from '@holdfast/intent'
import type { Paid, SubjectKind } from './order-kind.ts'

/** An account authorizes the code of the contract `to` to run in its name, or ends that (`ENDS_DELEGATION`). No kind of order is opened for it yet. */
export type Authorization = Paid & { kind: 'authorization' }

export const authorization: SubjectKind<Authorization, AuthorizationIntent> = {
  intent: (_, order) => ({ kind: 'authorization', ...order }),
  asked: ({ to }) => ({ authorizes: { delegate: to === ENDS_DELEGATION ? null : to } }),
  proof: 'presence',
}
