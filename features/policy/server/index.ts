import type { ServerFeature } from '@holdfast/features/server-feature'
import { approvalPageEndpoints } from './approval-pages.ts'
import { policyEndpoints } from './change/policy-routes.ts'
import { startPolicyChanges } from './change/run-policy-changes.ts'
import { strategyEndpoints } from './routes.ts'
import { startSignerOrders } from './signer-order/run-signer-orders.ts'
import { signerOrderEndpoints } from './signer-order/signer-order-routes.ts'

export { pokePolicyChanges } from './change/run-policy-changes.ts'
export { keepFreeze } from './freezes.ts'
export { pokeSignerOrders } from './signer-order/run-signer-orders.ts'
export { readSignerOrderByIntent } from './signer-order/signer-order.ts'
export { approveSignerOrder } from './signer-order/approve-signer-order.ts'
export { listSignerOrderItems, type SignerOrderItem } from './signer-order/signer-order-view.ts'
export { approvePolicyChange, type Decided } from './change/approve-policy-change.ts'
export { bringSignersUp } from './change/bring-signers-up.ts'
export { currentPolicy, policyAt, type PolicyInForce, recordInForce } from './current-policy.ts'
export { describeDenial, describeOutcome } from './describe-outcome.ts'
export { describeChangeItem, listChangeItems, type ChangeItem } from './change/list-change-items.ts'
export { readDirectory } from './change/next-policy.ts'
export { readPolicyChangeByIntent } from './change/policy-change.ts'
export { availableIn, brokenText, keyView } from './policy-view.ts'
export { policyWords } from './policy-words.ts'
export { newlyBroken, placesOf, withoutPeople } from './quorum-health.ts'
export { type ServedPage, servedPages } from './served-pages.ts'
export { signersInForce } from './signers-in-force.ts'
export { closingOrders, type ClosingOrders } from './change/closing-orders.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => [
    ...strategyEndpoints(context),
    ...policyEndpoints(context, session),
    ...signerOrderEndpoints(context, session),
    ...approvalPageEndpoints(context),
  ],
  work: (context, { report }) => [startPolicyChanges(context, report), startSignerOrders(context, report)],
}
