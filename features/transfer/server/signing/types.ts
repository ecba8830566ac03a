import type { ServerContext } from '@holdfast/features/context'
import type { Signed } from '@holdfast/protocol'
import type { OrderTransaction } from '../order/order-transactions.ts'

export type SignNeeds = Pick<ServerContext, 'ports' | 'db' | 'coSigners' | 'networks' | 'settings'>

/** The outcome of one try: `signed` bytes are stored, the order `ended` unsigned, it must `wait` and says why, or it is `queued` behind another one. */
export type SignOutcome = 'signed' | 'ended' | 'wait' | 'queued'

/** A transaction whose bytes wait for signatures. */
export type Awaited = OrderTransaction & { unsigned_tx: Uint8Array }

/** The signatures that signers gave, put on the bytes they were asked about, and what each says of that. */
export type Signatures = { raw: Uint8Array; txid: string; statements: Signed[] }
