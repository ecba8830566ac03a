export { DEPLOYER, type PinnedContract } from './pinned-contract.ts'
export { collector, sweeper } from './pinned-contracts.ts'
export { allowanceCall, type Collect, collectCall, decodeCollect, encodeCollect, type Pull, PULLS_MAX, readAllowance, readCollect } from './collect-call.ts'
export { codeDelegatingTo, type Delegation, delegateOfCode, delegationTo, readDelegation, readSweep, type Sweep } from './delegation.ts'
