import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { AppError } from '@holdfast/contract'
import { fingerprintOfKeys, publicKeyText } from '@holdfast/open-wire'
import type { KeySettings } from '../settings-contract.ts'
import { demandDoorTwo, doorTwoKeys } from './door-two.ts'

const publicKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
const [one, two] = [publicKey(), publicKey()]
const settings = (door_two: KeySettings['door_two']): KeySettings => ({ permissions: [], wallets: null, addresses: [], per_minute: 1, is_on: true, door_two })
const refused = (error: unknown) => error instanceof AppError && error.errorName === 'invalid_parameters'

test('RSA keys count only where the policy has their fingerprint, in their places', () => {
  const both = settings({ request_key: publicKeyText(one), sign_key: publicKeyText(two), callback: null })
  assert.ok(doorTwoKeys(both, fingerprintOfKeys(one, two))?.sign.equals(two))
  assert.ok(doorTwoKeys(settings({ request_key: publicKeyText(one), sign_key: null, callback: null }), fingerprintOfKeys(one, one))?.sign.equals(one))
  for (const [given, fingerprint] of [
    [both, fingerprintOfKeys(two, one)],
    [both, fingerprintOfKeys(one, one)],
    [settings(null), fingerprintOfKeys(one, two)],
    [settings({ request_key: 'none', sign_key: null, callback: null }), fingerprintOfKeys(one, one)],
    [undefined, fingerprintOfKeys(one, two)],
  ] as const)
    assert.equal(doorTwoKeys(given, fingerprint), undefined)
})

test('no key calls at both doors: RSA keys stand in the settings of one for door two, and of no other', () => {
  const door = settings({ request_key: publicKeyText(one), sign_key: null, callback: null })
  demandDoorTwo({ kind: 'apiRsa', publicKey: fingerprintOfKeys(one, one) }, door)
  demandDoorTwo({ kind: 'api', publicKey: new Uint8Array(32) }, settings(null))
  demandDoorTwo({ kind: 'coSigner', publicKey: new Uint8Array(32) }, undefined)
  assert.throws(() => demandDoorTwo({ kind: 'apiRsa', publicKey: fingerprintOfKeys(two, two) }, door), refused)
  assert.throws(() => demandDoorTwo({ kind: 'apiRsa', publicKey: fingerprintOfKeys(one, one) }, settings(null)), refused)
  assert.throws(() => demandDoorTwo({ kind: 'api', publicKey: fingerprintOfKeys(one, one) }, door), refused)
})
