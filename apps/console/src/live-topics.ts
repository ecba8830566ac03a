import { listTodo } from '@holdfast/features/approval/contract'
import { getApprovalPages } from '@holdfast/features/approval-page/contract'
import { listAllowances } from '@holdfast/features/contract-call/contract'
import { getExport, getKeyChange, getRecoveryKit, listKeyChanges, listKeyReminders, listKeys } from '@holdfast/features/key-recovery/contract'
import { getNetworkStatus } from '@holdfast/features/network/contract'
import { listNftAssets, listNftTokens } from '@holdfast/features/nft/contract'
import { getReceivers, listNotifications } from '@holdfast/features/notification/contract'
import { getUserInfo } from '@holdfast/features/session/contract'
import { getFreezes, getPolicy, getPolicyChange, getSigningState, listPolicyChanges } from '@holdfast/features/policy/contract'
import { getMember, listMembers } from '@holdfast/features/team/contract'
import { getOrganisation, getSetup } from '@holdfast/features/setup/contract'
import { getDeposit, getPull, getWithdrawal, listTransactions } from '@holdfast/features/transaction/contract'
import { getSpeedUp } from '@holdfast/features/transfer/contract'
import {
  getBalanceHistory,
  getWalletProgress,
  listAllSubWallets,
  listCoinAssets,
  listSubWallets,
  listTokenApplications,
  listUnverified,
  listWallets,
  searchCoins,
} from '@holdfast/features/wallet/contract'
import { getDepositAddress, listUserAddresses } from '@holdfast/features/deposit-address/contract'
import { getResources } from '@holdfast/features/resource/contract'
import { getCoinSettings, listCoins, listInscriptions, listTokens } from '@holdfast/features/utxo/contract'
import type { LiveTopics } from '@holdfast/client'

/** What each of the server's hints makes stale. */
export const liveTopics: LiveTopics = {
  'order.changed': [listTransactions, getWithdrawal, getSpeedUp, listCoins, getCoinSettings, listInscriptions, listTokens, getResources, listAllowances],
  'deposit.changed': [
    listTransactions,
    getDeposit,
    listCoinAssets,
    listUserAddresses,
    listUnverified,
    listNftAssets,
    listCoins,
    getCoinSettings,
    listInscriptions,
    listTokens,
  ],
  'pull.changed': [listTransactions, getPull, getNetworkStatus],
  'wallet.changed': [
    listWallets,
    listSubWallets,
    listAllSubWallets,
    getWalletProgress,
    getRecoveryKit,
    listKeys,
    listKeyChanges,
    getKeyChange,
    getExport,
    listKeyReminders,
    getDepositAddress,
    listUserAddresses,
    searchCoins,
    listCoinAssets,
  ],
  'balance.changed': [listCoinAssets, listWallets, listSubWallets, getBalanceHistory, listUserAddresses, listNftAssets, listNftTokens],
  'todo.changed': [listTodo, getWithdrawal, listWallets, getUserInfo],
  'notification.changed': [getReceivers, listNotifications],
  'policy.changed': [
    getFreezes,
    getSigningState,
    getApprovalPages,
    getPolicy,
    getPolicyChange,
    listPolicyChanges,
    listMembers,
    getMember,
    listTokenApplications,
    listCoinAssets,
  ],
  'member.changed': [listMembers, getMember, getPolicy, getApprovalPages],
  'setup.changed': [getSetup, getOrganisation, getNetworkStatus],
}
