import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes, toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { readApprovals } from '@holdfast/features/evidence/server'
import { describeChange, eligibleIn, findPerson, type Policy } from '@holdfast/policy'
import { timeInWords } from '@holdfast/intent'
import { bytesToUuid, isUuid, uuidToBytes } from '@holdfast/units'
import { quorumsOfChange, tallies } from './change-quorums.ts'
import { closingOrders } from './closing-orders.ts'
import { policyAt } from '../current-policy.ts'
import { isWaiting, type PolicyChange } from './policy-change.ts'
import { policyWords } from '../policy-words.ts'

/** A change that may come into force. */
const OPEN: readonly string[] = ['approving', 'approved']
const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

export type ChangeViewer = { tx: OrganisationTx; context: Pick<ServerContext, 'settings' | 'coSigners'>; language: Language; personId: string }

/** A change as people see it: what it changes, who has spoken, who is missing. */
export async function changeView({ tx, context, language, personId }: ChangeViewer, change: PolicyChange) {
  const { row, intent, next } = change
  const { policy: base, genesis, signers } = await policyAt(tx, row.base_version)
  const given = (await readApprovals(tx, change.row.intent_hash)).map((each) => each.approval)
  const named = (id: Uint8Array) => ({ person_id: bytesToUuid(id), name: nameIn([next, base], id) })
  const told = tallies(change, base, given)
  const quorums = told.map(({ quorum, tally }) => ({
    name: quorum.name,
    need: quorum.threshold,
    approved: tally.approvedBy.map((person) => named(person.id)),
    rejected: tally.rejectedBy.map((person) => named(person.id)),
    waiting: eligibleIn(quorum.steps)
      .filter((id) => !given.some((each) => equalBytes(each.person, id)))
      .map(named),
  }))
  // Whoever has spoken has decided, and is not asked again.
  const unspoken = told.flatMap(({ quorum }) => quorum.eligible).filter((id) => !given.some((each) => equalBytes(each.person, id)))
  const stoppers = [...new Set(unspoken.map(bytesToUuid))].map(uuidToBytes)
  return {
    id: row.id,
    intent_hash: toHex(row.intent_hash),
    version: Number(next.version),
    state: row.state,
    reason: reasonOf(change, context, language, Number(genesis.threshold)),
    initiator: named(intent.initiator),
    lines: describeChange(base, next, LOCALE[language], signers),
    closes: OPEN.includes(row.state) ? await closingOrders(tx, base, language) : null,
    quorums,
    mine: roleIn(
      change,
      base,
      given.map((each) => each.person),
      personId,
    ),
    approval_url: approvalUrl(context, row.intent_hash),
    may_stop: stoppers.map(named),
    waits_until: isWaiting(row) ? Number(row.waits_until) : null,
    expire_at: Number(row.expires_at),
    created_at: Number(row.created_at),
  }
}

/** What the reader can do: decide, or only watch. */
export function roleIn(
  change: PolicyChange,
  base: Policy,
  spoken: readonly Uint8Array[],
  personId: string,
): 'decide' | 'stop' | 'decided' | 'initiator' | 'watch' {
  if (change.row.initiator === personId) return 'initiator'
  const id = uuidToBytes(personId)
  if (spoken.some((each) => equalBytes(each, id))) return 'decided'
  const isEligible = quorumsOfChange(change, base).some(({ eligible }) => eligible.some((each) => equalBytes(each, id)))
  if (isEligible && isWaiting(change.row)) return 'stop'
  return change.row.state === 'approving' && isEligible ? 'decide' : 'watch'
}

function nameIn(policies: readonly Policy[], id: Uint8Array): string {
  for (const policy of policies) {
    const person = findPerson(policy, id)
    if (person) return person.name
  }
  return bytesToUuid(id).slice(0, 8)
}

function reasonOf({ row, next }: PolicyChange, { coSigners }: ChangeViewer['context'], language: Language, threshold: number): string | null {
  const words = policyWords[language]
  if (row.state === 'approved') {
    const online = coSigners.online().length
    if (online < threshold) return words.waiting(online, threshold)
    return isWaiting(row) ? words.loosens(timeInWords(BigInt(row.waits_until ?? 0))) : null
  }
  if (row.state === 'expired') return words.expired
  if (row.state === 'superseded') return words.superseded(String(next.version))
  return row.reason
}

/** The name of who made a step: a member's name, or server, signer as it is written. */
export function actorOf(names: ReadonlyMap<string, string>, actor: string): string {
  return isUuid(actor) ? (names.get(actor) ?? actor.slice(0, 8)) : actor
}
