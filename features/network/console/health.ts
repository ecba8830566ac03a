import type { OutputOf } from '@holdfast/contract'
import type { getNetworkStatus } from '../contract.ts'

export type NetworkStatus = OutputOf<typeof getNetworkStatus>
export type Health = 'good' | 'warn' | 'bad'

/** How many signers make a signature. */
const SIGNERS_NEEDED = 2

/**
 * How the installation stands in one word: bad where payments cannot be made (no network answers or all stand still, or fewer than
 * two signers are connected) or where money is not where the ledger says, warn where something is missing for which payments may have to wait: those on
 * a network, or all of them while one signer is away (ADR 12).
 */
export function healthOf({ networks, signers, alarms }: NetworkStatus): Health {
  const online = signers.filter((signer) => signer.online).length
  if (online < SIGNERS_NEEDED || networks.every((network) => !works(network)) || alarms.some(({ cause }) => cause === 'books' || cause === 'missing'))
    return 'bad'
  return online < signers.length || networks.some((network) => !works(network)) || alarms.length > 0 ? 'warn' : 'good'
}

/** Whether payments on a network go on. */
export function works({ healthy, halt }: NetworkStatus['networks'][number]): boolean {
  return healthy && halt === null
}

type Cause = NetworkStatus['alarms'][number]['cause']
type SeenCause = Extract<Cause, 'surplus' | 'untold' | 'odd_log' | 'uncredited'>

/** Whether an alarm ends when a person has looked into it. Others end when what is wrong is no more. */
export function isSeenByPeople(cause: Cause): cause is SeenCause {
  return cause === 'surplus' || cause === 'untold' || cause === 'odd_log' || cause === 'uncredited'
}
