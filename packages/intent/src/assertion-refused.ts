import { CodedRefusal, type RefusalOf } from './refusal.ts'

/** Which rule of an assertion was broken. */
export const ASSERTION_REFUSALS = {
  'assertion-other-credential': 'made with another credential',
  'assertion-other-kind': 'a {credential} credential cannot give a {assertion} assertion',
  'assertion-other-challenge': 'signed for another challenge',
  'assertion-other-origin': 'origin {origin} is not an approval origin of the policy',
  'assertion-other-relying-party': 'signed for another relying party',
  'assertion-backup-changed': 'backup eligibility changed since enrolment',
  'assertion-signature': 'signature does not verify',
  'authenticator-cut-short': 'authenticator data cut short',
  'authenticator-nobody-present': 'no user presence',
  'authenticator-nobody-verified': 'no user verification',
  'authenticator-odd-flags': 'authenticator data has flags that an assertion never has',
  'authenticator-odd-backup': 'backed up, but not eligible for backup',
  'authenticator-too-long': 'authenticator data has more than an assertion has',
  'client-other-act': 'client data is not of an authentication',
  'client-framed': 'signed inside a frame of another origin',
  'client-framed-page': 'signed inside a page of another origin',
  'client-incomplete': 'client data without challenge and origin',
  'client-not-plain': 'client data is not JSON in its plain form',
} as const

/** Why an assertion does not count: which rule it broke. */
export class AssertionRefused extends CodedRefusal<typeof ASSERTION_REFUSALS> {
  override name = 'AssertionRefused'

  constructor(refusal: RefusalOf<typeof ASSERTION_REFUSALS>, options?: ErrorOptions) {
    super(ASSERTION_REFUSALS, refusal, options)
  }
}
