import { bytes, type Infer, struct, text, toHex, uint } from '@holdfast/encoding'

/** What a machine can be for: it asks for orders through the API, approves in a step of its own, or says what a screening service found. */
export const MACHINE_KINDS = ['api', 'coSigner', 'screener'] as const

/** A program with a key of its own (Ed25519). It is never a person: it counts towards no number of people, and it cannot govern. */
export const machineShape = struct('holdfast/machine/v1', {
  id: text(64),
  name: text(64),
  kind: text(16),
  publicKey: bytes(32),
  purpose: text(200),
  expiresAtMs: uint(53),
})

export type Machine = Infer<typeof machineShape>

/** Why the machines of a policy cannot stand; undefined if they can. */
export function faultOfMachines(machines: readonly Machine[]): string | undefined {
  const twice = (of: (machine: Machine) => string) => new Set(machines.map(of)).size !== machines.length
  if (twice(({ id }) => id)) return 'has two machines of one id'
  if (twice(({ name }) => name)) return 'has two machines of one name'
  if (twice(({ publicKey }) => toHex(publicKey))) return 'gives one public key to two machines'
  if (machines.some(({ name }) => name.trim() === '')) return 'has a machine without a name'
  const unknown = machines.find(({ kind }) => !MACHINE_KINDS.some((each) => each === kind))
  return unknown && `has a machine of the kind ${unknown.kind}, which is none`
}
