export { startPolicyChanges } from './run-policy-changes.ts'
export { keepFreeze } from './freezes.ts'
export { pokeSignerOrders, startSignerOrders } from './run-signer-orders.ts'
export {
  announceSignerOrder,
  moveSignerOrder,
  readSignerOrder,
  readSignerOrderByIntent,
  type SignerOrder,
  signerOrderOf,
  writeSignerOrderEvent,
} from './signer-order.ts'
export { approvePolicyChange, type Decided, organisationOfChange } from './approve-policy-change.ts'
export { bringSignersUp } from './bring-signers-up.ts'
export { currentPolicy, policyAt, type PolicyInForce, recordInForce } from './current-policy.ts'
export { describeDenial, describeOutcome } from './describe-outcome.ts'
export { describeChangeItem, listChangeItems, type ChangeItem } from './list-change-items.ts'
export { readDirectory } from './next-policy.ts'
export { readPolicyChangeByIntent } from './policy-change.ts'
export { policyEndpoints, type SecondFactor } from './policy-routes.ts'
export { availableIn, brokenText, keyView } from './policy-view.ts'
export { policyWords } from './policy-words.ts'
export { newlyBroken, placesOf, withoutPeople } from './quorum-health.ts'
export { pokePolicyChanges } from './run-policy-changes.ts'
export { signersInForce } from './signers-in-force.ts'
export { strategyEndpoints } from './routes.ts'
export { closingOrders, type ClosingOrders } from './closing-orders.ts'
