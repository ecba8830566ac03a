import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { DescribedItem, TodoKind } from '../contract.ts'
import type { ServerContext } from '@holdfast/features/context'
import type { KeptScreening } from '@holdfast/features/evidence/server'
import type { Fiat } from '@holdfast/features/price/contract'
import type { Intent } from '@holdfast/intent'
import type { Policy } from '@holdfast/policy'
import { proposalErrors } from '../errors.ts'
import type { DecidesFor, WordForAnother } from './delegated.ts'
import type { Quorum } from './quorum.ts'

/** The viewer of proposals, with language and currency. */
export type Viewer = {
  tx: OrganisationTx
  context: Pick<ServerContext, 'settings' | 'coSigners' | 'ports' | 'networks'>
  language: Language
  personId: string
  nowMs: number
  /** The currency of values. */
  fiat: Fiat
}

/** A proposal decided by approvals, as its kind reads it. */
export type Subject = {
  intent: Intent
  row: { id: string; intent: Uint8Array; intent_hash: Uint8Array; state: string; expires_at: bigint }
}

/** What the approval page gets beside the intent. The page shows it as the server's word, and trusts none of it. */
export type PageFacts = { facts: unknown; closes: unknown; coin: unknown; rule: unknown; around: unknown }

type Needs = Pick<ServerContext, 'db' | 'ports'>
type Verdict = { verdict: 'approved' | 'rejected'; personId: string; remark: string }

/** How a kind is decided by approvals of its intent, on the approval page. */
export type ByApproval<S extends Subject = Subject> = {
  /** One by its id; `lock` holds it until the transaction ends. */
  read(tx: OrganisationTx, id: string, lock?: boolean): Promise<S | undefined>
  /** Who must approve by the policy in force; none if it denies the intent. */
  quorums(subject: S, policy: Policy): readonly Quorum[]
  /** Whether one rejection still ends it after it has its quorum. */
  canStop?(subject: S, policy: Policy): boolean
  /** Locks what must be locked before the log. */
  lockBeforeLog?(tx: OrganisationTx, subject: S): Promise<void>
  /** Stores the place in the log of a person's approval. */
  keepPlace?(tx: OrganisationTx, subject: S, place: { personId: string; sequence: number }): Promise<void>
  /** Moves it once people have decided, and returns its state. */
  decided(tx: OrganisationTx, needs: Needs, subject: S, verdict: Verdict): Promise<string>
  /** Takes up what screeners have said of it: another rule may be the one that decides. Absent where no screener speaks of such proposals. */
  screened?(tx: OrganisationTx, needs: Needs, subject: S, given: { policy: Policy; kept: readonly KeptScreening[] }): Promise<void>
  /** Tells open pages about a decision. The last act of a transaction. */
  announce(tx: OrganisationTx, needs: Needs, subject: S): Promise<void>
  /** Starts the execution of what was approved. */
  poke(needs: Needs): void
  /** The facts for the approval page; the function that this returns asks the networks, outside of the transaction. */
  page?(tx: OrganisationTx, context: Pick<ServerContext, 'networks' | 'ports'>, subject: S): Promise<() => Promise<Partial<PageFacts>>>
}

/** A kind of proposal, as the feature that carries it out registers it. */
export type ProposalKind<S extends Subject = Subject> = {
  /** Its name in the list; one registration may have several names. */
  kinds: readonly TodoKind[]
  /** How some of them are shown in the list, in any order. */
  todo(viewer: Viewer, ids: readonly string[]): Promise<DescribedItem[]>
  /** Decided by approvals of an intent, or by anybody with a right except the requester. */
  decidedBy: ByApproval<S> | { right: string }
}

/** Somebody who says that they are not there, until when, and whom to ask meanwhile. */
export type Absent = { untilMs: number; ask: string | null }

/** Every kind of proposal, as the program registers them, and what deciding needs to know of the organisation. */
export type Proposals = {
  kinds: readonly ProposalKind[]
  policyInForce(tx: OrganisationTx): Promise<Policy>
  /** Who is not there now, by person. */
  absentNow(tx: OrganisationTx, nowMs: number): Promise<ReadonlyMap<string, Absent>>
  /** Who decides for whom now. */
  decidingNow(tx: OrganisationTx, nowMs: number): Promise<readonly DecidesFor[]>
  /** The highest sequence of a person's statements about who decides for them; 0 if there is none. Every lower one is over. */
  lastDelegation(tx: OrganisationTx, personId: string): Promise<bigint>
  /** Tells both that one decided for the other, in the transaction that keeps the word. */
  tellOfWord(tx: OrganisationTx, needs: Pick<ServerContext, 'ports' | 'settings'>, word: WordForAnother): Promise<void>
}

/** The registration of a kind. Throws if there is none: nobody carries out such a row. */
export function registered({ kinds }: Proposals, name: string): ProposalKind {
  const found = kinds.find((each) => each.kinds.some((kind) => kind === name))
  if (!found) throw new Error(`nothing registers proposals of the kind ${name}`)
  return found
}

/** How a kind is decided by approvals. Throws if it is decided in the console. */
export function byApproval(proposals: Proposals, name: string): ByApproval {
  const { decidedBy } = registered(proposals, name)
  if ('right' in decidedBy) throw new Error(`proposals of the kind ${name} have no intent`)
  return decidedBy
}

/** A proposal. Throws AppError `order_not_found`. */
export async function readSubject(tx: OrganisationTx, by: ByApproval, id: string, lock = false): Promise<Subject> {
  const subject = await by.read(tx, id, lock)
  if (!subject) throw new AppError(proposalErrors.order_not_found)
  return subject
}
