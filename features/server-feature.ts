import type { OrganisationTx } from '@holdfast/db'
import type { HandledEndpoint } from '@holdfast/http'
import type { Subscriber } from '@holdfast/jobs'
import type { Mailer } from '@holdfast/mail'
import type { ServerContext } from './context.ts'
import type { ProposalKind, Proposals } from './proposal/server/proposal-kind.ts'
import type { Sealer } from './session/server/seal-column.ts'

/** Demands a six-digit code of whoever has an authenticator app bound. Throws AppError. */
export type SecondFactor = { demandSecondFactorWhereSet(tx: OrganisationTx, personId: string, code: string | undefined): Promise<void> }

/** What some features need beside the context. The program that starts them makes it once. */
export type ServerServices = {
  /** `endSession` tells the open pages of a session that it is over. */
  session: SecondFactor & { endSession(sessionId: string): void }
  /** Everything that people decide, of all features. */
  proposals: Proposals
  /** The signers that an organisation's policy names. */
  signersOf(tx: OrganisationTx): Promise<readonly { party: bigint; name: string }[]>
  sealer: Sealer
  /** Hosts with port that may receive webhooks though they are no public ones. */
  localHosts: ReadonlySet<string>
  /** Absent if no server for mail is configured. */
  mailer: Mailer | undefined
  /** Absent if no source of prices is configured. */
  priceUrl: string | undefined
  /** Where energy can be rented on TRON; absent if nobody is configured who rents it out. */
  energyMarketUrl: string | undefined
  /** Told of what failed where nobody waits for an answer. */
  report(cause: unknown): void
}

/** What a signer's approval page calls by its name. */
export type PageCalls = Record<string, (body: unknown) => Promise<unknown>>

/** What goes on without anybody asking. */
export type Work = { stop(): Promise<void> }

type Count = (context: ServerContext, whose: { orgId: string; personId: string; proposals: Proposals }) => Promise<number>

/** What a feature's server half brings; `apps/server/src/features.ts` lists the features that the server has. */
export type ServerFeature = {
  endpoints?(context: ServerContext, services: ServerServices): HandledEndpoint[]
  pageCalls?(context: ServerContext, services: ServerServices): PageCalls
  /** What of it people decide. */
  proposals?: readonly ProposalKind[]
  /** Starts its work. */
  work?(context: ServerContext, services: ServerServices): Work[]
  /** Told of every change that is announced, before the pages are. */
  subscribers?(context: ServerContext): Subscriber[]
  /** How much waits for a person: to be decided, and to be looked at. */
  unread?: { todo?: Count; notice?: Count }
}
