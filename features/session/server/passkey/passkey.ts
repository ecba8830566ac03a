import { AppError } from '@holdfast/contract'
import { handle, type HandledEndpoint, type PublicContext } from '@holdfast/http'
import { uuidToBytes } from '@holdfast/units'
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import * as z from 'zod'
import { passkeyLogin, passkeyLoginOptions, passkeyRegister, passkeyRegisterOptions } from '../../contract.ts'
import { sessionErrors } from '../../errors.ts'
import { newChallengeId, putChallenge, takeChallenge } from './challenges.ts'
import { findCredential, type FoundCredential, signInWith } from './find-credential.ts'
import { completeRegistration, findRegistrant, newCredentialId, type Registrant } from '../registrant.ts'
import { recordRefusal, type SessionServices } from '../session-services.ts'
import { isSoundPasskey, passkeyData, wholeRegistration } from './sound-passkey.ts'

const loginShape = z.object({ challenge: z.string() })
const registerShape = z.object({ challenge: z.string(), person_id: z.string() })

/** ES256 and EdDSA first, RS256 for Windows machines that offer nothing else (COSE numbers). */
const ALGORITHMS = [-7, -8, -257]

const rpIdOf = (context: PublicContext) => new URL(context.origin).hostname
const userHandleOf = (personId: string) => Buffer.from(uuidToBytes(personId)).toString('base64url')

/** Passkeys that the person has already, so that the authenticator does not make a second one. */
async function ownPasskeys(services: SessionServices, { orgId, personId }: Registrant): Promise<{ id: string }[]> {
  const rows = await services.db.asSystem((tx) =>
    tx
      .selectFrom('login_credential')
      .select('lookup')
      .where('org_id', '=', orgId)
      .where('person_id', '=', personId)
      .where('kind', '=', 'passkey')
      .where('revoked_at', 'is', null)
      .execute(),
  )
  return rows.flatMap(({ lookup }) => (lookup ? [{ id: Buffer.from(lookup).toString('base64url') }] : []))
}

/** The signature counter of a valid assertion, or undefined if it is not valid in any way. */
async function provenCounter(
  context: PublicContext,
  found: FoundCredential,
  response: AuthenticationResponseJSON,
  challenge: string,
): Promise<number | undefined> {
  // One that cannot be read, from before registrations were read whole, signs nobody in.
  if (!isSoundPasskey(found.data)) return undefined
  const data = passkeyData.parse(found.data)
  const userHandle = response.response.userHandle
  if (userHandle !== undefined && userHandle !== null && userHandle !== userHandleOf(found.personId)) return undefined
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: context.origin,
      expectedRPID: rpIdOf(context),
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(Buffer.from(data.public_key, 'base64url')),
        counter: data.counter,
        transports: data.transports as AuthenticatorTransport[],
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // The library throws for each kind of mismatch; from outside they must look the same.
    return undefined
  }
}

/** Sign-in and registration with passkeys of the console's origin. They open the console only; approving has passkeys of its own origin. */
export function passkeyEndpoints(services: SessionServices): HandledEndpoint[] {
  return [
    handle(passkeyLoginOptions, async (context) => {
      services.perIp.demand(context.ip)
      const challenge = services.ports.random.bytes(32)
      // No list of credentials: the authenticator shows what it has, and nobody learns which accounts exist.
      const options = await generateAuthenticationOptions({
        rpID: rpIdOf(context),
        challenge: new Uint8Array(challenge),
        userVerification: 'required',
        allowCredentials: [],
      })
      const id = newChallengeId(services)
      await putChallenge(services, context, 'passkey_login', id, { challenge: options.challenge })
      return { challenge_id: id, options: { ...options } }
    }),

    handle(passkeyLogin, async (context, input) => {
      services.perIp.demand(context.ip)
      const { challenge } = await takeChallenge(services, context, 'passkey_login', input.challenge_id, loginShape)
      const response = input.response as unknown as AuthenticationResponseJSON
      const found = await findCredential(services, 'passkey', new Uint8Array(Buffer.from(response.id, 'base64url')))
      const counter = found && (await provenCounter(context, found, response, challenge))
      if (found && counter !== undefined) {
        // An authenticator without a counter always says 0; one that counts must count up.
        return signInWith(services, context, 'passkey', found, counter === 0 ? undefined : { field: 'counter', value: counter })
      }
      await recordRefusal(services, context, 'passkey', 'wrong_credential', found)
      throw new AppError(sessionErrors.passkey_refused)
    }),

    handle(passkeyRegisterOptions, async (context, { invite }) => {
      const registrant = await findRegistrant(services, context, invite)
      const options = await generateRegistrationOptions({
        rpName: 'Holdfast',
        rpID: rpIdOf(context),
        userID: new Uint8Array(uuidToBytes(registrant.personId)),
        userName: registrant.account,
        userDisplayName: registrant.name,
        challenge: new Uint8Array(services.ports.random.bytes(32)),
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: await ownPasskeys(services, registrant),
      })
      const id = newChallengeId(services)
      await putChallenge(services, context, 'passkey_register', id, { challenge: options.challenge, person_id: registrant.personId })
      return { challenge_id: id, options: { ...options } }
    }),

    handle(passkeyRegister, async (context, input) => {
      const registrant = await findRegistrant(services, context, input.invite)
      const pending = await takeChallenge(services, context, 'passkey_register', input.challenge_id, registerShape)
      if (pending.person_id !== registrant.personId) throw new AppError(sessionErrors.challenge_expired)
      const whole = wholeRegistration(input.response.response)
      if (!whole) throw new AppError(sessionErrors.passkey_refused)
      const made = await verifyRegistrationResponse({
        response: input.response as unknown as RegistrationResponseJSON,
        expectedChallenge: pending.challenge,
        expectedOrigin: context.origin,
        expectedRPID: rpIdOf(context),
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => undefined)
      if (!made?.verified) throw new AppError(sessionErrors.passkey_refused)
      const { credential, credentialDeviceType, credentialBackedUp } = made.registrationInfo
      const data: z.output<typeof passkeyData> = {
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: whole.transports,
        device_type: credentialDeviceType,
        backed_up: credentialBackedUp,
      }
      if (!isSoundPasskey(data)) throw new AppError(sessionErrors.passkey_refused)
      const lookup = new Uint8Array(Buffer.from(credential.id, 'base64url'))
      return completeRegistration(services, context, registrant, { id: newCredentialId(services), kind: 'passkey', label: input.label, lookup, data })
    }),
  ]
}
