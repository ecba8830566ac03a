// What makes rules, which no signer needs: it is told them.
export { type KeptRule, moveOver } from './move-over.ts'
export { isSameRule } from './same-rule.ts'
export { type TieredAsset, type TierPeople, tieredRules } from './templates.ts'
