import type { ProtocolContext } from '@holdfast/mpc'
import type { SessionRequest } from '@holdfast/protocol'
import type { Organisation } from '../state/organisation.ts'
import { Refused } from '../checks/refused.ts'
import { generateKey } from './generate-key.ts'
import { pairSetup } from './pair-setup.ts'
import { reshare } from './reshare.ts'
import { shareCheck } from './share-check.ts'
import { sign } from './sign.ts'
import type { Requested, Task, TaskContext } from './task.ts'

/** The forms of earlier versions are only read, in refusals that are kept. */
function earlierForm(): never {
  throw new Refused('c1', 'asked in the form of an earlier version: bring the server up to date')
}

/** How this signer takes on a session of each kind. */
const KINDS: { [K in SessionRequest['kind']]: (request: Requested<K>, context: TaskContext) => Task } = {
  generateKey,
  pairSetup,
  sign,
  fourthSign: earlierForm,
  thirdSign: earlierForm,
  firstSign: earlierForm,
  reshare,
  shareCheck,
}

/** Decides whether this signer takes part, and how. Throws Refused. */
export const takeOn = <K extends SessionRequest['kind']>(request: Requested<K>, context: TaskContext): Task => KINDS[request.kind](request, context)

/** The context every protocol message of a session is bound to. */
export function protocolContext(organisation: Organisation, request: SessionRequest, protocol: string, session: Uint8Array): ProtocolContext {
  const { keyId, epoch, parties } = request
  return { protocol, genesis: organisation.fingerprint, keyId, epoch, session, me: organisation.party, parties: parties.map(Number) }
}
