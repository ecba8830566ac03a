import type { Signed } from '@holdfast/protocol'

export class CoSignerError extends Error {
  override name = 'CoSignerError'
  readonly kind: 'refused' | 'fault' | 'cheat' | 'unavailable'
  readonly party: number
  /** The failed check c1 to c15 where the signer refused. */
  readonly check: string
  /** The signer's signed refusal statement. */
  readonly statement: Signed | undefined
  constructor(failure: { kind: CoSignerError['kind']; party: number; check: string; message: string; statement?: Signed | undefined }, options?: ErrorOptions) {
    super(failure.message, options)
    this.kind = failure.kind
    this.party = failure.party
    this.check = failure.check
    this.statement = failure.statement
  }

  /** What stories keep of it: a refusal with the number of the check before the signer's sentence. */
  get told(): string {
    return this.check === '' ? this.message : `${this.check}: ${this.message}`
  }
}
