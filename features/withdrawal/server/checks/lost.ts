import { AppError } from '@holdfast/contract'
import { policyErrors } from '@holdfast/features/policy/errors'
import { describeDenial } from '@holdfast/features/policy/server'
import { lossOfPayment } from '@holdfast/policy'
import type { Check } from './check.ts'

/** A payment that nobody could ever spend is refused: no signer signs it. */
export const lost: Check = {
  known: ({ request: { asset, outputs, language }, recipients }) => {
    recipients.forEach((to, i) => {
      const denied = lossOfPayment(asset, to)
      const place = outputs && { recipient: i + 1 }
      if (denied) throw new AppError(policyErrors.strategy_blocked, { details: { reason: describeDenial(denied, language), denied, rule_id: null, ...place } })
    })
  },
}
