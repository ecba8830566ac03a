import { bytes, digest, equalBytes, type Infer, struct, text, toHex, uint } from '@holdfast/encoding'
import { algorithmOf, isPointOfP256, MACHINE_KEY_BYTES } from '@holdfast/intent'

/**
 * What a machine can be for: it asks for orders through the API, asks at door two, approves in a step of its own, or says what a screening service found. What
 * is asked at door two has no signature that a signer could check: that the machine asks is the word of the server, and its key here is a fingerprint.
 */
export const MACHINE_KINDS = ['api', 'apiRsa', 'coSigner', 'screener'] as const
/** The kinds that ask. */
export const ASKING_KINDS: readonly string[] = ['api', 'apiRsa']
/** The kinds that make calls, with settings of their own at the server. */
export const CALLING_KINDS: readonly string[] = [...ASKING_KINDS, 'screener']

/**
 * A program with a key of its own: of Ed25519, or, where it calls through the API, of P-256 (`algorithmOf`). It is never a person: it counts towards no number of
 * people, and it cannot govern.
 */
export const machineShape = struct('holdfast/machine/v1', {
  id: text(64),
  name: text(64),
  kind: text(16),
  publicKey: bytes(undefined, MACHINE_KEY_BYTES),
  purpose: text(200),
  expiresAtMs: uint(53),
})

export type Machine = Infer<typeof machineShape>

const partyShape = struct('holdfast/machine/party/v1', { id: text(64) })

/** The id under which a machine stands where orders, steps and limits name people: nobody can choose it to be a person's. */
export const partyOfMachine = ({ id }: Pick<Machine, 'id'>): Uint8Array => digest(partyShape, { id }).slice(0, 16)

/** A policy as far as its machines go. */
type Machines = { people: readonly unknown[]; machines?: readonly Machine[] }

/** The machines of a policy: its forms before the third have none. */
export const machinesOf = ({ machines = [] }: Machines): readonly Machine[] => machines

export const findMachine = (directory: Machines, id: string): Machine | undefined => machinesOf(directory).find((each) => each.id === id)

/** The machines of a version of a policy, which is never changed, by the ids under which they stand. */
const byParty = new WeakMap<readonly Machine[], Map<string, Machine>>()

/** The machine that stands under this id where orders name people; undefined where none does. */
export function machineOfParty({ machines = [] }: Machines, party: Uint8Array): Machine | undefined {
  if (machines.length === 0) return undefined
  const known = byParty.get(machines) ?? new Map(machines.map((each) => [toHex(partyOfMachine(each)), each]))
  byParty.set(machines, known)
  return known.get(toHex(party))
}

/** Whether a machine asks here without a signature that can be checked: then people or a co-signer decide, and its word is never enough. */
export const asksUnsigned = (directory: Machines, party: Uint8Array): boolean => machineOfParty(directory, party)?.kind === 'apiRsa'

/** Why the machines of a policy cannot stand; undefined if they can. */
export function faultOfMachines({ machines, people }: { machines: readonly Machine[]; people: readonly { id: Uint8Array }[] }): string | undefined {
  const twice = (of: (machine: Machine) => string) => new Set(machines.map(of)).size !== machines.length
  if (twice(({ id }) => id)) return 'has two machines of one id'
  if (twice(({ name }) => name)) return 'has two machines of one name'
  if (twice(({ publicKey }) => toHex(publicKey))) return 'gives one public key to two machines'
  if (machines.some(({ name }) => name.trim() === '')) return 'has a machine without a name'
  if (machines.some((each) => people.some(({ id }) => equalBytes(id, partyOfMachine(each))))) return 'has a machine that goes by the id of a person'
  if (machines.some((each) => !hasKeyOfItsKind(each))) return 'has a machine whose public key is none that a machine of its kind signs with'
  const unknown = machines.find(({ kind }) => !MACHINE_KINDS.some((each) => each === kind))
  return unknown && `has a machine of the kind ${unknown.kind}, which is none`
}

/** A co-signer is known by its key on its link as well, and at door two the key is a fingerprint: both have 32 bytes. */
const hasKeyOfItsKind = ({ kind, publicKey }: Machine): boolean =>
  algorithmOf(publicKey) === 'ed25519' || ((kind === 'api' || kind === 'screener') && isPointOfP256(publicKey))
