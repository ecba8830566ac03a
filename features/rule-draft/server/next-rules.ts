import { type Around, checkedNext, DraftRefused, type MakePolicy, namedPeople, type PolicyInForce, versionAfter } from '@holdfast/features/policy/server'
import { deputiesMeant, inThirdForm, peopleNamedIn, peopleOfParts, type Policy, type Rule, rulesOf, type ThirdForm } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import type { RulesDraft } from '../contract.ts'
import { isDrawn } from './co-signer-step.ts'
import { type DraftFault, faultsOfRules, isAboutPeople } from './draft-faults.ts'
import { groupOfDraft, RuleFault, ruleOfDraft } from './rule-of-draft.ts'
import type { StrategyWords } from './strategy-words.ts'

/** What a draft of rules would make of the policy, and everything that is wrong with it; `next` is undefined if it cannot even be written down. */
export type Drawn = { next: ThirdForm | undefined; faults: DraftFault[] }

/** Rules that cannot be proposed. The message is the first fault. */
export class RulesRefused extends DraftRefused {
  override name = 'RulesRefused'
  readonly faults: readonly DraftFault[]
  constructor(faults: readonly DraftFault[]) {
    super(faults.map(({ text }) => text).join('; '))
    this.faults = faults
  }

  get isAboutPeople(): boolean {
    return isAboutPeople(this.faults)
  }
}

/** Makes the next version of the policy by a draft of rules. Throws RulesRefused with every fault. */
export const policyOfRules =
  (draft: RulesDraft, words: StrategyWords): MakePolicy =>
  (inForce, around) => {
    const { next, faults } = drawRules(draft, inForce, around, words)
    if (!next || faults.length > 0) throw new RulesRefused(faults)
    return checkedNext(next, inForce, around)
  }

const plainFault = (text: string, field: DraftFault['field']): DraftFault => ({
  rule_id: null,
  rule_name: null,
  field,
  step: null,
  person: null,
  code: '',
  text,
})

/** The next version by a draft of rules, as far as it can be made. The people whom the policy names stay, but for those who are no members any more. */
export function drawRules(draft: RulesDraft, inForce: PolicyInForce, around: Around, words: StrategyWords): Drawn {
  const { policy } = inForce
  if (BigInt(draft.base_version) !== policy.version) return { next: undefined, faults: [plainFault(words.stale, 'version')] }
  const { rules, faults } = readRules(draft, policy, around, words)
  if (faults.length > 0) return { next: undefined, faults }
  const third = inThirdForm(policy)
  const groups = draft.groups.map(groupOfDraft)
  try {
    const people = peopleAfter(draft, { ...third, groups, rules }, around)
    const next = versionAfter(inForce, around.nowMs, { ...third, people, groups, rules })
    return { next, faults: faultsOfRules(next, around, words) }
  } catch (cause) {
    if (cause instanceof DraftRefused) return { next: undefined, faults: [plainFault(cause.message, 'rules')] }
    throw cause
  }
}

function readRules(draft: RulesDraft, policy: Policy, { networks }: Around, words: StrategyWords): { rules: Rule[]; faults: DraftFault[] } {
  const places = {
    assets: policy.assets,
    words,
    canonicalAddress: (chain: string, text: string) => networks.find(chain)?.codec.canonicalAddress(text),
  }
  const faults: DraftFault[] = []
  const rules = draft.rules.flatMap((wanted): Rule[] => {
    if (wanted.kind === 'kept') {
      const found = rulesOf(policy).find((rule) => rule.id === wanted.id && !isDrawn(rule))
      if (!found) faults.push({ ...plainFault(words.noKept(wanted.id), 'rules'), rule_id: wanted.id })
      return found ? [found] : []
    }
    try {
      return [ruleOfDraft(wanted, places)]
    } catch (cause) {
      if (!(cause instanceof RuleFault)) throw cause
      faults.push({ ...plainFault(`${words.rule(wanted.name)}: ${cause.message}`, cause.field), rule_id: wanted.id, rule_name: wanted.name })
      return []
    }
  })
  return { rules, faults }
}

/** Everybody whom the new rules, the groups or the governance name, and those of the version in force who are still members. */
function peopleAfter(draft: RulesDraft, said: ThirdForm, around: Around): Policy['people'] {
  const first = said.rules.flatMap((rule) => (rule.kind === 'named' ? [] : [...rule.initiators, ...rule.approvers]))
  const inRules = [...first, ...peopleNamedIn(said.rules, withStrangers(said))]
  const named = [...inRules, ...peopleOfParts(said), ...deputiesMeant(said), ...said.governance.approvers].map(bytesToUuid)
  const staying = said.people.map(({ id }) => bytesToUuid(id)).filter((id) => (around.directory.members.get(id)?.state ?? 'removed') !== 'removed')
  return namedPeople({ add_keys: draft.add_keys, drop_keys: [] }, new Set([...named, ...staying]), said, around)
}

/** People are meant by a rule before the policy knows them. */
const withStrangers = ({ groups }: ThirdForm) => ({ people: [], groups })
