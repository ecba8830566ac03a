export { acceptanceShape, acceptGenesisChallenge, type Acceptance } from './acceptance.ts'
export { approvalChallenge, approvalShape, type Approval, type Decision } from './approval.ts'
export {
  DELEGATION_MAX_MS,
  delegatedApprovalShape,
  delegatedIn,
  delegationHash,
  delegationOf,
  delegationShape,
  delegationStatementShape,
  onlyEnds,
  seatOf,
  voteChallenge,
  type DelegatedApproval,
  type Delegation,
  type DelegationStatement,
  type Vote,
} from './delegation.ts'
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
export { type Asset, assetShape } from './asset.ts'
export { algorithmOf, isPointOfP256, isSignedByKey, MACHINE_KEY_BYTES, type MachineAlgorithm, oneSpelling, rawSignature } from './machine-key.ts'
export { SCREENING_LEVELS, type ScreeningLevel } from './screening/screening-levels.ts'
export {
  isScreeningLevel,
  isSignedByScreener,
  screeningMessage,
  screeningWordShape,
  type ScreeningStatement,
  type ScreeningWord,
} from './screening/screening-word.ts'
export {
  encodeVote,
  isSignedByMachine,
  machineMessage,
  machineSignatureShape,
  readSpoken,
  spokenShape,
  type MachineDecision,
  type MachineSignature,
  type MachineStatement,
} from './machine-signature.ts'
export {
  actDone,
  actOf,
  type Acting,
  askersOf,
  differenceOf,
  faultOf,
  inscriptionsOf,
  intentHash,
  isCancellation,
  isInscribed,
  isPayment,
  isSignerOrder,
  isSpending,
  isTransaction,
  judgedAs,
  movesMoney,
  movesOf,
  originalOf,
  paymentsOf,
  whyIrreplaceable,
} from './intent.ts'
export {
  type InscribedIntent,
  type Intent,
  intentShape,
  type PaymentIntent,
  type SignerOrderIntent,
  type SpendingIntent,
} from './kinds/index.ts'
export type { TransactionIntent } from './kinds/transactions.ts'
export { ABSENCE_MAX_MS, absenceFault, type AbsenceIntent } from './kinds/absence.ts'
export {
  type AddressBookIntent,
  addressBookFault,
  BOOK_CHANGES_MAX,
  BOOK_ORDER_BYTES_MAX,
  type BookChange,
  type BookEntry,
  placesOf,
} from './kinds/address-book.ts'
export { type AuthorizationIntent, ENDS_DELEGATION } from './kinds/standing-order/authorization.ts'
export { BATCH_BYTES_MAX, BATCH_LINES_MAX, batchFault, type BatchIntent, type BatchPart, countOfParts, findPart, judgedPart, partOf } from './kinds/batch.ts'
export { type Beside, besideLines } from './kinds/batch-words.ts'
export { type Act, type CallAct, eachAlone, movedBy, type PaymentAct, type Source, type StakeAct, toWhom } from './kinds/act.ts'
export { inscribedCoin } from './kinds/brc20/brc20.ts'
export { type Brc20BatchIntent, INSCRIPTIONS_MAX } from './kinds/brc20/brc20-batch.ts'
export type { Brc20InscribeIntent } from './kinds/brc20/brc20-inscribe.ts'
export type { Brc20TransferIntent } from './kinds/brc20/brc20-transfer.ts'
export type { ContractCallIntent } from './kinds/contract-call.ts'
export type { DepositChildIntent } from './kinds/deposit-child.ts'
export { BY_SCHEDULE, type KeyAction, type KeyChangeIntent } from './kinds/key-change.ts'
export type { KeyOrderIntent } from './kinds/key-order.ts'
export { FREEZES_MAX, liftFreezeFault, type LiftFreezeIntent } from './kinds/lift-freeze.ts'
export { EVERYTHING, standingOrderFault, type StandingOrderIntent, STANDING_DAYS_MAX } from './kinds/standing-order/standing-order.ts'
export { listedTargets, writtenTarget } from './kinds/standing-order/targets.ts'
export { dayPaid, dueMs, lastMs, SCHEDULE_DATES_MAX, SCHEDULE_LATE_DAYS_MAX } from './kinds/standing-order/schedule.ts'
export { callsCollector, describeStandingChange, standingOrderRows } from './kinds/standing-order/standing-order-words.ts'
export type { NotedPayoutIntent } from './kinds/noted-payout.ts'
export type { PayoutIntent } from './kinds/payout.ts'
export { type PolicyChangeIntent, policyChangeIntentShape } from './kinds/policy-change.ts'
export type { ReplacementIntent } from './kinds/replacement.ts'
export { isDelegation, stakeActionName, stakeFault, type StakeIntent, stakeOrderOf, stakeTitle } from './kinds/stake.ts'
export type { TransferIntent } from './kinds/transfer.ts'
export { PUSH_ENDPOINT_MAX, type Push, pushChallenge, pushShape, type PushStatement } from './push.ts'
export { verifyP256 } from './verify-p256.ts'
export { waitingChallenge, waitingShape, type Waiting, type WaitingStatement } from './waiting.ts'
export { freezeHash, freezeShape, freezeStatementShape, type Freeze, type FreezeStatement } from './freeze.ts'
export { LIMITS_EACH, type LimitEach, limitShape, type StoredLimit } from './limit.ts'
export { type Stop, stopHash, STOPPED_MAX, stoppedShape, stopShape, type StopStatement } from './stop.ts'
export { describeCall, type CallInWords } from './render-call.ts'
export { describeTrade } from './render-trade.ts'
export { moneyText } from './order-rows.ts'
export { earlierRenderings, renderFor, renderHash, renderIntent, wordings } from './render-intent.ts'
export { LOCALES, type Locale, type RenderContext, type RenderedRow, type Rendering, timeInWords } from './rendering.ts'
export { groupAddress } from './group-address.ts'
export { CodedRefusal, fillSentence, type Refusal, type RefusalOf } from './refusal.ts'
