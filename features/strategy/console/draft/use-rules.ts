import type { OutputOf } from '@holdfast/contract'
import { useEndpoint } from '@holdfast/client'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getRules } from '../../contract.ts'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import type { Names } from '../words/rule-words.ts'
import type { About, AboutKept, Known } from '@holdfast/features/rule-draft/console'

export type RulesView = OutputOf<typeof getRules>

/** The rules in force with what they can name, as drafts and sentences need it. */
export type Rules = {
  view: RulesView
  /** The draft that changes nothing. */
  base: RulesDraft
  known: Known
  aboutKept: AboutKept
}

const ABOUT: Record<Extract<RulesView['rules'][number], { kind: 'kept' }>['type'], About> = {
  transfer: 'payments',
  trade: 'trades',
  web3: 'calls',
  stake: 'stake',
}

export function useRules() {
  const { data, error, refetch } = useEndpoint(getRules, {})
  const rules = useMemo(() => (data ? readRules(data) : undefined), [data])
  return { rules, error, refetch }
}

export function readRules(view: RulesView): Rules {
  const { base_version, people, assets, sources, lists, groups } = view
  const networks = new Map(assets.map(({ chain, network }) => [chain, network]))
  const kept = new Map(view.rules.flatMap((each) => (each.kind === 'kept' ? [[each.id, ABOUT[each.type]] as const] : [])))
  return {
    view,
    base: {
      base_version,
      groups: groups.map(({ id, name, members }) => ({ id, name, members: members.map((each) => each.person_id) })),
      rules: view.rules.map(draftOf),
      add_keys: [],
    },
    known: {
      people: people.map((each) => ({ id: each.person_id, name: each.name, has_key: each.has_key || each.new_keys.length > 0 })),
      assets,
      networks: [...networks].map(([chain, name]) => ({ chain, name })),
      wallets: sources,
      lists,
      coSigners: view.co_signers,
      screeners: view.screeners,
    },
    aboutKept: (id) => kept.get(id),
  }
}

function draftOf(rule: RulesView['rules'][number]): RulesDraft['rules'][number] {
  if (rule.kind === 'kept') return { kind: 'kept', id: rule.id }
  const { sentence: _, hits_30d: _hits, last_hit: _last, ...named } = rule
  return named
}

/** What the names in a draft mean, in the reader's language. */
export function useNames(known: Known, { groups }: Pick<RulesDraft, 'groups'>): Names {
  const { t } = useTranslation('strategyEngine')
  return useMemo(() => ({ t, known, groups }), [t, known, groups])
}

/** The draft with the new keys of whoever approves by it and has none in the policy: without one their word counts for nothing. */
export function withNewKeys(draft: RulesDraft, { people }: Pick<RulesView, 'people'>, approvers: ReadonlySet<string>): RulesDraft {
  const added = people.filter((each) => !each.has_key && approvers.has(each.person_id)).flatMap((each) => each.new_keys)
  return { ...draft, add_keys: [...new Set([...draft.add_keys, ...added])] }
}
