import { createAddressLimits, createRateLimits, type RateLimits, type RequestContext } from '@holdfast/http'
import type { BucketLimits } from '@holdfast/ports/token-buckets'
import type { Database, SystemTx } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import type { SignInMethod } from '../contract.ts'
import { createPasswordHasher, type PasswordHasher } from './password/hash-password.ts'
import { writeLoginEvent } from './login-event.ts'
import { createSealer, type Sealer } from './seal-column.ts'

/** Why a try to sign in was refused. */
export type RefusalReason = 'wrong_credential' | 'delayed' | 'used_already' | 'suspended' | 'not_active'

/** Somebody tried to sign in; what the login history is made of. `personId` is absent if nobody matched. */
export type SignInEvent = {
  atMs: number
  method: SignInMethod
  result: 'ok' | 'refused'
  /** Of a refusal. */
  reason?: RefusalReason
  /** The session that began, 64 hexadecimal digits. */
  sessionId?: string
  orgId?: string
  personId?: string
  ip: string
  userAgent: string
}

export type SessionOptions = {
  ports: Ports
  db: Database
  /** 32 bytes each that seal the secrets of authenticator apps in the database, the newest first; the same on every server. */
  secretKeys: readonly Uint8Array[]
  /** Whether this server offers a demo organisation. */
  demo: boolean
  /** Tells the open pages of a session that it is over (`server.events.endSession`). */
  onSessionEnd?: (sessionId: string) => void
  /** Told of every try to sign in instead of the login history: in the transaction of the sign-in, or in one of its own for a refusal. */
  recordSignIn?: (tx: SystemTx, event: SignInEvent) => Promise<void>
  /** What waits for a person; for the badges of the console. */
  countUnread?: (orgId: string, personId: string) => Promise<{ todo: number; notice: number }>
  /** Tries to sign in or to register: per address, and per account name for passwords. */
  limits?: { perIp?: BucketLimits; perAccount?: BucketLimits }
}

export type SessionServices = {
  options: SessionOptions
  ports: Ports
  db: Database
  hasher: PasswordHasher
  sealer: Sealer
  perIp: RateLimits
  perAccount: RateLimits
  /** Codes that a person gives before sensitive changes. */
  perCode: RateLimits
  recordSignIn: (tx: SystemTx, event: SignInEvent) => Promise<void>
}

const PER_IP: BucketLimits = { burst: 60, perSecond: 1 }
const PER_ACCOUNT: BucketLimits = { burst: 6, perSecond: 1 / 20 }
/** A code is taken once in half a minute at most, so this holds up nobody but who guesses. */
const PER_CODE: BucketLimits = { burst: 6, perSecond: 1 / 20 }

export function createSessionServices(options: SessionOptions): SessionServices {
  const { ports, db, limits } = options
  return {
    options,
    ports,
    db,
    hasher: createPasswordHasher(ports.random),
    sealer: createSealer(options.secretKeys, ports.random),
    perIp: createAddressLimits(ports.clock, limits?.perIp ?? PER_IP),
    perAccount: createRateLimits(ports.clock, limits?.perAccount ?? PER_ACCOUNT),
    perCode: createRateLimits(ports.clock, PER_CODE),
    recordSignIn: options.recordSignIn ?? ((tx, event) => writeLoginEvent(tx, ports.random, event)),
  }
}

/** Writes a refused attempt into the login history. */
export async function recordRefusal(
  services: SessionServices,
  context: RequestContext,
  method: SignInMethod,
  reason: RefusalReason,
  person?: { orgId: string; personId: string },
): Promise<void> {
  const event: SignInEvent = { atMs: services.ports.clock.nowMs(), method, result: 'refused', reason, ip: context.ip, userAgent: context.userAgent, ...person }
  await services.db.asSystem((tx) => services.recordSignIn(tx, event))
}
