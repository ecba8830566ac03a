import { joinErrors, type Reaction, systemErrors } from '@holdfast/contract'
import { addressBookErrors } from './address-book/errors.ts'
import { apiKeyErrors } from './api-key/errors.ts'
import { openApiErrors, openWireErrors } from './open-api/errors.ts'
import { batchTransferErrors } from './batch-transfer/errors.ts'
import { coldWalletErrors } from './cold-wallet/errors.ts'
import { coSignerErrors } from './co-signer/errors.ts'
import { collectionErrors } from './collection/errors.ts'
import { contractCallErrors } from './contract-call/errors.ts'
import { depositErrors } from './deposit/errors.ts'
import { depositAddressErrors } from './deposit-address/errors.ts'
import { keyRecoveryErrors } from './key-recovery/errors.ts'
import { knownAddressErrors } from './known-address/errors.ts'
import { kytErrors } from './kyt/errors.ts'
import { networkErrors } from './network/errors.ts'
import { notificationErrors } from './notification/errors.ts'
import { policyErrors } from './policy/errors.ts'
import { proposalErrors } from './proposal/errors.ts'
import { resourceErrors } from './resource/errors.ts'
import { sessionErrors } from './session/errors.ts'
import { setupErrors } from './setup/errors.ts'
import { teamErrors } from './team/errors.ts'
import { transactionErrors } from './transaction/errors.ts'
import { transferErrors } from './transfer/errors.ts'
import { utxoErrors } from './utxo/errors.ts'
import { walletErrors } from './wallet/errors.ts'
import { withdrawalErrors } from './withdrawal/errors.ts'

/** Every refusal the product can give, by its name: the system's own and each feature's. No two have one name or one code. */
export const errorCatalogue = joinErrors([
  systemErrors,
  addressBookErrors,
  apiKeyErrors,
  openApiErrors,
  openWireErrors,
  batchTransferErrors,
  coldWalletErrors,
  coSignerErrors,
  collectionErrors,
  contractCallErrors,
  depositErrors,
  depositAddressErrors,
  keyRecoveryErrors,
  knownAddressErrors,
  kytErrors,
  networkErrors,
  notificationErrors,
  policyErrors,
  proposalErrors,
  resourceErrors,
  sessionErrors,
  setupErrors,
  teamErrors,
  transactionErrors,
  transferErrors,
  utxoErrors,
  walletErrors,
  withdrawalErrors,
])

export type ErrorName = keyof typeof errorCatalogue

const byCode = new Map(Object.values(errorCatalogue).map((refusal) => [refusal.code, refusal]))

/** The catalogue's name of a code, or undefined if the code is not ours. */
export function errorNameOf(code: string): ErrorName | undefined {
  return byCode.get(code)?.name
}

/** What the console does with a code; an unknown code is shown. */
export function reactionTo(code: string): Reaction {
  return byCode.get(code)?.reaction ?? 'toast'
}
