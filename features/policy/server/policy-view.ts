import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import type { Credential } from '@holdfast/intent'
import {
  callBoundsOf,
  chainsOfRule,
  describeCalls,
  describePolicy,
  describeRule,
  describeStakes,
  eligibleIn,
  findPerson,
  findSpeaker,
  keyOriginOf,
  neededIn,
  type Policy,
  readRule,
  type Rule,
  stakeBoundsOf,
  tradeBoundsOf,
  type TransferRule,
} from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { bytesToUuid, formatAmount, known, uuidToBytes } from '@holdfast/units'
import { permissionsOf } from '@holdfast/features/session/server'
import { changeOf } from './change/policy-change.ts'
import { changeView, type ChangeViewer } from './change/change-view.ts'
import { currentPolicy, type PolicyInForce } from './current-policy.ts'
import { type Around, type Directory, PeopleRefused, readDirectory } from './change/next-policy.ts'
import { type PolicyWords, policyWords } from './policy-words.ts'
import { servedPages } from './served-pages.ts'
import { type Available, type BrokenQuorum, brokenQuorums } from './quorum-health.ts'

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

/** A key as people see it. `page` is where it was made, for one whose label does not say so yet. */
export function keyView({ id, kind, label: whole, publicKey }: Credential, page: string | null = null) {
  const { label, origin } = keyOriginOf(whole)
  return { key_id: toHex(id), kind, label, fingerprint: toHex(publicKey), page: origin?.page ?? page }
}

/** Who can act now, by the server's own list of members. */
export function availableIn({ members }: Directory): Available {
  const active = [...members].filter(([, each]) => each.state === 'active')
  const idsOf = (list: typeof active) => list.map(([id]) => uuidToBytes(id))
  return { active: idsOf(active), mayPropose: idsOf(active.filter(([, each]) => permissionsOf(each.role).has('policy.propose'))) }
}

/** Approvals that nobody could complete, as sentences. */
export function brokenText(broken: readonly BrokenQuorum[], policy: Policy, language: ChangeViewer['language']): string[] {
  const words = policyWords[language]
  return broken.map((each) => brokenSentence(each, policy, words))
}

const brokenSentence = (broken: BrokenQuorum, policy: Policy, words: PolicyWords): string =>
  words.broken(broken, broken.approvers.map((id) => findPerson(policy, id)?.name ?? '').join(words.separator))

/** Refuses a version with a part whose changes nobody could approve, by the server's own list of members. Throws PeopleRefused with the first in words. */
export function refuseUnmetParts(next: Policy, { directory, words }: Pick<Around, 'directory' | 'words'>): Policy {
  const unmet = brokenQuorums(next, availableIn(directory)).find(({ where }) => where === 'part')
  if (unmet) throw new PeopleRefused(brokenSentence(unmet, next, words))
  return next
}

/** The policy in force as people see it, without the state of the signers. */
export async function policyView(viewer: ChangeViewer & { networks: ServerContext['networks'] }) {
  const { tx, language, networks } = viewer
  const inForce = await currentPolicy(tx)
  const { policy } = inForce
  const directory = await readDirectory(tx)
  const named = (id: Uint8Array) => ({ person_id: bytesToUuid(id), name: findSpeaker(policy, id)?.name ?? '' })
  const inPolicy = new Set(policy.people.flatMap((person) => person.credentials.map((key) => toHex(key.id))))
  const open = await tx.selectFrom('policy_change').selectAll().where('org_id', '=', tx.orgId).where('is_final', '=', false).executeTakeFirst()
  const view = {
    version: Number(policy.version),
    hash: toHex(inForce.hash),
    issued_at: Number(policy.issuedAtMs),
    expire_at: Number(policy.expiresAtMs),
    description: describePolicy(policy, LOCALE[language]),
    people: policy.people.map((person) => ({
      ...named(person.id),
      state: directory.members.get(bytesToUuid(person.id))?.state ?? 'removed',
      keys: person.credentials.map((key) => keyView(key)),
    })),
    rules: policy.rules.map((rule) => ({
      id: rule.id,
      kind: kindName(rule),
      is_named: rule.kind === 'named',
      ...(rule.kind === 'transfer' ? limitsOf(rule, policy, networks) : coverageOf(rule, policy, networks, language)),
      ...peopleOf(rule, policy, named),
    })),
    governance: { approvers: policy.governance.approvers.map(named), threshold: Number(policy.governance.threshold) },
    pages: policy.origins.map(({ origin }) => origin),
    networks: networks
      .list()
      .filter(({ chain, node }) => node.contracts && policy.assets.some((asset) => asset.chain === chain && asset.contract === null))
      .map(({ chain, name }) => ({ chain, name })),
    stake_networks: networks
      .list()
      .filter(({ chain, node }) => node.stake && policy.assets.some((asset) => asset.chain === chain && asset.contract === null))
      .map(({ chain, name }) => ({ chain, name })),
    broken: brokenText(brokenQuorums(policy, availableIn(directory)), policy, language),
    candidates: [...directory.members]
      .filter(([, each]) => each.state === 'active' || each.state === 'invited')
      .map(([id, each]) => ({
        person_id: id,
        name: each.name,
        role: each.role,
        new_keys: directory.keys
          .filter((key) => key.personId === id && !inPolicy.has(toHex(key.credential.id)))
          .map((key) => keyView(key.credential, key.page)),
      })),
    open_change: open ? await changeView(viewer, changeOf(open)) : null,
  }
  return { view, inForce }
}

/** Who may ask under a rule and who approves, in all of its steps together. */
function peopleOf<T>(rule: Rule, policy: Policy, named: (id: Uint8Array) => T) {
  const { askers, steps } = readRule(rule, policy)
  return { initiators: askers.map(named), approvers: eligibleIn(steps).map(named), threshold: neededIn(steps) }
}

function coverageOf(rule: Exclude<Rule, TransferRule>, policy: Policy, networks: ServerContext['networks'], language: ChangeViewer['language']) {
  return {
    network:
      chainsOfRule(rule)
        .map((chain) => networks.find(chain)?.name ?? chain)
        .join(', ') || null,
    symbol: null,
    max_amount: null,
    window: null,
    covers: coversText(rule, policy, language),
  }
}

/** Whether a rule is for payments, calls, stake or trades: both forms of rules for calls are the same to people. */
export function kindName(rule: Rule): 'transfer' | 'call' | 'stake' | 'trade' {
  if (callBoundsOf(rule)) return 'call'
  if (tradeBoundsOf(rule)) return 'trade'
  return stakeBoundsOf(rule) ? 'stake' : 'transfer'
}

function coversText(rule: Exclude<Rule, TransferRule>, policy: Policy, language: ChangeViewer['language']): string {
  if (rule.kind === 'named') return describeRule(rule, policy, LOCALE[language])
  if (rule.kind === 'stake') return describeStakes(rule, policy, LOCALE[language])
  const calls = describeCalls(known(callBoundsOf(rule), 'the bounds of a rule for calls'), policy, LOCALE[language])
  return rule.kind === 'call' ? policyWords[language].outdated(calls) : calls
}

function limitsOf(rule: TransferRule, policy: Policy, networks: ServerContext['networks']) {
  const asset = policy.assets.find((each) => rule.asset !== null && (each.contract ?? '') === rule.asset && (rule.chain === null || each.chain === rule.chain))
  const amount = (value: bigint) => (asset ? formatAmount(value, Number(asset.decimals)) : String(value))
  return {
    network: rule.chain === null ? null : (networks.find(rule.chain)?.name ?? rule.chain),
    symbol: rule.asset === null ? null : (asset?.symbol ?? rule.asset),
    max_amount: rule.maxAmount === null ? null : amount(rule.maxAmount),
    window: rule.window === null ? null : { hours: Number(rule.window.lengthMs) / 3_600_000, max_amount: amount(rule.window.maxAmount) },
    covers: null,
  }
}

/** How far each signer is with the policy, and which approval page it serves; null for one that is not connected. */
export async function signerVersions({ coSigners }: Pick<ServerContext, 'coSigners'>, { signers, fingerprint }: PolicyInForce) {
  const online = coSigners.online()
  const served = await servedPages({ coSigners }, { fingerprint })
  return Promise.all(
    signers.map(async ({ party, name, operator, signKey }) => {
      const status = online.includes(Number(party))
        ? await coSigners.call(Number(party), signerCalls.status, { genesis: fingerprint }).catch(() => undefined)
        : undefined
      const pinned = status?.pinned ? Number(status.policyVersion) : null
      const page = served.find((each) => each.party === Number(party))?.origin ?? null
      return { party: Number(party), name, operator, sign_key: toHex(signKey), online: status !== undefined, policy_version: pinned, page }
    }),
  )
}
