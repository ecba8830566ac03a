export { APPROVAL_REFUSALS, approvalContext, checkApproval, ApprovalRefused } from './check-approval.ts'
export { checkPush, checkWaiting, ownerOfKey, WAITING_REFUSALS, WaitingRefused } from './check-waiting.ts'
export { checkDelegation, checkStatement, DELEGATION_REFUSALS, DelegationRefused, isInForce } from './people/check-delegation.ts'
export { deputiesMeant, deputiesOf, withDeputies } from './people/deputies.ts'
export { checkFreeze, FREEZE_REFUSALS, FreezeRefused, mayFreeze } from './check-freeze.ts'
export {
  BOOK_ENTRIES_MAX,
  bookFault,
  bookStanding,
  type Book,
  type Destination,
  emptyBook,
  followBookOrder,
  type Listed,
  listedAt,
  type ListedEntry,
} from './book.ts'
export { LISTING_COOLING_MAX_MS, LISTING_COOLING_MS, listingCoolingMs, withListingCooling } from './rules/listing-cooling.ts'
export { checkMachineSignature } from './people/check-machine.ts'
export { countApprovals, seatsByHuman, type Tally } from './count-approvals.ts'
export {
  type Asking,
  evaluatePayment,
  isAboveFirstTier,
  maxAmountsOf,
  type DenyReason,
  type Judged,
  type Needs,
  type Outcome,
  type PaymentDraft,
} from './evaluate/evaluate.ts'
export { type Cap, capsOf, type Counted, countedOf, type Parties, placesOf } from './evaluate/counted.ts'
export { countsTokens, isUnlimitedGrant } from './evaluate/evaluate-call.ts'
export { readVenueTrade } from './evaluate/evaluate-trade.ts'
export { askedAs, evaluateAct, evaluateIntent, evaluateOrder, lossOf, lossOfPayment, outcomesOfAct, outcomesOfOrder } from './evaluate/evaluate-order.ts'
export { eligibleIn, type Filled, fillBySeats, fillSteps, neededIn, oneStep, type Step, stepsFor } from './evaluate/steps.ts'
export { checkGenesis, genesisHash, genesisShape, GenesisRefused, type Genesis } from './genesis.ts'
export {
  checkRecord,
  GENESIS_RECORD_BYTES_MAX,
  genesisRecordShape,
  type GenesisRecord,
  POLICY_CHANGES_MAX,
  type ProvenOrganisation,
  readRecord,
} from './genesis-record.ts'
export { namedIn, replacedSigners, type SignerIdentity, signersOf, withSigners } from './signers.ts'
export { checkPolicy } from './check-policy.ts'
export {
  findPerson,
  FIRST_VERSION,
  hasThirdForm,
  NO_HASH,
  policyHash,
  policyShape,
  rulesOf,
  PolicyRefused,
  type Person,
  type Policy,
  type RecoveryRecipients,
  type ThirdForm,
} from './policy.ts'
export { inThirdForm } from './third-form.ts'
export { ruleName } from './rules/rule-shapes.ts'
export type { BoundedCallRule, CallRule, FirstRule, NamedRule, Rule, StakeRule, TransferRule } from './rules/rule-shapes.ts'
export type { Limit, LimitEach } from './rules/limits.ts'
export { approversOf, chainsOfRule, namesMachine, peopleNamedIn, readRule, readsValues, type RuleFacts } from './rules/read-rule.ts'
export { callBoundsOf } from './rules/call-bounds.ts'
export { stakeBoundsOf } from './rules/stake-bounds.ts'
export { tradeBoundsOf, venueForm } from './rules/trade-bounds.ts'
export type { TradeBounds } from './rules/trades-shape.ts'
export {
  ASKING_KINDS,
  asksUnsigned,
  CALLING_KINDS,
  findMachine,
  type Machine,
  MACHINE_KINDS,
  machineOfParty,
  machinesOf,
  partyOfMachine,
} from './people/machines.ts'
export { findSpeaker, machineSpeakers, type Speaker } from './people/speaker.ts'
export { type Party, peopleMeant, type Who, WHO_MAX } from './people/who.ts'
export { checkRule } from './rules/check-rule.ts'
export { BEYOND_CENTS, centsOf, countedName, unitsWorth, type Valuation } from './rules/valuation.ts'
export type { Group } from './people/groups.ts'
export {
  boundsOf,
  type Comparison,
  type Condition,
  describeCondition,
  type DestinationFacts,
  holds as conditionHolds,
  type PaidTo,
  pinnedBy,
  placeAt,
  SCREENING_AGE_MAX_MS,
  SCREENING_AHEAD_MAX_MS,
  type ScreeningState,
  screeningStateOf,
  VALUE_BYTES_MAX,
} from './conditions/index.ts'
export { faultOfScreening, readScreenings, type Screened, screenerOf, type Screening, type ScreeningFault, UNSCREENED } from './people/read-screenings.ts'
export { asksForScreening, screeningAsked, type ScreeningAsked } from './evaluate/screening-asked.ts'
export { keyOriginOf, withKeyOrigin, type KeyOrigin } from './key-origin.ts'
export {
  checkNextPolicy,
  checkPolicyChange,
  POLICY_CHANGE_BYTES_MAX,
  policyChangeRecordShape,
  type Founding,
  type PolicyChangeRecord,
  waitOfChange,
} from './policy-change.ts'
export { type ChangeQuorum, quorumsOfChange } from './change/change-quorums.ts'
export { loosens } from './change/loosens.ts'
export { changesParts, partsTouched, type Touched } from './change/touched-parts.ts'
export { PARTS, type PartName } from './change/part-names.ts'
export { decidersOf, peopleOfParts, type PartQuorum, quorumOfPart, stoppersOf } from './parts.ts'
export {
  type Carried,
  carriedIn,
  askedByStanding,
  faultUnderStanding,
  needsOfStanding,
  type OwnPlace,
  type StandingFacts,
  standingRuleId,
} from './standing/evaluate-standing.ts'
export { followStandingOrder, type KeptOrder, type StandingOrders, standingOrderPlaceFault, stopStandingOrders } from './standing/standing-orders.ts'
export { checkStop, mayStopStandingOrders } from './standing/check-stop.ts'
export { STANDING_FAULTS } from './standing/standing-faults.ts'
export { namesContract } from './evaluate/names-contract.ts'
export { networksApart } from './one-network.ts'
export { isApprovalOrigin } from './origins.ts'
export { faultOfTokenWallets, type WalletsFault } from './pinned-wallets.ts'
export { describesPinnedAssets } from './describe/describes-pinned-assets.ts'
export { describeCalls } from './describe/describe-call-rule.ts'
export { describeStakes } from './describe/describe-stake-rule.ts'
export { describeTrades } from './describe/describe-trade-rule.ts'
export { describeGovernance, describePolicy, describeRule } from './describe/describe-policy.ts'
export { grouped, recipientFingerprint } from './recipient-fingerprint.ts'
export { nameOfPart } from './describe/describe-third-form.ts'
export { describeChange } from './describe/describe-change.ts'
