import { createPublicKey, verify } from 'node:crypto'
import { AppError } from '@holdfast/contract'
import { handle, type HandledEndpoint } from '@holdfast/http'
import * as z from 'zod'
import { deviceLogin, deviceLoginOptions, deviceRegister, deviceRegisterOptions } from '../../contract.ts'
import { deviceMessage } from '../../device-message.ts'
import { sessionErrors } from '../../errors.ts'
import { newChallengeId, putChallenge, takeChallenge } from './challenges.ts'
import { findCredential, signInWith } from './find-credential.ts'
import { completeRegistration, findRegistrant, newCredentialId } from '../registrant.ts'
import { recordRefusal, type SessionServices } from '../session-services.ts'

const loginShape = z.object({ challenge: z.string() })
const registerShape = z.object({ challenge: z.string(), person_id: z.string() })

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

/** Whether `signature` (r, s; 64 bytes) over `message` was made by the key with this uncompressed point (65 bytes). A point off the curve is no key. */
function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 65 || publicKey[0] !== 4 || signature.length !== 64) return false
  const coordinate = (from: number) => Buffer.from(publicKey.subarray(from, from + 32)).toString('base64url')
  try {
    const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) } })
    return verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

/** Sign-in and registration with a key that the browser keeps and cannot give away. */
export function deviceEndpoints(services: SessionServices): HandledEndpoint[] {
  const newChallenge = () => Buffer.from(services.ports.random.bytes(32)).toString('base64url')
  return [
    handle(deviceLoginOptions, async (context) => {
      services.perIp.demand(context.ip)
      const id = newChallengeId(services)
      const challenge = newChallenge()
      await putChallenge(services, context, 'device_login', id, { challenge })
      return { challenge_id: id, challenge }
    }),

    handle(deviceLogin, async (context, input) => {
      services.perIp.demand(context.ip)
      const { challenge } = await takeChallenge(services, context, 'device_login', input.challenge_id, loginShape)
      const publicKey = bytesOf(input.public_key)
      const found = await findCredential(services, 'device', publicKey)
      const message = deviceMessage('login', context.origin, bytesOf(challenge), publicKey)
      if (found && isSignedBy(publicKey, message, bytesOf(input.signature))) return signInWith(services, context, 'device', found)
      await recordRefusal(services, context, 'device', 'wrong_credential', found)
      throw new AppError(sessionErrors.sign_in_refused)
    }),

    handle(deviceRegisterOptions, async (context, { invite }) => {
      const registrant = await findRegistrant(services, context, invite)
      const id = newChallengeId(services)
      const challenge = newChallenge()
      await putChallenge(services, context, 'device_register', id, { challenge, person_id: registrant.personId })
      return { challenge_id: id, challenge }
    }),

    handle(deviceRegister, async (context, input) => {
      const registrant = await findRegistrant(services, context, input.invite)
      const pending = await takeChallenge(services, context, 'device_register', input.challenge_id, registerShape)
      if (pending.person_id !== registrant.personId) throw new AppError(sessionErrors.challenge_expired)
      const publicKey = bytesOf(input.public_key)
      const message = deviceMessage('register', context.origin, bytesOf(pending.challenge), publicKey)
      if (!isSignedBy(publicKey, message, bytesOf(input.signature))) throw new AppError(sessionErrors.registration_failed)
      return completeRegistration(services, context, registrant, {
        id: newCredentialId(services),
        kind: 'device',
        label: input.label,
        lookup: publicKey,
        data: {},
      })
    }),
  ]
}
