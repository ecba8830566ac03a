import type { ContractCall } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { DEPLOYER } from '../collect/pinned-contract.ts'

/** Keccak-256 of the call data that deploys the contract that pays many: signers know it by this, without carrying its code. */
export const PAYOUTS_DEPLOYMENT_HASH = '7467dde02735e60888f974d0705fe643e0816ca5fade689ee0afa287c66a9d3e'
const LENGTH = 1928

/** Whether a call deploys the contract that pays many, and nothing else: its code is fixed, and to have it stand moves nothing and gives no right. */
export const isPayoutsDeployment = ({ contract, data }: Pick<ContractCall, 'contract' | 'data'>): boolean =>
  contract === DEPLOYER && data.length === LENGTH && toHex(keccak_256(data)) === PAYOUTS_DEPLOYMENT_HASH
