import type { Language } from '@holdfast/contract'
import type { Ports } from '@holdfast/ports'
import type { MachinePartyId, PersonId, RequesterId } from '@holdfast/units'
import type { Again } from './kept/kept-answers.ts'

/** A signed-in person, as the server knows them for one request. */
export type Session = {
  id: string
  orgId: string
  personId: string
  role: string
  permissions: ReadonlySet<string>
  /** Changes when the person's rights change; the open token changes with it. Letters, digits and "-" only. */
  epoch: string
  /** When the session ends at the latest, milliseconds since the epoch. */
  expiresAtMs: number
}

/** Decides whether a session is valid. Asked on every request, so that a revocation works at once. */
export type SessionAuthority = {
  /** The session of a token's hash, or undefined if there is none, it has ended or was revoked. `touch` says that the person is active. */
  resolve(tokenHash: Uint8Array, touch: boolean): Promise<Session | undefined>
  /**
   * What `act`, which only reads, answers for the session of a token's hash. `act` may begin with what was known of the session before, and run again with
   * what is known now: no answer or refusal leaves before the session is confirmed to be what `act` took it for. What is kept in `again` is answered again while
   * the database says, together with that, that nothing was written since (ADR 65).
   */
  reading<T>(tokenHash: Uint8Array, touch: boolean, act: (session: Session | undefined) => Promise<T>, again?: Again<T>): Promise<T>
  /** Those of the ids whose session is still valid; asked about open event streams. */
  alive(sessionIds: readonly string[]): Promise<ReadonlySet<string>>
}

/** What every handler knows about its request. */
export type RequestContext = {
  ports: Ports
  requestId: string
  ip: string
  userAgent: string
  timezone: string
  language: Language
  /** The console's origin, such as https://console.example. */
  origin: string
  /** Binds what happens before sign-in (challenges) to this browser: the hash of its cookie. */
  browserHash: Uint8Array
}

/** A machine of the policy, by its name there and the id under which it stands where orders name people. `subWallets`: those it may name; null for all. */
export type MachineRequester = { partyId: MachinePartyId; machineId: string; subWallets: readonly string[] | null }

/** Who makes a call: a person who is signed in, or a machine. Nothing takes the one for the other. */
export type Requester = { personId: PersonId } | MachineRequester

/** The id under which whoever calls stands where orders and logs name people: of a machine, that of its party in the policy. */
export const requesterIdOf = (requester: Requester): RequesterId => ('personId' in requester ? requester.personId : requester.partyId)

/** The context of a call that a person or a machine makes. It knows no session, and nobody as a person but by `requester`. */
export type CallerContext = Pick<RequestContext, 'ports' | 'requestId' | 'ip' | 'language'> & { orgId: string; requester: Requester }

/** The context of a public call: there may be a session. On a POST it counts only if the open token came with it. */
export type PublicContext = RequestContext & {
  session?: Session
  /** The open token of the session, to hand to the page. */
  readonly openToken?: string | undefined
  /** Puts a new session (its token and epoch) into this browser and returns its open token. */
  signIn(token: string, epoch: string): string
  /** What `rememberDevice` put into this browser before. */
  deviceToken?: string
  /** Puts a text (base64url) into this browser that outlives the session and a sign-out. */
  rememberDevice(token: string): void
  /** Removes the session from this browser. */
  signOut(): void
}

/** The context of a call by somebody who is signed in and holds the endpoint's permission. */
export type MemberContext = PublicContext & { session: Session; orgId: string; personId: string }
