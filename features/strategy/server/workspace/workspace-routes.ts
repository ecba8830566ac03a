import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import {
  checkedNext,
  currentPolicy,
  DraftRefused,
  type MakePolicy,
  policyOf,
  proposePolicyChange,
  toldNow,
  versionAfter,
} from '@holdfast/features/policy/server'
import { workspaceParts } from '@holdfast/features/policy/contract'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { describeChange, findPerson, inThirdForm, partsTouched, type Policy, quorumOfPart, signersOf } from '@holdfast/policy'
import { at, bytesToUuid, uuidToBytes } from '@holdfast/units'
import type { InputOf } from '@holdfast/contract'
import { auditWorkspace, getWorkspacePart, listWorkspace, saveWorkspace } from '../../workspace-contract.ts'
import { refuseAudit } from '../audit.ts'
import { readOpenChange } from '../rules-in-force.ts'
import { answerOf, LOCALE } from '../rules-routes.ts'

type Key = (typeof workspaceParts)[number]
type Version = { policy: Policy; at: number }

const HOUR_MS = 3_600_000

/** Who approves changes of parts of the workspace, and proposing others. */
export function workspaceEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db } = context
  return [
    handle(listWorkspace, ({ orgId }) => db.asOrganisation(orgId, workspaceOf)),
    handle(getWorkspacePart, ({ orgId, language }, { key }) =>
      db.asOrganisation(orgId, async (tx) => {
        const versions = await readVersions(tx)
        return { ...partView(key, versions), log: await logOf(tx, key, versions, language) }
      }),
    ),
    handle(saveWorkspace, async ({ orgId, personId, language, request }, { draft, google_code }) => {
      const told = await toldNow(context, orgId)
      const demandSecondFactor = (tx: OrganisationTx) => () => session.demandSecondFactorWhereSet(tx, personId, google_code)
      const { change } = await db.asOrganisation(orgId, (tx) =>
        proposePolicyChange(tx, context, {
          personId,
          language,
          ...told,
          key: request,
          draft: policyOfParts(draft),
          demandSecondFactor: demandSecondFactor(tx),
        }),
      )
      return answerOf(context, change)
    }),
    handle(auditWorkspace, ({ orgId }, { id }) => db.asOrganisation(orgId, (tx) => refuseAudit(tx, context, id))),
  ]
}

/** Every version of the policy, oldest first. */
async function readVersions(tx: OrganisationTx): Promise<Version[]> {
  const rows = await tx.selectFrom('policy_version').select(['version', 'created_at']).where('org_id', '=', tx.orgId).orderBy('version').execute()
  const versions: Version[] = []
  for (const row of rows) versions.push({ policy: await policyOf(tx, row.version), at: Number(row.created_at) })
  return versions
}

async function workspaceOf(tx: OrganisationTx) {
  const versions = await readVersions(tx)
  const { policy } = at(versions, versions.length - 1)
  const { groups, people, looseningDelayMs } = inThirdForm(policy)
  return {
    base_version: Number(policy.version),
    delay_h: Number(looseningDelayMs) / HOUR_MS,
    parts: workspaceParts.map((key) => partView(key, versions)),
    people: people.map(({ id, name, credentials }) => ({ person_id: bytesToUuid(id), name, has_key: credentials.length > 0 })),
    groups: groups.map(({ id, name, members }) => ({ id, name, members: members.map(bytesToUuid) })),
    open_change_id: (await readOpenChange(tx))?.row.id ?? null,
  }
}

/** What decides who approves a part, as a text to compare. */
const decisionOf = (policy: Policy, key: Key): string => {
  const { approvers, threshold } = quorumOfPart(policy, key) ?? policy.governance
  return [threshold, ...approvers.map(bytesToUuid).sort()].join(' ')
}

function partView(key: Key, versions: readonly Version[]) {
  const { policy } = at(versions, versions.length - 1)
  const own = quorumOfPart(policy, key)
  const { approvers, threshold } = own ?? policy.governance
  const since = versions.findLastIndex((each, i) => i === 0 || decisionOf(at(versions, i - 1).policy, key) !== decisionOf(each.policy, key))
  const last = versions.findLastIndex((each, i) => i > 0 && partsTouched(at(versions, i - 1).policy, each.policy).includes(key))
  const { who } = inThirdForm(policy).parts.find(({ part }) => part === key) ?? { who: [] }
  return {
    key,
    is_own: own !== undefined,
    need: Number(threshold),
    who: who.map((each) => (each.kind === 'group' ? each : { kind: each.kind, id: bytesToUuid(each.id) })),
    approvers: approvers.map((id) => ({ person_id: bytesToUuid(id), name: findPerson(policy, id)?.name ?? '' })),
    since_version: Number(at(versions, since).policy.version),
    since: at(versions, since).at,
    last_change: last < 0 ? null : at(versions, last).at,
  }
}

/** Every version in which a part changed, newest first. */
async function logOf(tx: OrganisationTx, key: Key, versions: readonly Version[], language: Language) {
  const { genesis } = await currentPolicy(tx)
  const changes = await tx
    .selectFrom('policy_change')
    .select(['id', 'base_version', 'initiator'])
    .where('org_id', '=', tx.orgId)
    .where('state', '=', 'applied')
    .execute()
  return versions
    .flatMap(({ policy, at: atMs }, i) => {
      const before = versions[i - 1]?.policy
      if (!before || !partsTouched(before, policy).includes(key)) return []
      const change = changes.find(({ base_version }) => base_version === before.version)
      const initiator = change && findPerson(before, uuidToBytes(change.initiator))
      return [
        {
          version: Number(policy.version),
          at: atMs,
          change_id: change?.id ?? null,
          initiator: change && initiator ? { person_id: change.initiator, name: initiator.name } : null,
          lines: describeChange(before, policy, LOCALE[language], signersOf(genesis, before)),
        },
      ]
    })
    .reverse()
}

type Draft = InputOf<typeof saveWorkspace>['draft']

/** Makes the next version of the policy with other approvers of parts. */
const policyOfParts =
  ({ base_version, delay_h, parts }: Draft): MakePolicy =>
  (inForce, around) => {
    const { policy } = inForce
    if (BigInt(base_version) !== policy.version) throw new DraftRefused(around.words.stale)
    const said = parts.map(({ key, need, who }) => ({
      part: key,
      need: BigInt(need),
      who: who.map((each) => (each.kind === 'group' ? each : { kind: 'person' as const, id: uuidToBytes(each.id) })),
    }))
    const next = { ...inThirdForm(policy), parts: said, looseningDelayMs: BigInt(delay_h * HOUR_MS) }
    return checkedNext(versionAfter(inForce, around.nowMs, next), inForce, around)
  }
