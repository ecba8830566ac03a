import type { DepositChildIntent } from '@holdfast/intent'
import type { OrderKind, Paid, SubjectKind } from './order-kind.ts'

/** A pending deposit is sped up: `deposit` is its coin, `to` the sub-wallet's address and `paid` what the coin holds. */
export type DepositChild = Paid & { kind: 'depositChild'; deposit: string }

export const child: SubjectKind<DepositChild, DepositChildIntent> = {
  intent: ({ deposit }, order) => ({ kind: 'depositChild', ...order, deposit }),
  asked: ({ deposit }) => ({ cpfpFor: deposit }),
  proof: 'presence',
  cpfpFor: ({ deposit }) => deposit,
}

/** A pending deposit is sped up by a child that spends it (CPFP). */
export const depositChild = { subjects: ['depositChild'], holds: 'fee once its deposit is credited', goes: 'nowhere' } satisfies OrderKind
