import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { encode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, type KeptScreening, screeningsOf, storeScreening } from '@holdfast/features/evidence/server'
import { movesMoney, type ScreeningWord, screeningWordShape } from '@holdfast/intent'
import {
  asksForScreening,
  faultOfScreening,
  type Policy,
  SCREENING_AGE_MAX_MS,
  SCREENING_AHEAD_MAX_MS,
  screenerOf,
  type ScreeningFault,
} from '@holdfast/policy'
import { proposalErrors } from '../../errors.ts'
import { findProposal } from '../find-proposal.ts'
import { type ByApproval, byApproval, type Proposals, readSubject, type Subject } from '../proposal-kind.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>
/** A screening word, and the organisation of the key by which it came. */
type Given = { word: ScreeningWord; orgId: string }

/** So often one screener can look at one order again. */
const WORDS_MAX = 200
/** While an order is in one of these, signers may still sign it. */
const OPEN: readonly string[] = ['approving', 'approved', 'signing']

/**
 * Takes what a screener signed of an order or a batch: checked as signers will, stored, written to the log, and handed on to them with the order. The same
 * again answers the same. Throws AppError: `order_not_found`, also for an order of another organisation; `screening_too_late` for one that has ended; and
 * `invalid_parameters` for a word that says nothing of it.
 */
export async function takeScreening(needs: Needs, proposals: Proposals, { word, orgId }: Given): Promise<{ subjectId: string; state: string }> {
  const place = await findProposal(needs, word.intentHash)
  if (place.orgId !== orgId) throw new AppError(proposalErrors.order_not_found)
  const by = byApproval(proposals, place.kind)
  const state = await needs.db.asOrganisation(orgId, async (tx) => {
    const [subject, policy] = await Promise.all([readSubject(tx, by, place.subjectId, true), proposals.policyInForce(tx)])
    return take(tx, needs, { by, subject, policy }, word)
  })
  by.poke(needs)
  return { subjectId: place.subjectId, state }
}

async function take(tx: OrganisationTx, needs: Needs, { by, subject, policy }: { by: ByApproval; subject: Subject; policy: Policy }, word: ScreeningWord) {
  const { intent, row } = subject
  if (!movesMoney(intent) || !by.screened) throw new AppError(proposalErrors.order_not_found)
  const nowMs = needs.ports.clock.nowMs()
  const bytes = encode(screeningWordShape, word)
  const kept = await screeningsOf(tx, row.intent_hash)
  if (kept.some((each) => equalBytes(each.bytes, bytes))) return row.state
  if (!OPEN.includes(row.state) || row.expires_at < BigInt(nowMs) || intent.policyVersion !== policy.version)
    throw new AppError(proposalErrors.screening_too_late)
  demandSound(word, { genesis: intent.genesis, intentHash: row.intent_hash }, policy, nowMs)
  const own = kept.filter((each) => each.word.machine === word.machine)
  if (own.some((each) => each.word.screenedAtMs >= word.screenedAtMs))
    throw refused('screened_at', 'the screener has said something of this order at that time or later')
  if (own.length >= WORDS_MAX) throw refused('order_hash', `the screener has spoken of this order ${WORDS_MAX} times`)
  await by.lockBeforeLog?.(tx, subject)
  const sequence = Number(await appendToLog(tx, { genesis: intent.genesis, type: 'approval', body: bytes, atMs: nowMs }))
  const screening: KeptScreening = { word, bytes, sequence }
  storeScreening(tx, screening, nowMs)
  if (row.state === 'approving') await by.screened(tx, needs, subject, { policy, kept: [...kept, screening] })
  await by.announce(tx, needs, subject)
  return row.state
}

const FAULTS: Record<ScreeningFault, [field: string, reason: string]> = {
  'screening-other-organisation': ['signature', 'it is of another organisation'],
  'screening-other-order': ['order_hash', 'it is of another order'],
  'screening-unknown-level': ['level', 'it is no level of risk'],
  'screener-unknown': ['signature', 'the policy names no such screener'],
  'screener-strange-key': ['signature', 'it is not signed by the key that the policy names for the screener'],
}

function demandSound(word: ScreeningWord, about: { genesis: Uint8Array; intentHash: Uint8Array }, policy: Policy, nowMs: number): void {
  const fault = faultOfScreening(word, about, policy)
  if (fault) throw refused(...FAULTS[fault])
  const isOver = (screenerOf(policy, word.machine)?.expiresAtMs ?? 0n) <= BigInt(Math.floor(nowMs))
  if (isOver) throw refused('signature', 'the time of the screener is over')
  if (!asksForScreening(policy, word.machine)) throw refused('signature', 'no rule demands what this screener says')
  if (word.screenedAtMs > BigInt(nowMs + SCREENING_AHEAD_MAX_MS)) throw refused('screened_at', 'it is still to come')
  if (BigInt(Math.floor(nowMs)) - word.screenedAtMs > SCREENING_AGE_MAX_MS) throw refused('screened_at', 'it is too long ago to say anything')
}

const refused = (field: string, reason: string): AppError => new AppError('invalid_parameters', { details: { field, reason } })
