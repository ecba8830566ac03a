import { type Brc20BatchIntent, type Brc20InscribeIntent, type Brc20TransferIntent, inscriptionsOf } from '@holdfast/intent'
import { known } from '@holdfast/units'
import type { Money, OrderKind, Paid, SentInscription, SubjectKind } from './order-kind.ts'

/** An inscribed transfer is sent, on the first of the order's coins. */
export type Brc20Transfer = Paid & { kind: 'brc20Transfer' } & Pick<SentInscription, 'inscription' | 'postage'>

/** The same for several of one token, each on its own coin, in their order. */
export type Brc20Batch = Paid & { kind: 'brc20Batch'; inscriptions: readonly SentInscription[] }

/** A transfer is inscribed and sent at once; `postage` is the amount of its coin. */
export type Brc20Inscribe = Paid & { kind: 'brc20Inscribe'; postage: bigint }

/** What inscribed transfers of a token send: their sum. */
export function inscribedTransfers(token: Money['asset'], to: string, inscriptions: readonly SentInscription[]): Brc20Transfer | Brc20Batch {
  const paid = { asset: token, amount: inscriptions.reduce((sum, { amount }) => sum + amount, 0n) }
  const [first, ...more] = inscriptions
  if (!first || more.length > 0) return { kind: 'brc20Batch', to, paid, inscriptions }
  return { kind: 'brc20Transfer', to, paid, inscription: first.inscription, postage: first.postage }
}

const inscribed = {
  asked: (intent) => ({ postages: inscriptionsOf(intent).map(({ postage }) => postage) }),
  proof: 'its inscriptions',
  postage: (intent) => inscriptionsOf(intent).reduce((sum, { postage }) => sum + postage, 0n),
  inscriptions: inscriptionsOf,
} satisfies Omit<SubjectKind<never, Brc20TransferIntent | Brc20BatchIntent>, 'intent'>

export const brc20Transfer: SubjectKind<Brc20Transfer, Brc20TransferIntent> = {
  ...inscribed,
  intent: ({ inscription, postage }, order) => ({ kind: 'brc20Transfer', ...order, memo: null, screening: null, inscription, postage }),
}

export const brc20Batch: SubjectKind<Brc20Batch, Brc20BatchIntent> = {
  ...inscribed,
  intent: ({ inscriptions }, order) => ({ kind: 'brc20Batch', ...order, memo: null, screening: null, inscriptions: [...inscriptions] }),
}

export const brc20Inscribe: SubjectKind<Brc20Inscribe, Brc20InscribeIntent> = {
  intent: ({ postage }, order) => ({ kind: 'brc20Inscribe', ...order, memo: null, screening: null, postage }),
  asked: ({ postage }) => ({ inscribes: postage }),
  proof: 'its inscriptions',
  postage: ({ postage }) => postage,
  inscriptions: ({ amount, postage }, made) => [{ inscription: known(made, 'the inscription that the bytes of an order make'), amount, postage }],
  inscribes: true,
}

/** Existing inscriptions are sent. */
export const brc20 = { subjects: ['brc20Transfer', 'brc20Batch'], holds: 'amount and fee', goes: 'external' } satisfies OrderKind
