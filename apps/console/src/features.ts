import { feature as addressBook } from '@holdfast/features/address-book/console'
import { feature as approval } from '@holdfast/features/approval/console'
import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { feature as apiKey } from '@holdfast/features/api-key/console'
import { feature as batchTransfer } from '@holdfast/features/batch-transfer/console'
import { feature as calendar } from '@holdfast/features/calendar/console'
import { feature as coSigner } from '@holdfast/features/co-signer/console'
import { feature as collection } from '@holdfast/features/collection/console'
import { feature as contractCall } from '@holdfast/features/contract-call/console'
import { feature as depositAddress } from '@holdfast/features/deposit-address/console'
import { feature as firstSteps } from '@holdfast/features/first-steps/console'
import { feature as evidence } from '@holdfast/features/evidence/console'
import { feature as inbox } from '@holdfast/features/inbox/console'
import { feature as keyRecovery } from '@holdfast/features/key-recovery/console'
import { feature as mail } from '@holdfast/features/mail/console'
import { feature as nft } from '@holdfast/features/nft/console'
import { feature as notification } from '@holdfast/features/notification/console'
import { feature as push } from '@holdfast/features/push/console'
import { feature as resource } from '@holdfast/features/resource/console'
import { feature as search } from '@holdfast/features/search/console'
import { feature as settings } from '@holdfast/features/settings/console'
import { feature as setup } from '@holdfast/features/setup/console'
import { feature as standingOrder } from '@holdfast/features/standing-order/console'
import { feature as strategy } from '@holdfast/features/strategy/console'
import { feature as team } from '@holdfast/features/team/console'
import { feature as transaction } from '@holdfast/features/transaction/console'
import { feature as tronTools } from '@holdfast/features/tron-tools/console'
import { feature as utxo } from '@holdfast/features/utxo/console'
import { feature as valuation } from '@holdfast/features/valuation/console'
import { feature as wallet } from '@holdfast/features/wallet/console'
import { feature as withdrawal } from '@holdfast/features/withdrawal/console'
import { feature as workspace } from '@holdfast/features/workspace/console'

/** What the console has behind the sign-in. Where they meet, they are sorted by the order that each names. */
export const features: readonly ConsoleFeature[] = [
  addressBook,
  apiKey,
  approval,
  batchTransfer,
  calendar,
  coSigner,
  collection,
  contractCall,
  depositAddress,
  firstSteps,
  evidence,
  inbox,
  keyRecovery,
  mail,
  nft,
  notification,
  push,
  resource,
  search,
  settings,
  setup,
  standingOrder,
  strategy,
  team,
  transaction,
  tronTools,
  utxo,
  valuation,
  wallet,
  withdrawal,
  workspace,
]

/** One kind of what features bring, in order. */
export function inOrder<T extends { order: number }>(pick: (feature: ConsoleFeature) => readonly T[] | undefined): T[] {
  return features.flatMap((each) => pick(each) ?? []).toSorted((one, other) => one.order - other.order)
}
