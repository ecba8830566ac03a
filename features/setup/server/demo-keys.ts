import { equalBytes } from '@holdfast/encoding'
import type { Policy } from '@holdfast/policy'

type People = Pick<Policy, 'people'>

const keysOf = ({ people }: People) => people.flatMap(({ credentials }) => credentials.map(({ publicKey }) => publicKey))

/**
 * Whether anybody of an organisation that was founded as a demo still approves with a key of that founding, where one browser holds those of several people.
 * The keys alone say so: what one is called, its owner chooses.
 */
export function hasDemoKeys(isDemo: boolean, founding: People, present: People): boolean {
  const kept = keysOf(founding)
  return isDemo && keysOf(present).some((key) => kept.some((each) => equalBytes(each, key)))
}
