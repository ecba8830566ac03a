import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes, toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import type { ServerContext } from '@holdfast/features/context'
import { readApprovals } from '@holdfast/features/evidence/server'
import { currentPolicy, policyAt, type PolicyInForce } from '@holdfast/features/policy/server'
import { governanceQuorum, tallyOf } from '@holdfast/features/proposal/server'
import { timeInWords } from '@holdfast/intent'
import { eligibleIn, findPerson, type Policy, recipientFingerprint, replacedSigners, type SignerIdentity } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { bytesToUuid, isUuid, uuidToBytes } from '@holdfast/units'
import { waitingHolders } from './export-holders.ts'
import type { KeyChange } from './key-change.ts'
import { keyWords } from './key-words.ts'

export type KeyChangeViewer = { tx: OrganisationTx; context: Pick<ServerContext, 'settings' | 'coSigners' | 'ports'>; language: Language; personId: string }
export type Standing = 'decide' | 'decided' | 'initiator' | 'watch'

/** The signer that gets a share again; null for a refresh. */
export function lostParty({ intent }: Pick<KeyChange, 'intent'>): number | null {
  return intent.kind === 'keyChange' && intent.action === 'repair' ? ([1, 2, 3].find((party) => !intent.dealers.includes(BigInt(party))) ?? null) : null
}

/** An order for new shares as people see it: who has spoken, who is missing, how far the signers are. */
export async function keyChangeView({ tx, context, language, personId }: KeyChangeViewer, change: KeyChange) {
  const { row, intent, progress } = change
  const words = keyWords[language]
  const { policy, signers } = await policyAt(tx, row.policy_version)
  const replaced = row.state === 'superseded' ? replacedSigners(signers, (await currentPolicy(tx)).signers) : []
  const approvals = (await readApprovals(tx, change.row.intent_hash)).map((each) => each.approval)
  const quorum = governanceQuorum(intent, policy)
  const tally = tallyOf(quorum, approvals, intent, policy)
  const named = (id: Uint8Array) => ({ person_id: bytesToUuid(id), name: findPerson(policy, id)?.name ?? bytesToUuid(id).slice(0, 8) })
  const { eligible } = quorum
  const spoken = approvals.map((each) => each.person)
  return {
    id: row.id,
    intent_hash: toHex(row.intent_hash),
    wallet_id: row.wallet_id,
    wallet_name: intent.wallet,
    action: intent.action as 'refresh' | 'repair' | 'export' | 'retire',
    party: lostParty(change),
    scheduled: row.initiator === null,
    usable_from: intent.kind === 'keyOrder' && intent.action === 'export' ? Number(intent.usableFromMs) : null,
    holders: await holdersOf(tx, change, policy),
    from_epoch: Number(row.from_epoch),
    to_epoch: Number(intent.kind === 'keyChange' ? intent.toEpoch : intent.epoch),
    state: row.state,
    reason: reasonOf(change, replaced, context, language),
    initiator: row.initiator === null ? { person_id: '', name: words.schedule } : named(intent.initiator),
    quorum: {
      need: quorum.threshold,
      approved: tally.approvedBy.map((person) => named(person.id)),
      rejected: tally.rejectedBy.map((person) => named(person.id)),
      waiting: eligibleIn(quorum.steps)
        .filter((id) => !spoken.some((each) => equalBytes(each, id)))
        .map(named),
    },
    mine: standingOf(change, eligible, spoken, personId),
    steps: progress.steps,
    approval_url: approvalUrl(context, row.intent_hash),
    expire_at: Number(row.expires_at),
    created_at: Number(row.created_at),
  }
}

async function holdersOf(tx: OrganisationTx, change: KeyChange, policy: Policy) {
  const { holders } = change.progress
  if (!holders) return []
  const people = await tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).execute()
  const waiting = await waitingHolders(tx, change)
  return holders.map(({ party, personId, recipient }) => ({
    party,
    person_id: personId,
    name: findPerson(policy, uuidToBytes(personId))?.name ?? people.find((each) => each.id === personId)?.name ?? personId.slice(0, 8),
    recipient,
    fingerprint: recipientFingerprint(recipient),
    accepted: !waiting.includes(personId),
  }))
}

function standingOf({ row }: KeyChange, eligible: readonly Uint8Array[], spoken: readonly Uint8Array[], personId: string): Standing {
  if (row.initiator === personId) return 'initiator'
  const id = uuidToBytes(personId)
  if (spoken.some((each) => equalBytes(each, id))) return 'decided'
  return row.state === 'approving' && eligible.some((each) => equalBytes(each, id)) ? 'decide' : 'watch'
}

function reasonOf(
  { row, progress, intent }: KeyChange,
  replaced: readonly SignerIdentity[],
  { coSigners, ports }: KeyChangeViewer['context'],
  language: Language,
): string | null {
  const words = keyWords[language]
  if (row.state === 'approved') {
    const isCooling = intent.kind === 'keyOrder' && BigInt(ports.clock.nowMs()) < intent.usableFromMs
    if (isCooling) return words.coolingUntil(timeInWords(intent.usableFromMs))
    const away = [1, 2, 3].filter((party) => !coSigners.online().includes(party))
    return away.length > 0 ? words.waiting(away) : progress.reason
  }
  if (row.state === 'expired') return words.expired
  if (replaced.length > 0 && intent.kind === 'keyChange') return words.replaced(replaced.map(({ party }) => Number(party)))
  return row.state === 'superseded' ? words.superseded : row.reason
}

const NOTHING_HELD = { active: null, staged: null, former: [] }

/** A signer that begins anew has not pinned the organisation before its repair. It is there, and holds nothing. */
export function heldByBeginner(cause: unknown): typeof NOTHING_HELD | undefined {
  return cause instanceof CoSignerError && cause.kind === 'refused' && cause.check === 'c2' ? NOTHING_HELD : undefined
}

/** What each signer says of a key now. One that is away says nothing. */
export async function signerStates({ coSigners }: Pick<ServerContext, 'coSigners'>, { signers, fingerprint }: PolicyInForce, keyId: Uint8Array) {
  return Promise.all(
    signers.map(async ({ party, name, operator }) => {
      const online = coSigners.online().includes(Number(party))
      const said = online ? await coSigners.call(Number(party), signerCalls.keyEpochs, { genesis: fingerprint, keyId }).catch(heldByBeginner) : undefined
      return {
        party: Number(party),
        name,
        operator,
        online: said !== undefined,
        active: said?.active === null || said === undefined ? null : Number(said.active),
        staged: said?.staged ? Number(said.staged.epoch) : null,
        former: (said?.former ?? []).map(Number),
      }
    }),
  )
}

/** The name of who made a step: a member's name, or server, signer as it is written. */
export function actorName(names: ReadonlyMap<string, string>, actor: string): string {
  return isUuid(actor) ? (names.get(actor) ?? actor.slice(0, 8)) : actor
}
