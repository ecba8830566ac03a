import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { currentPolicy, policyOf } from '@holdfast/features/policy/server'
import { LOCALE, readOpenChange } from '@holdfast/features/strategy/server'
import {
  deputiesOf,
  describeChange,
  findPerson,
  inThirdForm,
  listingCoolingMs,
  PARTS,
  type PartName,
  partsTouched,
  type Policy,
  quorumOfPart,
  signersOf,
  type Who,
} from '@holdfast/policy'
import { at, bytesToUuid, uuidToBytes } from '@holdfast/units'

type Version = { policy: Policy; at: number }

const HOUR_MS = 3_600_000

/** Every version of the policy, oldest first. */
export async function readVersions(tx: OrganisationTx): Promise<Version[]> {
  const rows = await tx.selectFrom('policy_version').select(['version', 'created_at']).where('org_id', '=', tx.orgId).orderBy('version').execute()
  const versions: Version[] = []
  for (const row of rows) versions.push({ policy: await policyOf(tx, row.version), at: Number(row.created_at) })
  return versions
}

const namedIn = (policy: Policy, id: Uint8Array) => ({ person_id: bytesToUuid(id), name: findPerson(policy, id)?.name ?? '' })

/** Who approves changes of each part by the policy in force, and what the change touches that waits. */
export async function workspaceOf(tx: OrganisationTx) {
  const versions = await readVersions(tx)
  const { policy } = at(versions, versions.length - 1)
  const { groups, people, looseningDelayMs, governance } = inThirdForm(policy)
  const open = await readOpenChange(tx)
  return {
    base_version: Number(policy.version),
    delay_h: Number(looseningDelayMs) / HOUR_MS,
    cooling_h: listingCoolingMs(policy) / HOUR_MS,
    deputies: deputiesOf(policy).map(whoView),
    governance: { need: Number(governance.threshold), approvers: governance.approvers.map((id) => namedIn(policy, id)) },
    parts: PARTS.map((key) => partView(key, versions)),
    people: people.map(({ id, name, credentials }) => ({ person_id: bytesToUuid(id), name, has_key: credentials.length > 0 })),
    groups: groups.map(({ id, name, members }) => ({ id, name, members: members.map(bytesToUuid) })),
    open_change_id: open?.row.id ?? null,
    touched: open ? partsTouched(policy, open.next) : [],
  }
}

/** A person or a group, as calls name them. */
export const whoView = (each: Who) => (each.kind === 'group' ? each : { kind: each.kind, id: bytesToUuid(each.id) })

/** What decides who approves a part, as a text to compare. */
const decisionOf = (policy: Policy, key: PartName): string => {
  const { approvers, threshold } = quorumOfPart(policy, key) ?? policy.governance
  return [threshold, ...approvers.map(bytesToUuid).sort()].join(' ')
}

/** A part as the last of the versions has it: who approves its changes, and since when. */
export function partView(key: PartName, versions: readonly Version[]) {
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
    who: who.map(whoView),
    approvers: approvers.map((id) => namedIn(policy, id)),
    since_version: Number(at(versions, since).policy.version),
    since: at(versions, since).at,
    last_change: last < 0 ? null : at(versions, last).at,
  }
}

/** Every version in which a part changed, newest first. */
export async function logOf(tx: OrganisationTx, key: PartName, versions: readonly Version[], language: Language) {
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
