import { toHex } from '@holdfast/encoding'
import { known } from '@holdfast/units'
import type { Register, Staged } from './register.ts'

// The epochs of a key: the one that is made, the one that is signed with, and those from before that are still kept.

/** The next epoch of a key. */
export const stagedOf = ({ staged }: Register, keyId: Uint8Array): Staged => known(staged.get(toHex(keyId)), `the next epoch of key ${toHex(keyId)}`)

/** Signs with the next epoch from now on. */
export function activateEpoch(register: Register, keyId: Uint8Array, atMs: number): void {
  const name = toHex(keyId)
  const { keyId: id, epoch, protocol, curve, publicKey, chainCode, received } = stagedOf(register, keyId)
  const before = register.keys.get(name)
  if (before) register.former.set(name, [...(register.former.get(name) ?? []), before])
  // A signer that was given a share had lost its folder, and remembers all since it pinned anew; or its folder was put back, and nobody knows to when.
  if (received) register.beganAnewAtMs = before ? atMs : Math.max(register.pinnedAtMs, register.beganAnewAtMs ?? 0)
  register.keys.set(name, { keyId: id, epoch, protocol, curve, publicKey, chainCode })
  register.staged.delete(name)
}

/** Gives up an epoch from before. */
export function retireEpoch(register: Register, { keyId, epoch }: { keyId: Uint8Array; epoch: bigint }): void {
  const name = toHex(keyId)
  const kept = register.former.get(name) ?? []
  register.retired.push(...kept.filter((key) => key.epoch === epoch))
  register.former.set(
    name,
    kept.filter((key) => key.epoch !== epoch),
  )
}
