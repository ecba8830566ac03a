/** What of a request does not hold, by the check that failed. A request that is refused is answered by no decision. */
export class Refused extends Error {
  override name = 'Refused'
  readonly check: RefusedCheck
  constructor(check: RefusedCheck, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.check = check
  }
}

/** The checks, by the names under which the figures count them. */
export type RefusedCheck = 'genesis' | 'policy' | 'machine' | 'order' | 'time' | 'approval' | 'rule' | 'bytes' | 'journal'
