import { readCollection } from '@holdfast/chain-core'
import { callRules } from './evaluate.ts'
import type { Policy } from '../policy.ts'

/**
 * Whether the policy names an address of a chain as a contract: of a token or collection it pins, or one that its rules let be called. What is paid to such a
 * contract it mostly keeps.
 */
export function namesContract(policy: Policy, chain: string, address: string): boolean {
  const isToken = policy.assets.some((asset) => asset.chain === chain && (readCollection(asset.contract)?.collection ?? asset.contract) === address)
  return isToken || callRules(policy).some((rule) => rule.chain === chain && rule.contracts.includes(address))
}
