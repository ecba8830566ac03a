export { approvalContext, checkApproval, ApprovalRefused } from './check-approval.ts'
export { countApprovals, type Tally } from './count-approvals.ts'
export { evaluate, isAboveFirstTier, type Order, type Outcome } from './evaluate.ts'
export { checkGenesis, genesisHash, genesisShape, GenesisRefused, type Genesis } from './genesis.ts'
export { checkRecord, genesisRecordShape, type GenesisRecord, type ProvenOrganisation } from './genesis-record.ts'
export { replacedSigners, type SignerIdentity, signersOf } from './signers.ts'
export {
  checkPolicy,
  findPerson,
  FIRST_VERSION,
  NO_HASH,
  policyHash,
  policyShape,
  PolicyRefused,
  type Person,
  type Policy,
  type RecoveryRecipients,
  type Rule,
} from './policy.ts'
export { checkNextPolicy, checkPolicyChange, policyChangeRecordShape, type Founding, type PolicyChangeRecord } from './policy-change.ts'
export { networksApart } from './one-network.ts'
export { describesPinnedAssets } from './describes-pinned-assets.ts'
export { describePolicy } from './describe-policy.ts'
export { grouped, recipientFingerprint } from './recipient-fingerprint.ts'
export { describeChange } from './describe-change.ts'
