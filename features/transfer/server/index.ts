import type { ServerFeature } from '@holdfast/features/server-feature'
import { transferEndpoints } from './routes.ts'
import { startTransfers } from './run-transfers.ts'

export { findTransfer, foreseeOutcome, openTransfer, readPayer, type Payer, type TransferRequest } from './opening/open-transfer.ts'
export { inscribedTransfers, orderKind, orderKindsAbout, orderKindsWhere, payoutOf, purposeOf } from './order/kinds/index.ts'
export { leftBy } from './order/order-money.ts'
export { holdForCpfpOrders, lockCpfpOrders, outputOf, releaseCpfpOrders, type PendingDeposit } from './order/cpfp-orders.ts'
export { orderAnnouncements } from './order/announce-order.ts'
export { kindOfOrder, quorumOfOrder } from './order/propose-order.ts'
export { moveOrder } from './order/move.ts'
export { readOrder, type Order, type OrderRow, intentOf } from './order/read-order.ts'
export { isFinal, ORDER_STATES, type OrderState, statusOf, statesOfStatus, asOrderState } from './order/states.ts'
export { evidenceName, transferEndpoints } from './routes.ts'
export { pokeTransfers } from './run-transfers.ts'
export { demandBuildable } from './opening/demand-buildable.ts'
export { canTakeBack, takeBack } from './signing/take-back.ts'
export { confirmTransfers, reopenTransfers, type Settled } from './settlement/confirm.ts'
export { openOrderFailures, type OrderFailures, NEEDS_ATTENTION } from './order/needs-attention.ts'
export { brc20Holding, inscribable, makesInscriptions, openInscribing, NEW_POSTAGE } from './slot/brc20-holding.ts'
export { inscriptionReading } from './slot/unchecked-coins.ts'
export { recordedCoins } from './slot/recorded-coins.ts'
export { coinsOfOrders, holdAddress, isSettled, locksOf, type PersonLock } from './slot/locked-coins.ts'
export { keptObstacle, obstacleText } from './order/obstacle.ts'
export { type OrderTransaction, readTransactions, signedTransactions } from './order/order-transactions.ts'
export { endLease, isLeased } from './slot/lease-slot.ts'
export { delayOf } from './signing/wait-out-delay.ts'
export { refusalsOf } from './order/refusals.ts'

export const feature: ServerFeature = {
  endpoints: transferEndpoints,
  work: (context, { report }) => [startTransfers(context, report)],
}
