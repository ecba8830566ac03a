import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { checkedNext, currentPolicy, DraftRefused, type MakePolicy, policyOf, refuseUnmetParts, toldNow, versionAfter } from '@holdfast/features/policy/server'
import { answerOf, checkedChange, proposeDraft, refuseAudit, shortageWarnings, silentNow } from '@holdfast/features/strategy/server'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { lastSeen } from '@holdfast/features/team/server'
import { handle, type HandledEndpoint, type MemberContext } from '@holdfast/http'
import { deputiesOf, inThirdForm, listingCoolingMs, withDeputies, type Who, withListingCooling } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import { auditWorkspace, checkWorkspace, getWorkspacePart, listWorkspace, restoreWorkspace, saveWorkspace, type WorkspaceDraft } from '../contract.ts'
import { logOf, partView, readVersions, workspaceOf } from './parts-in-force.ts'
import { restoredParts } from './restore-parts.ts'

const HOUR_MS = 3_600_000

/** Who approves changes of parts of the workspace, and proposing others. */
export function workspaceEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db } = context
  return [
    handle(listWorkspace, ({ orgId }) => db.asOrganisation(orgId, workspaceOf)),
    handle(getWorkspacePart, ({ orgId, language }, { key }) =>
      db.asOrganisation(orgId, async (tx) => {
        const versions = await readVersions(tx)
        const { policy } = await currentPolicy(tx)
        return { ...partView(key, versions, policy), log: await logOf(tx, key, versions, language) }
      }),
    ),
    handle(checkWorkspace, async (caller, { draft }) => {
      const told = await toldNow(context, caller.orgId)
      const seen = await lastSeen(context, caller.orgId)
      return db.asOrganisation(caller.orgId, (tx) => checkDraft(tx, context, { ...caller, ...told, seen }, draft))
    }),
    handle(saveWorkspace, async (caller, input) => {
      const { change } = await proposeDraft(context, session, caller, input, () => policyOfParts(input.draft))
      return answerOf(context, change)
    }),
    handle(restoreWorkspace, ({ orgId }, { version }) => db.asOrganisation(orgId, (tx) => restored(tx, BigInt(version)))),
    handle(auditWorkspace, ({ orgId }, { id }) => db.asOrganisation(orgId, (tx) => refuseAudit(tx, context, id))),
  ]
}

type Checking = MemberContext & Awaited<ReturnType<typeof toldNow>> & { seen: ReadonlyMap<string, number> }

/** What a draft would change, and what of it nobody could complete while people are away. */
async function checkDraft(tx: OrganisationTx, context: ServerContext, { seen, ...caller }: Checking, draft: WorkspaceDraft) {
  const { next, ...found } = { next: undefined, ...(await checkedChange(tx, context, caller, policyOfParts(draft))) }
  if (!next) return found
  const asked = { language: caller.language, nowMs: context.ports.clock.nowMs(), silent: await silentNow(tx, context, seen) }
  return { ...found, warnings: await shortageWarnings(tx, next, asked, 'part') }
}

async function restored(tx: OrganisationTx, version: bigint) {
  const { policy } = await currentPolicy(tx)
  if (version > policy.version) throw new AppError('resource_not_found')
  return restoredParts(await policyOf(tx, version), policy)
}

const readWho = (each: WorkspaceDraft['parts'][number]['who'][number]): Who => (each.kind === 'group' ? each : { kind: 'person', id: uuidToBytes(each.id) })

/** Makes the next version of the policy with other approvers of parts, other times that something waits, or others who may decide for whoever is away. */
const policyOfParts =
  ({ base_version, delay_h, cooling_h, deputies, parts }: WorkspaceDraft): MakePolicy =>
  (inForce, around) => {
    const { policy } = inForce
    if (BigInt(base_version) !== policy.version) throw new DraftRefused(around.words.stale)
    const said = parts.map(({ key, need, who }) => ({
      part: key,
      need: BigInt(need),
      who: who.map(readWho),
    }))
    const coolingMs = cooling_h === undefined ? listingCoolingMs(policy) : cooling_h * HOUR_MS
    const timed = withListingCooling({ ...inThirdForm(policy), parts: said, looseningDelayMs: BigInt(delay_h * HOUR_MS) }, coolingMs)
    const next = withDeputies(timed, deputies === undefined ? deputiesOf(policy) : deputies.map(readWho))
    return refuseUnmetParts(checkedNext(versionAfter(inForce, around.nowMs, next), inForce, around), around)
  }
