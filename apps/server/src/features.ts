import { feature as accounting } from '@holdfast/features/accounting/server'
import { feature as addressBook } from '@holdfast/features/address-book/server'
import { feature as approval } from '@holdfast/features/approval/server'
import { feature as batchTransfer } from '@holdfast/features/batch-transfer/server'
import { feature as calendar } from '@holdfast/features/calendar/server'
import { feature as coSigner } from '@holdfast/features/co-signer/server'
import { feature as collection } from '@holdfast/features/collection/server'
import { feature as contractCall } from '@holdfast/features/contract-call/server'
import { feature as depositAddress } from '@holdfast/features/deposit-address/server'
import { feature as deposit } from '@holdfast/features/deposit/server'
import { feature as evidence } from '@holdfast/features/evidence/server'
import { feature as firstSteps } from '@holdfast/features/first-steps/server'
import { feature as inbox } from '@holdfast/features/inbox/server'
import { feature as keyRecovery } from '@holdfast/features/key-recovery/server'
import { feature as key } from '@holdfast/features/key/server'
import { feature as machineLink } from '@holdfast/features/machine-link/server'
import { feature as mail } from '@holdfast/features/mail/server'
import { feature as network } from '@holdfast/features/network/server'
import { feature as nft } from '@holdfast/features/nft/server'
import { feature as notification } from '@holdfast/features/notification/server'
import { feature as openApi } from '@holdfast/features/open-api/server'
import { currentPolicy, feature as policy } from '@holdfast/features/policy/server'
import { feature as price } from '@holdfast/features/price/server'
import { feature as proposal, type Proposals } from '@holdfast/features/proposal/server'
import { feature as push } from '@holdfast/features/push/server'
import { feature as resource } from '@holdfast/features/resource/server'
import { feature as search } from '@holdfast/features/search/server'
import type { ServerFeature } from '@holdfast/features/server-feature'
import { feature as setup } from '@holdfast/features/setup/server'
import { feature as team, lastDelegation, readAbsentNow, readDeciding, tellOfWord } from '@holdfast/features/team/server'
import { feature as ruleAnalysis } from '@holdfast/features/rule-analysis/server'
import { feature as standingOrder } from '@holdfast/features/standing-order/server'
import { feature as strategy } from '@holdfast/features/strategy/server'
import { feature as transaction } from '@holdfast/features/transaction/server'
import { feature as transfer } from '@holdfast/features/transfer/server'
import { feature as tronTools } from '@holdfast/features/tron-tools/server'
import { feature as utxo } from '@holdfast/features/utxo/server'
import { feature as valuation } from '@holdfast/features/valuation/server'
import { feature as wallet } from '@holdfast/features/wallet/server'
import { feature as withdrawal } from '@holdfast/features/withdrawal/server'
import { feature as apiKey } from '@holdfast/features/api-key/server'
import { feature as workspace } from '@holdfast/features/workspace/server'

/** What the server has, but signing in, which the HTTP server is made with. In this order work begins, and ends. */
export const features: readonly ServerFeature[] = [
  setup,
  network,
  key,
  transfer,
  machineLink,
  policy,
  keyRecovery,
  deposit,
  price,
  notification,
  mail,
  team,
  valuation,
  wallet,
  depositAddress,
  nft,
  utxo,
  resource,
  addressBook,
  ruleAnalysis,
  standingOrder,
  coSigner,
  collection,
  strategy,
  withdrawal,
  batchTransfer,
  apiKey,
  workspace,
  contractCall,
  transaction,
  accounting,
  proposal,
  approval,
  firstSteps,
  evidence,
  search,
  calendar,
  inbox,
  push,
  tronTools,
  openApi,
]

/** Everything that people decide, whichever feature carries it out. */
export const proposals: Proposals = {
  kinds: features.flatMap((each) => each.proposals ?? []),
  policyInForce: async (tx) => (await currentPolicy(tx)).policy,
  absentNow: readAbsentNow,
  decidingNow: readDeciding,
  lastDelegation,
  tellOfWord,
}
