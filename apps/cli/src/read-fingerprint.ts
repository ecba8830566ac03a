import { UsageError } from './command.ts'

/** A fingerprint as people write it: 64 hexadecimal digits, with or without blanks. Lower case without blanks. Throws UsageError. */
export function readFingerprint(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const digits = given.replace(/[\s:]+/g, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(digits)) throw new UsageError('--fingerprint takes the 64 hexadecimal digits that the organisation was founded under')
  return digits
}
