import type { KeyObject } from 'node:crypto'
import { AppError } from '@holdfast/contract'
import { equalBytes } from '@holdfast/encoding'
import { fingerprintOfKeys, readPublicKey } from '@holdfast/open-wire'
import type { Machine } from '@holdfast/policy'
import type { KeySettings } from '../settings-contract.ts'

export type DoorTwoKeys = { request: KeyObject; sign: KeyObject }

/** The RSA keys of a program that calls at door two, where they are the ones whose fingerprint the policy has; undefined otherwise. */
export function doorTwoKeys(settings: Pick<KeySettings, 'door_two'> | undefined, fingerprint: Uint8Array): DoorTwoKeys | undefined {
  const { request_key: given, sign_key: signGiven } = settings?.door_two ?? {}
  const request = given === undefined ? undefined : readPublicKey(given)
  const sign = signGiven === null ? request : signGiven === undefined ? undefined : readPublicKey(signGiven)
  return request && sign && equalBytes(fingerprintOfKeys(request, sign), fingerprint) ? { request, sign } : undefined
}

/** Throws AppError unless settings have RSA keys exactly where the policy has the fingerprint of such. */
export function demandDoorTwo({ kind, publicKey }: Pick<Machine, 'kind' | 'publicKey'>, settings: KeySettings | undefined): void {
  const isSound = kind === 'apiRsa' ? settings === undefined || doorTwoKeys(settings, publicKey) !== undefined : (settings?.door_two ?? null) === null
  if (isSound) return
  const reason = 'it must be RSA public keys of 2048 bits whose fingerprint the policy has, and only of a key that calls at door two'
  throw new AppError('invalid_parameters', { details: { field: 'door_two', reason } })
}
