import type { OrganisationTx } from '@holdfast/db'
import type { HandledEndpoint, SessionAuthority } from '@holdfast/http'
import { ownEndpoints, stateEndpoints, userEndpoints } from './account.ts'
import { deviceEndpoints } from './passkey/device.ts'
import { passkeyEndpoints } from './passkey/passkey.ts'
import { loginHistoryEndpoints } from './login-history.ts'
import { demandSecondFactor, demandSecondFactorWhereSet, passwordEndpoints } from './password/password.ts'
import { sessionAuthority } from './session-authority.ts'
import { createSessionServices, type SessionOptions } from './session-services.ts'

export { createInvite } from './create-invite.ts'
export { endSessions } from './end-sessions.ts'
export { hasAuthenticator } from './passkey/has-authenticator.ts'
export { renewPasswordSeals } from './renew-seals.ts'
export { createSealer, type Sealer } from './seal-column.ts'
export { permissionsOf, type Role, roles } from '../permissions.ts'
export { parseUserAgent } from './parse-user-agent.ts'
export type { SessionOptions, SignInEvent } from './session-services.ts'

export type SessionFeature = {
  endpoints: HandledEndpoint[]
  /** For `createHttpServer`. */
  authority: SessionAuthority
  /** Demands a fresh six-digit code (`google_code`) before a sensitive change, in its transaction. Throws AppError `totp_refused`. */
  demandSecondFactor(tx: OrganisationTx, personId: string, code: string): Promise<void>
  /** The same of whoever has an authenticator app bound; nothing of who has none. */
  demandSecondFactorWhereSet(tx: OrganisationTx, personId: string, code: string | undefined): Promise<void>
}

/** Sign-in, registration by invitation, sessions and rights. */
export function createSessionFeature(options: SessionOptions): SessionFeature {
  const services = createSessionServices(options)
  return {
    endpoints: [
      ...stateEndpoints(services),
      ...passkeyEndpoints(services),
      ...passwordEndpoints(services),
      ...deviceEndpoints(services),
      ...ownEndpoints(services),
      ...userEndpoints(services),
      ...loginHistoryEndpoints(services),
    ],
    authority: sessionAuthority(options.db, options.ports.clock),
    demandSecondFactorWhereSet: (tx, personId, code) => demandSecondFactorWhereSet(services, tx, personId, code),
    demandSecondFactor: (tx, personId, code) => demandSecondFactor(services, tx, personId, code),
  }
}
