import { AppError, type InputOf, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import { type Networks, networksOfWallet } from '@holdfast/features/network/server'
import { chainsOfRule, describeGovernance, describeRule, eligibleIn, oneStep, readRule, type Rule, type Step, rulesOf } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import type { listOwnStrategies as endpoint } from '../contract.ts'
import { currentPolicy } from './current-policy.ts'
import { kindName } from './policy-view.ts'
import { policyWords } from './policy-words.ts'

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

type Viewer = { tx: OrganisationTx; networks: Networks; personId: string; language: Language }

/** Where the policy in force names the caller: rules under which they ask or approve, and its governance. Throws AppError. */
export async function listOwnStrategies({ tx, networks, personId, language }: Viewer, { wallet_id }: InputOf<typeof endpoint>) {
  const { policy } = await currentPolicy(tx)
  const me = uuidToBytes(personId)
  const names = (ids: readonly Uint8Array[]) => ids.some((id) => equalBytes(id, me))
  const nodeOf = (steps: readonly Step[]) => {
    const at = steps.findIndex(({ eligible }) => names(eligible))
    const step = steps[at]
    return step ? { no: at + 1, type: 'audit_sign' as const, need: step.need, of: step.eligible.length } : null
  }
  const chains = wallet_id === undefined ? undefined : await chainsOf(tx, networks, wallet_id)
  const covers = (rule: Rule) => chains === undefined || chainsOfRule(rule).every((chain) => chains.has(chain))
  const rules = rulesOf(policy)
    .map((rule) => ({ rule, facts: readRule(rule, policy) }))
    .filter(({ rule, facts: { askers, steps } }) => covers(rule) && (names(askers) || names(eligibleIn(steps))))
    .map(({ rule, facts }) => ({
      strategy_id: rule.id,
      name: facts.name,
      level: kindName(rule),
      // In quotation marks, so that no name of a rule can read like a sentence of its own.
      scope: describeRule(rule, policy, LOCALE[language], `“${facts.name}”`),
      may_ask: names(facts.askers),
      my_node: nodeOf(facts.steps),
    }))
  const { governance } = policy
  if (wallet_id !== undefined || !names(governance.approvers)) return rules
  const scope = describeGovernance(policy, LOCALE[language])
  return [
    ...rules,
    {
      strategy_id: '',
      name: policyWords[language].governance,
      level: 'governance' as const,
      scope,
      may_ask: false,
      my_node: nodeOf(oneStep(governance.approvers, governance.threshold)),
    },
  ]
}

async function chainsOf(tx: OrganisationTx, networks: Networks, walletId: string): Promise<Set<string>> {
  const wallet = await tx.selectFrom('wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', walletId).executeTakeFirst()
  if (!wallet) throw new AppError('wallet_not_found')
  return new Set((await networksOfWallet(tx, networks, walletId)).map(({ chain }) => chain))
}
