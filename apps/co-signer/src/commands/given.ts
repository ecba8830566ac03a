import type { Ports } from '@holdfast/ports'
import { PASSWORD_LENGTH_MIN } from '../state/sealed-key.ts'

/** A command line that means nothing. The message says what to write instead. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** What every command is given. */
export type Given = { ports: Ports; configPath: string; values: Record<string, string | undefined>; password: () => Promise<string> }

/** A password of some length. Throws UsageError. */
export function longEnough(password: string): string {
  if ([...password].length < PASSWORD_LENGTH_MIN) throw new UsageError(`The password needs at least ${PASSWORD_LENGTH_MIN} characters.`)
  return password
}
