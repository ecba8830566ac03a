import { type Machine, machineOfParty, machinesOf, partyOfMachine } from './machines.ts'
import { findPerson, type Policy } from '../policy.ts'

/** Who asks for an order, or counts in a step: a person, or a machine by the id under which it stands. */
export type Speaker = {
  id: Uint8Array
  name: string
  isMachine?: true
  /** Who spoke for this person, where it was not they themselves. */
  by?: { id: Uint8Array; name: string }
}

const CALLED: Record<string, string> = { coSigner: 'co-signer', screener: 'screener', apiRsa: 'API, door two: not signed' }

const speakerOf = (machine: Machine, id: Uint8Array): Speaker & { isMachine: true } => ({
  id,
  name: `${machine.name} (${CALLED[machine.kind] ?? 'API'})`,
  isMachine: true,
})

/** The machines of a policy as who asks for an order or counts in a step. */
export const machineSpeakers = (policy: Policy): (Speaker & { isMachine: true })[] => machinesOf(policy).map((each) => speakerOf(each, partyOfMachine(each)))

/** Who stands under an id in a policy. A machine's name says that it is one. */
export function findSpeaker(policy: Policy, id: Uint8Array): Speaker | undefined {
  const person = findPerson(policy, id)
  if (person) return person
  const machine = machineOfParty(policy, id)
  return machine && speakerOf(machine, id)
}
