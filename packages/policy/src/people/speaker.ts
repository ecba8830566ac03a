import { machineOfParty } from './machines.ts'
import { findPerson, type Policy } from '../policy.ts'

/** Who asks for an order, or counts in a step: a person, or a machine by the id under which it stands. */
export type Speaker = { id: Uint8Array; name: string; isMachine?: true }

/** Who stands under an id in a policy. A machine's name says that it is one. */
export function findSpeaker(policy: Policy, id: Uint8Array): Speaker | undefined {
  const person = findPerson(policy, id)
  if (person) return person
  const machine = machineOfParty(policy, id)
  return machine && { id, name: `${machine.name} (${machine.kind === 'coSigner' ? 'co-signer' : 'API'})`, isMachine: true }
}
