import { loadCallDrawer } from '@holdfast/features/contract-call/console'
import { loadOrderDetail, loadReplaceDrawer } from '@holdfast/features/transaction/console'
import { loadDepositDrawer } from '@holdfast/features/deposit-address/console'
import { loadWithdrawDrawer } from '@holdfast/features/withdrawal/console'

/** Fetches the drawers that move money before they are opened, so that a connection that is lost in between takes no payment apart. */
export function preloadPayments(): void {
  for (const load of [loadDepositDrawer, loadWithdrawDrawer, loadOrderDetail, loadReplaceDrawer, loadCallDrawer]) load().catch(() => undefined)
}
