import { requestIdText } from '@holdfast/contract'
import * as z from 'zod'
import { OUTPUTS_MAX } from '../../contract.ts'
import type { Line } from './read-lines.ts'
import type { OrderSent } from './several-orders.ts'

const STORAGE_KEY = 'holdfast.pay-several'

const order = z.object({
  request_id: requestIdText,
  sub_wallet_id: z.string(),
  chain: z.string(),
  symbol: z.string(),
  address_to: z.string(),
  amount: z.string(),
  outputs: z.array(z.object({ address_to: z.string(), amount: z.string() })).optional(),
  max_fee: z.string(),
  ack: z.string(),
  remark: z.string(),
  category: z.string().optional(),
  tags: z.array(z.string()).optional(),
})
const line = z.object({ line: z.int(), order })
const sent = z.union([
  line.extend({ state: z.enum(['ready', 'sending', 'unanswered']) }),
  line.extend({ state: z.literal('sent'), orderId: z.string() }),
  line.extend({ state: z.literal('refused'), reason: z.string() }),
])
const kept = z.object({
  personId: z.string(),
  place: z.object({ subWalletId: z.string(), chain: z.string(), symbol: z.string() }),
  rows: z.array(z.object({ to: z.string(), amount: z.string() })).max(OUTPUTS_MAX),
  noted: z.object({ remark: z.string(), category: z.string(), tags: z.string() }),
  /** Where some were sent: the rest goes out with the same ids. */
  orders: z.array(sent).max(OUTPUTS_MAX).optional(),
})

/** What a person has filled in and not sent, in the storage of this tab. */
export type Kept = Omit<z.output<typeof kept>, 'rows' | 'orders'> & { rows: readonly Line[]; orders?: OrderSent[] }

/** Keeps it over a reload, and over a session that ended. */
export function keepRows(storage: Pick<Storage, 'setItem'>, what: Kept): void {
  storage.setItem(STORAGE_KEY, JSON.stringify(what))
}

/** What this person had filled in; nobody else's, and nothing that is not as it was written. */
export function readKeptRows(storage: Pick<Storage, 'getItem'>, personId: string): Kept | undefined {
  try {
    const read = kept.safeParse(JSON.parse(storage.getItem(STORAGE_KEY) ?? 'null'))
    return read.success && read.data.personId === personId ? (read.data as Kept) : undefined
  } catch {
    return undefined
  }
}

export function forgetRows(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(STORAGE_KEY)
}
