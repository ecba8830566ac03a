import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes, toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { coSignerStatus } from '@holdfast/features/machine-link/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { LOCALE, readOpenChange } from '@holdfast/features/strategy/server'
import { readNamedSubWallets, subWalletPath } from '@holdfast/features/wallet/server'
import { CALLING_KINDS, describeRule, findMachine, type Machine, machinesOf, namesMachine, type Policy, rulesOf } from '@holdfast/policy'
import { isSameRule } from '@holdfast/policy/drafting'
import { keySettings } from '../settings-contract.ts'
import { callRuleIdOf, ruleIdOf } from '../rule-ids.ts'
import { keyIdOf } from './door/admit-call.ts'
import { drawnCalls, drawnRule } from './draw-rules.ts'
import { publicKeysOf } from './platform-key.ts'
import { allSettings, waitingSettings } from './settings.ts'

type Reader = { language: Language; personId: string }

/** The machines of the policy in force and those that the open change adds, with how each stands. */
export async function readMachines(tx: OrganisationTx, context: ServerContext, { language, personId }: Reader) {
  const nowMs = context.ports.clock.nowMs()
  // In this order: a change that takes effect in between is in one of them at least, and a machine that it adds is never in neither.
  const open = await readOpenChange(tx)
  const { policy } = await currentPolicy(tx)
  const next = open?.next
  const inForce = await allSettings(tx)
  const waiting = await waitingSettings(tx, inForce)
  const used = new Map((await tx.selectFrom('machine_use').selectAll().where('org_id', '=', tx.orgId).execute()).map((row) => [row.machine_id, row]))
  const platform = await publicKeysOf(tx)
  const coSigners = await coSignerStatus(context, tx)
  const present = machinesOf(policy)
  const added = next ? machinesOf(next).filter(({ id }) => !findMachine(policy, id)) : []
  const list = [...present, ...added].map((machine) => {
    const { id } = machine
    const standing = findMachine(policy, id) ? policy : (next ?? policy)
    const pending = next ? pendingOf(id, policy, next) : 'none'
    const own = inForce.get(id)
    const seen = coSigners.find(({ machineId }) => machineId === id)
    const use = used.get(id)
    return {
      ...factsOf(machine, standing, LOCALE[language]),
      system_rsa: platform.get(id) ?? null,
      key_id: calls(machine) ? keyIdOf({ orgId: tx.orgId, machineId: id }) : null,
      status: pending === 'create' ? ('pending' as const) : statusOf(machine, own?.settings.is_on ?? false, nowMs),
      pending,
      settings_version: own?.version ?? 0,
      settings: own?.settings ?? null,
      waiting: waiting
        .filter((row) => row.machine_id === id)
        .map((row) => ({
          version: row.version,
          settings: keySettings.parse(row.document),
          before: own?.settings ?? null,
          made_by: row.name,
          made_at: Number(row.made_at),
          with_policy: row.state === 'with_policy',
          can_confirm: row.state === 'waiting' && row.made_by !== personId,
        })),
      last_used: use ? { at: Number(use.used_at), ip: use.used_from } : null,
      co_signer: seen ? { online: seen.online, version: seen.version, last_seen: seen.lastSeen } : null,
    }
  })
  const named = list.flatMap(({ settings, waiting: own }) => [settings, ...own.map((each) => each.settings)].flatMap((each) => each?.wallets ?? []))
  return {
    base_version: Number(policy.version),
    open_change: open ? { trade_no: open.row.id, approval_url: approvalUrl(context, open.row.intent_hash) } : null,
    wallets: [...(await readNamedSubWallets(tx, named)).values()].map((each) => ({ sub_wallet_id: each.sub_wallet_id, name: subWalletPath(each) })),
    list,
  }
}

const calls = ({ kind }: Pick<Machine, 'kind'>): boolean => CALLING_KINDS.includes(kind)

function factsOf({ id, name, kind, publicKey, purpose, expiresAtMs }: Machine, policy: Policy, locale: (typeof LOCALE)[Language]) {
  const rules = rulesOf(policy).filter((rule) => namesMachine(rule, id))
  return {
    app_id: id,
    name,
    kind,
    public_key: toHex(publicKey),
    purpose,
    expire_at: Number(expiresAtMs),
    rules: rules.map((rule) => ({ id: rule.id, sentence: describeRule(rule, policy, locale) })),
    rule: drawnRule(policy, id),
    calls: drawnCalls(policy, id),
  }
}

/** A co-signer is on as long as the policy names it; a key also has to be switched on. */
function statusOf({ kind, expiresAtMs }: Machine, isOn: boolean, nowMs: number): 'on' | 'off' | 'expired' {
  if (expiresAtMs <= BigInt(nowMs)) return 'expired'
  return !calls({ kind }) || isOn ? 'on' : 'off'
}

/** What the next version does with a machine, or with the rules that were made with it. */
function pendingOf(id: string, policy: Policy, next: Policy): 'none' | 'create' | 'update' | 'delete' {
  const [before, after] = [findMachine(policy, id), findMachine(next, id)]
  if (!before) return 'create'
  if (!after) return 'delete'
  const areRulesSame = [ruleIdOf(id), callRuleIdOf(id)].every((ruleId) => {
    const [rule, other] = [policy, next].map((each) => rulesOf(each).find((one) => one.id === ruleId))
    return rule && other ? isSameRule(rule, other) : rule === other
  })
  return areRulesSame && isSameMachine(before, after) ? 'none' : 'update'
}

const isSameMachine = (one: Machine, other: Machine): boolean =>
  one.name === other.name && one.purpose === other.purpose && one.expiresAtMs === other.expiresAtMs && equalBytes(one.publicKey, other.publicKey)
