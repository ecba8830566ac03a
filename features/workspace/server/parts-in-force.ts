import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { currentPolicy, policyOf } from '@holdfast/features/policy/server'
import { LOCALE, readOpenChange } from '@holdfast/features/strategy/server'
import {
  deputiesOf,
  describeChange,
  findPerson,
  FIRST_VERSION,
  inThirdForm,
  listingCoolingMs,
  PARTS,
  type PartName,
  partsTouched,
  type Policy,
  POLICY_CHANGES_MAX,
  quorumOfPart,
  signersOf,
  type Touched,
  type Who,
} from '@holdfast/policy'
import { at, bytesToUuid, RecentMap, uuidToBytes } from '@holdfast/units'

/** What a version of the policy is to parts: which of them it changed, and who decides each by it, as a text to compare. */
type Facts = { touched: readonly Touched[]; decisions: ReadonlyMap<PartName, string> }
type Version = Facts & { version: bigint; at: number }

const HOUR_MS = 3_600_000

/** A version is never changed, and to compare it with the one before takes a while: what was found is remembered, of every version an organisation can have. */
const remembered = new RecentMap<string, Facts>(2 * POLICY_CHANGES_MAX)

/** Every version of the policy, oldest first. */
export async function readVersions(tx: OrganisationTx): Promise<Version[]> {
  const rows = await tx.selectFrom('policy_version').select(['version', 'created_at']).where('org_id', '=', tx.orgId).orderBy('version').execute()
  const versions: Version[] = []
  for (const { version, created_at } of rows) {
    const key = `${tx.orgId} ${version}`
    const facts = remembered.get(key) ?? (await factsOf(tx, version))
    remembered.set(key, facts)
    versions.push({ ...facts, version, at: Number(created_at) })
  }
  return versions
}

async function factsOf(tx: OrganisationTx, version: bigint): Promise<Facts> {
  const before = version > FIRST_VERSION ? await policyOf(tx, version - 1n) : undefined
  const policy = await policyOf(tx, version)
  return { touched: before ? partsTouched(before, policy) : [], decisions: new Map(PARTS.map((key) => [key, decisionOf(policy, key)])) }
}

const namedIn = (policy: Policy, id: Uint8Array) => ({ person_id: bytesToUuid(id), name: findPerson(policy, id)?.name ?? '' })

/** Who approves changes of each part by the policy in force, and what the change touches that waits. */
export async function workspaceOf(tx: OrganisationTx) {
  const versions = await readVersions(tx)
  const { policy } = await currentPolicy(tx)
  const { groups, people, looseningDelayMs, governance } = inThirdForm(policy)
  const open = await readOpenChange(tx)
  return {
    base_version: Number(policy.version),
    delay_h: Number(looseningDelayMs) / HOUR_MS,
    cooling_h: listingCoolingMs(policy) / HOUR_MS,
    deputies: deputiesOf(policy).map(whoView),
    governance: { need: Number(governance.threshold), approvers: governance.approvers.map((id) => namedIn(policy, id)) },
    parts: PARTS.map((key) => partView(key, versions, policy)),
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

/** A part as the last of the versions, which is `policy`, has it: who approves its changes, and since when. */
export function partView(key: PartName, versions: readonly Version[], policy: Policy) {
  const own = quorumOfPart(policy, key)
  const { approvers, threshold } = own ?? policy.governance
  const since = at(
    versions,
    versions.findLastIndex((each, i) => i === 0 || at(versions, i - 1).decisions.get(key) !== each.decisions.get(key)),
  )
  const last = versions.findLast(({ touched }) => touched.includes(key))
  const { who } = inThirdForm(policy).parts.find(({ part }) => part === key) ?? { who: [] }
  return {
    key,
    is_own: own !== undefined,
    need: Number(threshold),
    who: who.map(whoView),
    approvers: approvers.map((id) => namedIn(policy, id)),
    since_version: Number(since.version),
    since: since.at,
    last_change: last?.at ?? null,
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
  const log = []
  for (const { version, at: atMs } of versions.filter(({ touched }) => touched.includes(key)).reverse()) {
    const [before, policy] = [await policyOf(tx, version - 1n), await policyOf(tx, version)]
    const change = changes.find(({ base_version }) => base_version === before.version)
    const initiator = change && findPerson(before, uuidToBytes(change.initiator))
    log.push({
      version: Number(version),
      at: atMs,
      change_id: change?.id ?? null,
      initiator: change && initiator ? { person_id: change.initiator, name: initiator.name } : null,
      lines: describeChange(before, policy, LOCALE[language], signersOf(genesis, before)),
    })
  }
  return log
}
