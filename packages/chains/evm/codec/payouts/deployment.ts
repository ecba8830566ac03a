import payoutsArtifact from '../../artifacts/payouts.json' with { type: 'json' }
import { fixedContract } from '../collect/pinned-contract.ts'

/** Pays many recipients by one transaction (`contracts/payouts.sol`): the same for everybody, and for nobody's keeping. */
export const payouts = /* @__PURE__ */ fixedContract({
  name: 'payouts',
  artifact: payoutsArtifact,
  creationHash: '13b0a042eb5cc06ce4d15f15b3c67386f70e5f63af1054f9bdf80df9f1f2da19',
  runtimeHash: '362e7d988b84fed7972c00e575fdb0416e6ca3357ed6d7205acf6d9e2aca23c7',
})
