// Written by npm run openapi from the contracts of the calls.

import type { OpenAddresses } from './calls/open-addresses.ts'
import type { OpenBalances } from './calls/open-balances.ts'
import type { OpenBatchIntent } from './calls/open-batch-intent.ts'
import type { OpenBatchRows } from './calls/open-batch-rows.ts'
import type { OpenBatch } from './calls/open-batch.ts'
import type { OpenCallIntent } from './calls/open-call-intent.ts'
import type { OpenCall } from './calls/open-call.ts'
import type { OpenCancelBatch } from './calls/open-cancel-batch.ts'
import type { OpenCancelWithdrawal } from './calls/open-cancel-withdrawal.ts'
import type { OpenCheckCall } from './calls/open-check-call.ts'
import type { OpenCreateAddresses } from './calls/open-create-addresses.ts'
import type { OpenCreateBatch } from './calls/open-create-batch.ts'
import type { OpenCreateCall } from './calls/open-create-call.ts'
import type { OpenCreateWithdrawal } from './calls/open-create-withdrawal.ts'
import type { OpenDepositAddress } from './calls/open-deposit-address.ts'
import type { OpenFees } from './calls/open-fees.ts'
import type { OpenNotifications } from './calls/open-notifications.ts'
import type { OpenScreen } from './calls/open-screen.ts'
import type { OpenScreenings } from './calls/open-screenings.ts'
import type { OpenSignBatch } from './calls/open-sign-batch.ts'
import type { OpenSignCall } from './calls/open-sign-call.ts'
import type { OpenSignWithdrawal } from './calls/open-sign-withdrawal.ts'
import type { OpenSwitchOff } from './calls/open-switch-off.ts'
import type { OpenTransactions } from './calls/open-transactions.ts'
import type { OpenWallets } from './calls/open-wallets.ts'
import type { OpenWithdrawalIntent } from './calls/open-withdrawal-intent.ts'
import type { OpenWithdrawal } from './calls/open-withdrawal.ts'

export type OpenCalls = {
  openBalances: OpenBalances
  openDepositAddress: OpenDepositAddress
  openAddresses: OpenAddresses
  openCreateAddresses: OpenCreateAddresses
  openFees: OpenFees
  openCreateWithdrawal: OpenCreateWithdrawal
  openCancelWithdrawal: OpenCancelWithdrawal
  openWithdrawal: OpenWithdrawal
  openCheckCall: OpenCheckCall
  openCreateCall: OpenCreateCall
  openCall: OpenCall
  openBatch: OpenBatch
  openBatchRows: OpenBatchRows
  openCancelBatch: OpenCancelBatch
  openTransactions: OpenTransactions
  openNotifications: OpenNotifications
  openWallets: OpenWallets
  openWithdrawalIntent: OpenWithdrawalIntent
  openSignWithdrawal: OpenSignWithdrawal
  openCallIntent: OpenCallIntent
  openSignCall: OpenSignCall
  openCreateBatch: OpenCreateBatch
  openBatchIntent: OpenBatchIntent
  openSignBatch: OpenSignBatch
  openScreenings: OpenScreenings
  openScreen: OpenScreen
  openSwitchOff: OpenSwitchOff
}

/** Where each call is. */
export const CALLS = {
  openBalances: { method: 'GET', path: '/open/v1/balances' },
  openDepositAddress: { method: 'GET', path: '/open/v1/addresses/deposit' },
  openAddresses: { method: 'GET', path: '/open/v1/addresses' },
  openCreateAddresses: { method: 'POST', path: '/open/v1/addresses/create' },
  openFees: { method: 'GET', path: '/open/v1/withdrawals/fees' },
  openCreateWithdrawal: { method: 'POST', path: '/open/v1/withdrawals/create' },
  openCancelWithdrawal: { method: 'POST', path: '/open/v1/withdrawals/cancel' },
  openWithdrawal: { method: 'GET', path: '/open/v1/withdrawals/info' },
  openCheckCall: { method: 'POST', path: '/open/v1/calls/check' },
  openCreateCall: { method: 'POST', path: '/open/v1/calls/create' },
  openCall: { method: 'GET', path: '/open/v1/calls/info' },
  openBatch: { method: 'GET', path: '/open/v1/batches/info' },
  openBatchRows: { method: 'GET', path: '/open/v1/batches/rows' },
  openCancelBatch: { method: 'POST', path: '/open/v1/batches/cancel' },
  openTransactions: { method: 'GET', path: '/open/v1/transactions' },
  openNotifications: { method: 'GET', path: '/open/v1/notifications' },
  openWallets: { method: 'GET', path: '/open/v1/wallets' },
  openWithdrawalIntent: { method: 'GET', path: '/open/v1/withdrawals/intent' },
  openSignWithdrawal: { method: 'POST', path: '/open/v1/withdrawals/sign' },
  openCallIntent: { method: 'GET', path: '/open/v1/calls/intent' },
  openSignCall: { method: 'POST', path: '/open/v1/calls/sign' },
  openCreateBatch: { method: 'POST', path: '/open/v1/batches/create' },
  openBatchIntent: { method: 'GET', path: '/open/v1/batches/intent' },
  openSignBatch: { method: 'POST', path: '/open/v1/batches/sign' },
  openScreenings: { method: 'GET', path: '/open/v1/screenings/waiting' },
  openScreen: { method: 'POST', path: '/open/v1/screenings/submit' },
  openSwitchOff: { method: 'POST', path: '/open/v1/key/off' },
} as const satisfies Record<keyof OpenCalls, { method: 'GET' | 'POST'; path: string }>
