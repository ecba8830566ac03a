import type { PlantedFault } from '../planted-faults.ts'

const MOVE_OVER = 'packages/policy/src/drafting/move-over.test.ts'
const DRAFTS = 'features/rule-draft/server/rule-drafts.test.ts'
const SUITE = 'features/strategy/server/strategy.test.ts'

/** Faults around rules with names: how they are drafted, and how a policy moves over to them. */
export const strategyFaults: PlantedFault[] = [
  {
    file: 'packages/policy/src/drafting/move-over.ts',
    original: "if (!isLast && rule.window !== null) return { reason: 'window' }",
    replacement: "if (!isLast && rule.window === undefined) return { reason: 'window' }",
    claimedBy: MOVE_OVER,
    test: 'keeps a rule whose total is used up where another would be asked next',
    why: 'a total that refused when it was used up passes on to the next rule after the policy has moved over, by which nobody limits anything',
  },
  {
    file: 'packages/policy/src/drafting/move-over.ts',
    original: "if (!isLast && !isForAll) return { reason: 'askers' }",
    replacement: "if (!isLast && rule.initiators.length === 0) return { reason: 'askers' }",
    claimedBy: MOVE_OVER,
    test: 'keeps a rule whose total is used up where another would be asked next',
    why: 'somebody whom the first rule refused is let through by the one after it once the policy has moved over',
  },
  {
    file: 'features/policy/server/current-policy.ts',
    original: 'if (!namedIn(policy)) return genesisRecord',
    replacement: "if (policy.kind === 'foundingSigners') return genesisRecord",
    claimedBy: SUITE,
    test: 'move the policy over to rules with names',
    why: 'an organisation whose policy has rules with names hands its signers every change since its founding as if one of them had been replaced',
  },
  {
    file: 'features/rule-draft/server/draft-faults.ts',
    original: '(findPerson(next, id)?.credentials.length ?? 0) === 0',
    replacement: 'findPerson(next, id) === undefined',
    claimedBy: SUITE,
    test: 'are refused where people could not meet them',
    why: 'a step with somebody who has no approval key is refused without saying who that is, and not as a fault of the people chosen',
  },
  {
    file: 'features/rule-draft/server/rule-of-draft.ts',
    original: 'delayMs: BigInt(action.delay_s) * 1000n',
    replacement: 'delayMs: BigInt(action.delay_s)',
    claimedBy: DRAFTS,
    test: 'is the rule and nothing else',
    why: 'a wait of a day that people set is signed as one of a minute and a half',
  },
  {
    file: 'features/rule-draft/server/draft-faults.ts',
    original: '...missed.map((id) => warning(id, words.oneAway)),',
    replacement: '...missed.slice(0, 1).map((id) => warning(id, words.oneAway)),',
    claimedBy: SUITE,
    test: 'are told everybody without whom a rule stands still, and of whom nothing was heard for long',
    why: 'of two people without whom nobody pays, one is named, and the other goes on holiday',
  },
]
