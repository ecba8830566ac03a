import { readTokenWallets } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { decode, encode, EncodingFault, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { type Credential, credentialShape, type Asset } from '@holdfast/intent'
import {
  approversOf,
  checkNextPolicy,
  deputiesMeant,
  findPerson,
  inThirdForm,
  keyOriginOf,
  peopleNamedIn,
  peopleOfParts,
  type Person,
  type Policy,
  policyShape,
  PolicyRefused,
  type SignerIdentity,
  withKeyOrigin,
  withSigners,
  rulesOf,
} from '@holdfast/policy'
import { hasTokenWallets, type NetworkAsset, type Networks } from '@holdfast/features/network/server'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import type { PolicyDraft } from '../../contract.ts'
import { callRuleOf, stakeRuleOf } from '../draft-rules.ts'
import type { PolicyInForce } from '../current-policy.ts'
import { addableAssets } from '../list-addable-assets.ts'
import type { PolicyWords } from '../policy-words.ts'
import { isRecipient, withOfficers } from '../recovery-officers.ts'
import type { ServedPage } from '../served-pages.ts'

/** Why a draft is no policy; the message is a part of a sentence in the caller's language. */
export class DraftRefused extends Error {
  override name = 'DraftRefused'
}

/** Why the people whom a draft names could not fill a step of it. */
export class PeopleRefused extends DraftRefused {
  override name = 'PeopleRefused'
}

/** Every new version is valid for so long from its proposal: what a signer was not given ends by itself. */
const LIFE_MS = 90 * 24 * 3_600_000
/** A version that only lasts longer may be proposed once the one in force has less than this left. */
const RENEWAL_MS = 30 * 24 * 3_600_000

/** Members of an organisation and the approval keys they made, as the server knows them. */
export type Directory = { members: ReadonlyMap<string, { name: string; role: string; state: string }>; keys: MadeKey[] }
/** A key as it was made. It may come into a policy once the person whose it is has said so, here while signed in, or by making its link themselves. */
type MadeKey = { personId: string; credential: Credential; linkBy: string; confirmed: boolean; page: string | null }

export async function readDirectory(tx: OrganisationTx): Promise<Directory> {
  const people = await tx
    .selectFrom('person')
    .select(['id', 'name', 'role', 'state'])
    .where('org_id', '=', tx.orgId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const keys = await tx
    .selectFrom('approval_key')
    .select(['person_id', 'credential', 'link_by', 'confirmed_at', 'page'])
    .where('org_id', '=', tx.orgId)
    .where('denied_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return {
    members: new Map(people.map((each) => [each.id, each])),
    keys: keys.map((each) => ({
      personId: each.person_id,
      credential: decode(credentialShape, new Uint8Array(each.credential)),
      linkBy: people.find(({ id }) => id === (each.link_by ?? each.person_id))?.name ?? '',
      confirmed: each.confirmed_at !== null,
      page: each.page,
    })),
  }
}

/** What a draft is judged by. */
export type Around = {
  directory: Directory
  networks: Networks
  applied: readonly NetworkAsset[]
  wallets: Policy['assets']
  /** The approval pages that connected signers serve, and the one for which keys are that name none. */
  pages: { served: readonly ServedPage[]; first: string }
  nowMs: number
  words: PolicyWords
}

/**
 * The next version of the policy by a draft: the same limits, other people and quorums, further assets, other rules for calls and stake, other approval
 * pages, other officers who recover keys, and one other signer at most. Throws DraftRefused if it could not stand, or where nobody could ever complete an
 * approval it asks for.
 */
export function nextPolicy(draft: PolicyDraft, inForce: PolicyInForce, around: Around): Policy {
  const { directory, networks, applied, wallets, pages, nowMs, words } = around
  const { policy } = inForce
  if (BigInt(draft.base_version) !== policy.version) throw new DraftRefused(words.stale)
  for (const rule of draft.rules) if (!policy.rules.some((each) => each.id === rule.id)) throw new DraftRefused(words.unknownRule(rule.id))
  for (const id of draft.drop_rules) if (!policy.rules.some((rule) => rule.id === id && rule.kind !== 'transfer')) throw new DraftRefused(words.unknownRule(id))
  const kept = policy.rules
    .filter((rule) => !draft.drop_rules.includes(rule.id))
    .map((rule) => {
      const wanted = draft.rules.find((each) => each.id === rule.id)
      if (rule.kind === 'named') return rule
      if (!wanted) throw new DraftRefused(words.missingRule(rule.id))
      checkPeopleOf(rule.id, wanted, words)
      return { ...rule, initiators: wanted.initiators.map(uuidToBytes), approvers: wanted.approvers.map(uuidToBytes), threshold: BigInt(wanted.threshold) }
    })
  const rules = { networks, words, refuse: (reason: string) => new DraftRefused(reason) }
  for (const wanted of [...draft.add_call_rules, ...draft.add_stake_rules]) checkPeopleOf(wanted.id, wanted, words)
  const added = [...draft.add_call_rules.map((wanted) => callRuleOf(wanted, rules)), ...draft.add_stake_rules.map((wanted) => stakeRuleOf(wanted, rules))]
  // A person who governs must be able to propose, and who proposes never counts.
  checkQuorum(words.governance, draft.governance, draft.governance.approvers, words)
  const governance = { approvers: draft.governance.approvers.map(uuidToBytes), threshold: BigInt(draft.governance.threshold) }
  const governorsChange = !sameMembers(governance.approvers, policy.governance.approvers)
  // One person's signature counts for both sides only while one key of theirs stands in both versions.
  if (governorsChange && draft.drop_keys.length > 0) throw new DraftRefused(words.splitKeys)
  const wanted = assetsOf(draft, addableAssets(networks, policy, applied), words)
  const assets = withWallets([...policy.assets, ...wanted], wallets)
  const unread = wanted.find((each) => hasTokenWallets(networks, each) && !walletsOf(assets, each))
  if (unread) throw new DraftRefused(words.unreadWallets(unread.symbol))
  const next = versionAfter(inForce, nowMs, {
    ...signedBy(policy, draft, inForce),
    people: peopleOf(draft, policy, directory, words),
    origins: originsOf(draft, policy, pages, words),
    recovery: recoveryOf(draft, policy, words),
    assets,
    rules: [...kept, ...added],
    governance,
  } as Policy)
  const silent = draft.drop_pages.length > 0 ? silentApprover(next, pages.first) : undefined
  if (silent) throw new PeopleRefused(words.noKeyAtPages(silent.name))
  return checkedNext(next, inForce, around)
}

/** What makes the next version of the policy from the one in force. Throws DraftRefused if it could not stand. */
export type MakePolicy = (inForce: PolicyInForce, around: Around) => Policy | Promise<Policy>

/** A policy as the version that follows the one in force. */
export function versionAfter<P extends Policy>({ policy, hash, fingerprint }: PolicyInForce, nowMs: number, said: P): P {
  const version = { genesis: fingerprint, version: policy.version + 1n, previous: hash }
  return { ...said, ...version, issuedAtMs: BigInt(nowMs), expiresAtMs: BigInt(nowMs + LIFE_MS) }
}

/** The same version, once it is sure that it can follow and changes something. Throws DraftRefused. */
export function checkedNext(next: Policy, inForce: PolicyInForce, { nowMs, words }: Pick<Around, 'nowMs' | 'words'>): Policy {
  const { policy } = inForce
  try {
    checkNextPolicy(next, policy, inForce)
    if (isSameButTime(next, policy) && policy.expiresAtMs > BigInt(nowMs + RENEWAL_MS)) throw new DraftRefused(words.nothing)
  } catch (cause) {
    if (cause instanceof PolicyRefused) throw new DraftRefused(words.fault(cause.message), { cause })
    if (cause instanceof EncodingFault) throw new DraftRefused(words.tooMuch(cause.message.replace('$.', '')), { cause })
    throw cause
  }
  return next
}

/** The signers of the next version, where the draft puts another in the place of one; otherwise those of this version stay as they are named. */
function signedBy(policy: Policy, { replace_signer: newcomer }: PolicyDraft, { signers }: PolicyInForce): Policy {
  if (!newcomer) return policy
  const identity: SignerIdentity = { party: BigInt(newcomer.party), name: newcomer.name, operator: newcomer.operator, signKey: fromHex(newcomer.sign_key) }
  return withSigners(
    policy,
    signers.map((each) => (each.party === identity.party ? identity : each)),
  )
}

/** Whom signers seal their recovery shares to. Nobody is an officer of two signers: whoever opens two shares alone rebuilds every key alone. */
function recoveryOf({ recovery: named = [] }: PolicyDraft, { recovery }: Policy, words: PolicyWords): Policy['recovery'] {
  if (named.length === 0) return recovery
  const next = withOfficers(recovery, named)
  const [all, fresh] = [next, named].map((of) => of.flatMap(({ recipients }) => recipients)) as [string[], string[]]
  const stranger = fresh.find((each) => !isRecipient(each))
  if (stranger !== undefined) throw new DraftRefused(words.noRecipient(stranger.slice(0, 40)))
  const isTwice = fresh.some((each) => all.indexOf(each) !== all.lastIndexOf(each))
  if (isTwice || new Set(named.map(({ party }) => party)).size !== named.length) throw new DraftRefused(words.officerTwice)
  const few = named.find(({ recipients, threshold }) => threshold > recipients.length)
  if (few) throw new DraftRefused(words.fewOfficers(few.party, few.threshold, few.recipients.length))
  return next
}

/** Where approvals count. A page comes in as the signer describes it that serves it, and only while it does. */
function originsOf(
  { add_pages: added, drop_pages: dropped }: PolicyDraft,
  { origins }: Policy,
  { served }: Around['pages'],
  words: PolicyWords,
): Policy['origins'] {
  const unknown = dropped.find((page) => !origins.some(({ origin }) => origin === page))
  if (unknown !== undefined) throw new DraftRefused(words.unknownPage(unknown))
  const fresh = added.map((page) => {
    const found = served.find(({ origin }) => origin === page)
    if (!found) throw new DraftRefused(words.unknownPage(page))
    return { origin: found.origin, rpId: found.rpId }
  })
  return [...origins.filter(({ origin }) => !dropped.includes(origin)), ...fresh]
}

/** Who is to approve and has no key at any of the pages. Only the server knows: a signer takes a key's word for where it signs. */
function silentApprover(policy: Policy, firstPage: string): Person | undefined {
  const { people, origins, rules, governance } = policy
  const approvers = [...rules.flatMap((rule) => approversOf(rule, policy)), ...peopleOfParts(policy), ...deputiesMeant(policy), ...governance.approvers]
  const speaks = (person: Person) =>
    person.credentials.some(({ label }) => origins.some(({ origin }) => origin === (keyOriginOf(label).origin?.page ?? firstPage)))
  return people.find((person) => approvers.some((id) => equalBytes(id, person.id)) && !speaks(person))
}

/** Assets as the server lists them: signers and people count by what the policy says of them from then on. */
function assetsOf(draft: PolicyDraft, offered: ReturnType<typeof addableAssets>, words: PolicyWords): Policy['assets'] {
  const addable = offered.map(({ asset }) => asset)
  return draft.add_assets.map((wanted) => {
    const found = addable.find(({ chain, contract }) => chain === wanted.chain && (contract ?? '') === wanted.contract)
    if (!found) throw new DraftRefused(words.unknownAsset(wanted.contract === '' ? wanted.chain : wanted.contract))
    const { chain, contract, symbol, decimals } = found
    return { chain, contract, symbol, decimals: BigInt(decimals) }
  })
}

/** The entry among these that pins the wallets of a token. */
const walletsOf = (assets: Policy['assets'], { chain, contract }: Asset) =>
  assets.find((each) => each.chain === chain && readTokenWallets(each.contract)?.token === contract)

/** Assets with the wallets of every token among them that were read and are not pinned yet: without them signers sign for no payment of it. */
function withWallets(assets: Policy['assets'], wallets: Policy['assets']): Policy['assets'] {
  const missing = assets.flatMap((asset) => {
    const found = walletsOf(wallets, asset)
    return found && !walletsOf(assets, asset) ? [{ ...found, symbol: asset.symbol, decimals: asset.decimals }] : []
  })
  return [...assets, ...missing]
}

type RulePeople = { initiators: string[]; approvers: string[]; threshold: number }

function checkPeopleOf(id: string, rule: RulePeople, words: PolicyWords): void {
  const where = words.rule(id)
  checkQuorum(where, rule, rule.initiators, words)
  if (rule.initiators.length === 0) throw new PeopleRefused(words.nobodyAsks(where))
  if (hasTwice(rule.initiators)) throw new DraftRefused(words.twice(where))
}

/** What makes a quorum impossible whoever asks: the person who asks is often an approver, and never counts. */
function checkQuorum(where: string, { approvers, threshold }: { approvers: string[]; threshold: number }, askers: string[], words: PolicyWords): void {
  if (hasTwice(approvers)) throw new DraftRefused(words.twice(where))
  const others = Math.max(0, ...askers.map((asker) => approvers.filter((each) => each !== asker).length))
  if (threshold > others) throw new PeopleRefused(words.tooMany(where, threshold, others))
}

const hasTwice = (ids: readonly string[]) => new Set(ids).size !== ids.length

function peopleOf(draft: PolicyDraft, policy: Policy, directory: Directory, words: PolicyWords): Person[] {
  const isSaid = (id: string) => policy.rules.some((rule) => rule.id === id && rule.kind !== 'named') && !draft.drop_rules.includes(id)
  const rules: RulePeople[] = [...draft.rules.filter(({ id }) => isSaid(id)), ...draft.add_call_rules, ...draft.add_stake_rules]
  const approvers = new Set([...draft.governance.approvers, ...rules.flatMap((rule) => rule.approvers)])
  // Rules with names, the parts and the list of deputies stay as they are, with everybody in them.
  const stay = [...peopleNamedIn(policy.rules, policy), ...peopleOfParts(policy), ...deputiesMeant(policy)].map(bytesToUuid)
  const wanted = new Set([...approvers, ...rules.flatMap((rule) => rule.initiators), ...stay])
  const people = namedPeople(draft, wanted, policy, { directory, words })
  const silent = people.find((person) => person.credentials.length === 0 && approvers.has(bytesToUuid(person.id)))
  if (silent) throw new PeopleRefused(words.noKey(silent.name))
  return people
}

type KeyChanges = Pick<PolicyDraft, 'add_keys' | 'drop_keys'>

/** People for the next version, with the keys that they have by then: those of the version in force in its order, then members in theirs. */
export function namedPeople(
  keys: KeyChanges,
  wanted: ReadonlySet<string>,
  policy: Policy,
  { directory, words }: Pick<Around, 'directory' | 'words'>,
): Person[] {
  const order = [...policy.people.map((person) => bytesToUuid(person.id)), ...directory.members.keys()]
  const ids = [...new Set(order)].filter((id) => wanted.has(id))
  if (ids.length !== wanted.size) throw new DraftRefused(words.unknownPerson)
  const people = ids.map((id) => personOf(id, keys, findPerson(policy, uuidToBytes(id)), directory, words))
  const named = new Set(people.flatMap((person) => person.credentials.map((key) => toHex(key.id))))
  const made = new Set(directory.keys.map(({ credential }) => toHex(credential.id)))
  for (const key of keys.add_keys) if (!made.has(key)) throw new DraftRefused(words.unknownKey)
  for (const key of keys.add_keys) if (!named.has(key)) throw new DraftRefused(words.strangerKey)
  const known = new Set(policy.people.flatMap((person) => person.credentials.map((key) => toHex(key.id))))
  for (const key of keys.drop_keys) if (!known.has(key)) throw new DraftRefused(words.unknownKey)
  return people
}

function personOf(id: string, draft: KeyChanges, known: Person | undefined, directory: Directory, words: PolicyWords): Person {
  const member = directory.members.get(id)
  if (!member) throw new DraftRefused(words.unknownPerson)
  // Who is named already stays: suspending somebody must not stop every other change of the policy.
  if (!known && !['active', 'invited'].includes(member.state)) throw new PeopleRefused(words.inactive(member.name))
  const kept = (known?.credentials ?? []).filter((key) => !draft.drop_keys.includes(toHex(key.id)))
  const added = directory.keys
    .filter((each) => each.personId === id && draft.add_keys.includes(toHex(each.credential.id)))
    .filter(({ credential }) => !kept.some((each) => equalBytes(each.id, credential.id)))
  if (added.some((each) => !each.confirmed)) throw new PeopleRefused(words.unconfirmedKey(member.name))
  const credentials = added.map(({ credential, ...origin }) => ({ ...credential, label: withKeyOrigin(credential.label, origin) }))
  return { id: uuidToBytes(id), name: known?.name ?? member.name, credentials: [...kept, ...credentials] }
}

function sameMembers(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((id) => b.some((other) => equalBytes(id, other)))
}

/** Order of people says nothing, nor does the form alone, so they are no change; a later end alone is none either. */
function isSameButTime(next: Policy, policy: Policy): boolean {
  const sorted = (ids: readonly Uint8Array[]) => ids.map(toHex).sort().map(fromHex)
  const plain = (each: Policy) => ({
    ...inThirdForm(each),
    genesis: next.genesis,
    version: 0n,
    previous: next.previous,
    issuedAtMs: 0n,
    expiresAtMs: 0n,
    people: each.people.toSorted((a, b) => (toHex(a.id) < toHex(b.id) ? -1 : 1)),
    rules: rulesOf(each as Policy).map((rule) =>
      rule.kind === 'named' ? rule : { ...rule, initiators: sorted(rule.initiators), approvers: sorted(rule.approvers) },
    ),
    governance: { ...each.governance, approvers: sorted(each.governance.approvers) },
  })
  return equalBytes(encode(policyShape, plain(next) as Policy), encode(policyShape, plain(policy) as Policy))
}
