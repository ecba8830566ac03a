export { acceptanceShape, acceptGenesisChallenge, type Acceptance } from './acceptance.ts'
export { approvalChallenge, approvalShape, type Approval, type Decision } from './approval.ts'
export { ASSERTION_REFUSALS, AssertionRefused } from './assertion-refused.ts'
export {
  assertionShape,
  credentialShape,
  originShape,
  counterOf,
  verifyAssertion,
  deviceMessage,
  type ApprovalOrigin,
  type Assertion,
  type Credential,
} from './assertion.ts'
export {
  assetShape,
  brc20BatchIntentShape,
  brc20InscribeIntentShape,
  brc20TransferIntentShape,
  BY_SCHEDULE,
  contractCallIntentShape,
  depositChildIntentShape,
  intentHash,
  intentShape,
  type InscribedIntent,
  INSCRIPTIONS_MAX,
  isTransaction,
  KEY_ACTIONS,
  KEY_ORDER_ACTIONS,
  keyChangeIntentShape,
  PAYOUT_OUTPUTS_MAX,
  payoutIntentShape,
  policyChangeIntentShape,
  transferIntentShape,
  type Asset,
  type Brc20BatchIntent,
  type Brc20InscribeIntent,
  type Brc20TransferIntent,
  type ContractCallIntent,
  type DepositChildIntent,
  type Intent,
  type KeyAction,
  type KeyChangeIntent,
  type KeyOrderIntent,
  type PaymentIntent,
  type PayoutIntent,
  type PolicyChangeIntent,
  isSpending,
  askersOf,
  judgedAs,
  originalOf,
  type SpendingIntent,
  type StakeIntent,
  stakeIntentShape,
  REPLACEMENT_ACTIONS,
  type ReplacementIntent,
  type SignerOrderIntent,
  type TransactionIntent,
  type TransferIntent,
} from './intent.ts'
export {
  brc20Fault,
  brc20InscribeFault,
  faultOf,
  inscribedCoin,
  inscriptionsOf,
  isInscribed,
  isPayment,
  type OrderedPayment,
  paymentsOf,
  payoutFault,
} from './payments-of.ts'
export { freezeHash, freezeShape, freezeStatementShape, type Freeze, type FreezeStatement } from './freeze.ts'
export { ABSENCE_MAX_MS, absenceFault, FREEZES_MAX, liftFreezeFault, type AbsenceIntent, type LiftFreezeIntent } from './signer-orders.ts'
export { describeCall, type CallInWords } from './render-call.ts'
export { stakeActionName, stakeTitle } from './render-stake.ts'
export { isDelegation, stakeFault, stakeOrderOf } from './stake-order.ts'
export { earlierRenderings, renderHash, renderIntent } from './render-intent.ts'
export { LOCALES, type Locale, type RenderContext, type Rendering, timeInWords } from './rendering.ts'
export { groupAddress } from './group-address.ts'
export { CodedRefusal, fillSentence, type Refusal, type RefusalOf } from './refusal.ts'
