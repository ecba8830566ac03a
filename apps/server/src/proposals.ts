import { keyChangeKind } from '@holdfast/features/key-recovery/server'
import { currentPolicy, policyChangeKind, signerOrderKind } from '@holdfast/features/policy/server'
import type { Proposals } from '@holdfast/features/proposal/server'
import { claimKind, orderKind } from '@holdfast/features/transaction/server'

/** Everything that people decide: a new kind is one line here. */
export const proposals: Proposals = {
  kinds: [policyChangeKind, signerOrderKind, keyChangeKind, claimKind, orderKind],
  policyInForce: async (tx) => (await currentPolicy(tx)).policy,
}
