import type { ServerFeature } from '@holdfast/features/server-feature'
import { approvalPageEndpoints } from './approval-pages.ts'
import { policyChangeKind } from './change/change-kind.ts'
import { policyEndpoints } from './change/policy-routes.ts'
import { startPolicyChanges } from './change/run-policy-changes.ts'
import { freezePageCalls } from './freeze-page-calls.ts'
import { strategyEndpoints } from './routes.ts'
import { startSignerOrders } from './signer-order/run-signer-orders.ts'
import { signerOrderKind } from './signer-order/signer-order-kind.ts'
import { signerOrderEndpoints } from './signer-order/signer-order-routes.ts'

export { hasOpenSignerOrder, readSignerOrderByIntent, type SignerOrder, signerOrderOf, signerOrders } from './signer-order/signer-order.ts'
export { type BookVersion, followedBookOrders } from './signer-order/bring-book-up.ts'
export { proposeBookChange, proposeStandingOrder, type StandingOrderTerms } from './signer-order/propose-signer-order.ts'
export { followedStandingOrders, organisationsWithStandingOrders, type StandingOrderInForce } from './signer-order/standing-orders.ts'
export { type Stopped, standingStops } from './stops.ts'
export { type SignerOrderViewer, signerOrderView } from './signer-order/signer-order-view.ts'
export type { FollowNeeds } from './signer-order/follow-signer-order.ts'
export { isUntold, tellSigners } from './tell-signers.ts'
export { freezePageCalls } from './freeze-page-calls.ts'
export { bringSignersUp, bringUpForSigning } from './change/bring-signers-up.ts'
export { wholeEvidence, wholeRefusal } from './whole-evidence.ts'
export { currentPolicy, policyAt, policyOf, type PolicyInForce, recordInForce, recordToPin } from './current-policy.ts'
export { describeDenial, type DescribedOutcome, describeOutcome } from './describe-outcome.ts'
export { type Around, checkedNext, DraftRefused, type MakePolicy, namedPeople, PeopleRefused, readDirectory, versionAfter } from './change/next-policy.ts'
export { draftIntent, proposePolicyChange, toldNow } from './change/propose-policy.ts'
export { closingOrders } from './change/closing-orders.ts'
export { type PolicyChange, changeOf, policyChanges } from './change/policy-change.ts'
export { quorumsOfChange } from './change/change-quorums.ts'
export { changeView } from './change/change-view.ts'
export { availableIn, brokenText, keyView, refuseUnmetParts } from './policy-view.ts'
export { policyWords } from './policy-words.ts'
export { type BrokenQuorum, brokenQuorums, isSamePlace, newlyBroken, placesOf, withoutPeople } from './quorum-health.ts'
export { signersInForce } from './signers-in-force.ts'
export { isRecipient } from './recovery-officers.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => [
    ...strategyEndpoints(context),
    ...policyEndpoints(context, session),
    ...signerOrderEndpoints(context, session),
    ...approvalPageEndpoints(context),
  ],
  pageCalls: freezePageCalls,
  proposals: [policyChangeKind, signerOrderKind],
  work: (context, { report }) => [startPolicyChanges(context, report), startSignerOrders(context, report)],
}
