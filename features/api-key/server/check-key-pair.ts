import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { currentPolicy } from '@holdfast/features/policy/server'
import { readOpenChange } from '@holdfast/features/strategy/server'
import { algorithmOf, isSignedByKey, verifyP256 } from '@holdfast/intent'
import { findMachine } from '@holdfast/policy'
import { keyCheckText } from '../key-check-text.ts'
import { keyIdOf } from './door/admit-call.ts'

/**
 * Whether the text that names a key was signed by its private half. A key that is only proposed can be checked too: a wrong half is best found before
 * people approve it. Throws AppError where there is no such key.
 */
export async function isPairOf(tx: OrganisationTx, { machineId, nonce, signature }: { machineId: string; nonce: string; signature: string }): Promise<boolean> {
  const { policy } = await currentPolicy(tx)
  const next = (await readOpenChange(tx))?.next
  const machine = findMachine(policy, machineId) ?? (next && findMachine(next, machineId))
  if (machine?.kind !== 'api') throw new AppError('resource_not_found')
  const text = keyCheckText(keyIdOf({ orgId: tx.orgId, machineId }), nonce)
  const [signed, message] = [Uint8Array.from(Buffer.from(signature, 'base64')), new TextEncoder().encode(text)]
  if (isSignedByKey(signed, message, machine.publicKey)) return true
  // OpenSSL and key services give ECDSA as DER, and it opens nothing here.
  return algorithmOf(machine.publicKey) === 'ecdsa-p256-sha256' && verifyP256(signed, message, machine.publicKey, 'der')
}
