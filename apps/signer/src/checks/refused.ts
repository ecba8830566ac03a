import type { Check } from '@holdfast/protocol'

/** A decision not to take part: the check that failed (see CHECKS in the protocol package), and why. */
export class Refused extends Error {
  override name = 'Refused'
  readonly check: Check

  constructor(check: Check, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.check = check
  }
}
