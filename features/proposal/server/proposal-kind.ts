import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { TodoItem, TodoKind } from '../contract.ts'
import type { ServerContext } from '@holdfast/features/context'
import type { Fiat } from '@holdfast/features/price/contract'
import type { Intent } from '@holdfast/intent'
import type { Policy } from '@holdfast/policy'
import { proposalErrors } from '../errors.ts'
import type { Quorum } from './quorum.ts'

/** Who looks at proposals, and how. */
export type Viewer = {
  tx: OrganisationTx
  context: Pick<ServerContext, 'settings' | 'coSigners' | 'ports' | 'networks'>
  language: Language
  personId: string
  nowMs: number
  /** The currency of values. */
  fiat: Fiat
}

/** What is decided by approvals, as its kind reads it. */
export type Subject = {
  intent: Intent
  row: { id: string; intent: Uint8Array; intent_hash: Uint8Array; state: string; expires_at: bigint }
}

/** What the approval page is told beside the intent. The page shows it as the server's word, and believes nothing of it. */
export type PageFacts = { facts: unknown; closes: unknown; coin: unknown }

type Needs = Pick<ServerContext, 'db' | 'ports'>
type Verdict = { verdict: 'approved' | 'rejected'; personId: string; remark: string }

/** What is decided by approvals of its intent, on the approval page. */
export type ByApproval<S extends Subject = Subject> = {
  /** By its id; `lock` holds it until the transaction ends. */
  read(tx: OrganisationTx, id: string, lock?: boolean): Promise<S | undefined>
  /** Who must approve by the policy in force; none where it denies the intent. */
  quorums(subject: S, policy: Policy): readonly Quorum[]
  /** Whether one rejection still ends it after it has its quorum. */
  canStop?(subject: S): boolean
  /** What must be locked before the log is. */
  lockBeforeLog?(tx: OrganisationTx, subject: S): Promise<void>
  /** Keeps where in the log a person's approval stands. */
  keepPlace?(tx: OrganisationTx, subject: S, place: { personId: string; sequence: number }): Promise<void>
  /** Moves it once people have decided, and answers its state. */
  decided(tx: OrganisationTx, needs: Needs, subject: S, verdict: Verdict): Promise<string>
  /** Tells open pages that somebody has spoken. The last thing a transaction does. */
  announce(tx: OrganisationTx, needs: Needs, subject: S): Promise<void>
  /** Has what was approved carried out now. */
  poke(needs: Needs): void
  /** What the approval page is told; what is asked of networks is asked by the function that this answers, outside of the transaction. */
  page?(tx: OrganisationTx, context: Pick<ServerContext, 'networks'>, subject: S): Promise<() => Promise<Partial<PageFacts>>>
}

/** A kind of thing that people decide, as the feature that carries it out registers it. */
export type ProposalKind<S extends Subject = Subject> = {
  /** What it is called in the list; one registration may have several names. */
  kinds: readonly TodoKind[]
  /** How some of them are shown in the list, in any order. */
  todo(viewer: Viewer, ids: readonly string[]): Promise<TodoItem[]>
  /** Approvals of an intent, or the word of anybody who has a right, but for who asked. */
  decidedBy: ByApproval<S> | { right: string }
}

/** Everything that people decide, as the program joins it together. */
export type Proposals = { kinds: readonly ProposalKind[]; policyInForce(tx: OrganisationTx): Promise<Policy> }

/** The registration of a kind. Throws where there is none: a row that nobody carries out. */
export function registered({ kinds }: Proposals, name: string): ProposalKind {
  const found = kinds.find((each) => each.kinds.some((kind) => kind === name))
  if (!found) throw new Error(`nothing registers proposals of the kind ${name}`)
  return found
}

/** How a kind is decided by approvals. Throws where it is decided in the console. */
export function byApproval(proposals: Proposals, name: string): ByApproval {
  const { decidedBy } = registered(proposals, name)
  if ('right' in decidedBy) throw new Error(`proposals of the kind ${name} have no intent`)
  return decidedBy
}

/** What is decided. Throws AppError `order_not_found`. */
export async function readSubject(tx: OrganisationTx, by: ByApproval, id: string, lock = false): Promise<Subject> {
  const subject = await by.read(tx, id, lock)
  if (!subject) throw new AppError(proposalErrors.order_not_found)
  return subject
}
