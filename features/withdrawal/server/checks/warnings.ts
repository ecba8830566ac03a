import { AppError } from '@holdfast/contract'
import { knownAddressErrors } from '@holdfast/features/known-address/errors'
import { WARNINGS, type Warning } from '../../contract.ts'
import type { KnownAddress } from '@holdfast/features/known-address/server'
import type { Check } from './check.ts'

/** Every warning that applies to a recipient must have been acknowledged by its name. */
export const warnings: Check = {
  told: (_, { addresses, isContract, isControlledByOthers, input }) => {
    for (const address of addresses) demandAcknowledged(address, { contract: isContract, control: isControlledByOthers }, input.ack)
  },
}

/** Throws `address_look_alike` with the warnings that apply and were not acknowledged, and why. */
export function demandAcknowledged(address: KnownAddress, chain: Pick<Record<Warning, boolean>, 'contract' | 'control'>, ack: string): void {
  const given = new Set(ack.split(',').map((each) => each.trim()))
  const applies: Record<Warning, boolean> = {
    lookalike: address.similarTo.length > 0,
    policy_contract: address.isNamed,
    control: chain.control,
    contract: chain.contract && !address.isNamed,
    first_seen: address.firstSeen && address.own === null,
  }
  const missing = WARNINGS.filter((warning) => applies[warning] && !given.has(warning))
  if (missing.length > 0) throw new AppError(knownAddressErrors.address_look_alike, { details: { warnings: missing, similar_to: address.similarTo } })
}
