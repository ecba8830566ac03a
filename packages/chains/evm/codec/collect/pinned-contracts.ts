import collectorArtifact from '../../artifacts/collector.json' with { type: 'json' }
import sweeperArtifact from '../../artifacts/sweeper.json' with { type: 'json' }
import { pinnedContract } from './pinned-contract.ts'

/** Pulls tokens from addresses that allowed it to (`contracts/collector.sol`). */
export const collector = /* @__PURE__ */ pinnedContract({
  name: 'collector',
  artifact: collectorArtifact,
  creationHash: '44877c6c456aa0e78268b82542d7b687f9444a0aba70f54872553bbb423acb44',
  runtimeHash: '7c54a23d70bd63c126622f8a5b08937b3e76cd12bb938fb9881ec6b8bc6116b5',
})

/** Collects from addresses that delegated to it by EIP-7702 (`contracts/sweeper.sol`). */
export const sweeper = /* @__PURE__ */ pinnedContract({
  name: 'sweeper',
  artifact: sweeperArtifact,
  creationHash: '73af0b1cc6cee868a99624e7f89b81aff81fe66b08923170407ef2ee09b613dc',
  runtimeHash: '7c95fecb8f5b5844d11be7d2aaa0780f084345ffa75ac8de2e7dbc4a60dd98fa',
})
