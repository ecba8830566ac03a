import { readCollection } from '@holdfast/chain-core'
import type { Policy } from '../policy.ts'
import { type CallBounds, callBoundsOf } from '../rules/call-bounds.ts'
import { venueForm } from '../rules/trade-bounds.ts'

/**
 * Whether the policy names an address of a chain as a contract: of a token or collection it pins, one that its rules let be called, or a venue of trades. What
 * is paid to such a contract it mostly keeps.
 */
export function namesContract(policy: Policy, chain: string, address: string): boolean {
  const isCalled = (bounds: CallBounds | undefined) => bounds?.chain === chain && bounds.contracts.includes(address)
  const isToken = policy.assets.some((asset) => asset.chain === chain && (readCollection(asset.contract)?.collection ?? asset.contract) === address)
  return isToken || venueForm(policy, chain, address) !== undefined || policy.rules.some((rule) => isCalled(callBoundsOf(rule)))
}
