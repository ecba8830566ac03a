import type { PlantedFault } from './planted-faults.ts'

const named = { file: 'packages/policy/src/evaluate/evaluate.ts', claimedBy: 'packages/policy/src/evaluate/evaluate-named.test.ts' }
const counted = { file: 'apps/signer/src/checks/verify-reservation.ts', claimedBy: 'apps/signer/src/checks/verify-named-rules.test.ts' }

const delayed = { file: 'apps/signer/src/checks/delay.ts', claimedBy: 'apps/signer/src/checks/delay.test.ts' }
const destination = { file: 'apps/signer/src/checks/destinations.ts', claimedBy: 'apps/signer/src/checks/verify-destinations.test.ts' }

/** Faults in rules with names, conditions, limits and steps. */
export const ruleFaults: PlantedFault[] = [
  {
    file: 'packages/policy/src/evaluate/steps.ts',
    original: 'if (moved >= 0) {',
    replacement: 'if (moved >= 0 && tried.size < 2) {',
    claimedBy: 'packages/policy/src/evaluate/steps.test.ts',
    why: 'people who could fill every step are said to be too few, depending on who spoke first',
  },
  {
    ...named,
    original: 'if (held && !readRule(rule, policy).passesOn) break',
    replacement: 'if (held && readRule(rule, policy).limits.length < 0) break',
    why: 'a server names any later rule, and the first that covers an order decides no more',
  },
  {
    ...named,
    original: 'return asking.atMs === undefined ? undefined : readRule(rule, policy).refuses',
    replacement: 'return asking.atMs === undefined ? undefined : !readRule(rule, policy).refuses',
    why: 'what is not known lets an order through, and a rule that refuses refuses it no more',
  },
  {
    ...named,
    original: 'const byAnybody = isKnowing ? [...outcomes, ...mayDecide(policy, covering, act, unknowing)] : outcomes',
    replacement: 'const byAnybody = outcomes.slice(0, isKnowing && !unknowing ? 0 : 1)',
    why: 'the no of somebody who counts by the next rule, or at another hour, is not heard',
  },
  {
    ...named,
    file: 'packages/policy/src/describe/describe-change.ts',
    original: 'const isSame = was === is && equalBytes',
    replacement: 'const isSame = equalBytes',
    why: 'two groups swap their ids, other people approve from then on, and nobody reads of it',
  },
  {
    file: 'apps/signer/src/state/spends.ts',
    original: 'const kept = [before, ...others].filter((each) => each.ruleId !== ruleId)',
    replacement: 'const kept = [before, ...others].filter((each) => each.ruleId === `${ruleId} of nobody`)',
    claimedBy: 'apps/signer/src/checks/verify-named-rules.test.ts',
    why: 'an order that is asked for again under another rule counts no more under the one that let it through, whose limit is open anew',
  },
  {
    file: 'apps/signer/src/checks/verify.ts',
    original: "if (!known && judge(nowMs).kind === 'deny')",
    replacement: "if (known && judge(nowMs).kind === 'deny')",
    claimedBy: 'apps/signer/src/checks/verify-named-rules.test.ts',
    why: 'what was joined in the last second of the hours is signed after them',
  },
  {
    ...counted,
    original: "if (each === 'asker') return toHex(told.initiator) === of ? amount : undefined",
    replacement: "if (each === 'asker') return toHex(told.initiator) !== of ? amount : undefined",
    why: 'a limit for each person counts what the others asked for',
  },
  {
    ...counted,
    original: "if (!told || each === 'rule') return amount",
    replacement: "if (!told || each === 'rule') return told ? amount : undefined",
    why: 'what a journal from before holds counts for nobody, so every limit is open anew after an upgrade',
  },
  {
    ...counted,
    original: "const own = unit === 'order' ? BigInt(amounts.size)",
    replacement: "const own = unit === 'order' ? BigInt(amounts.size > 1 ? 1 : amounts.size)",
    why: 'a limit on the number of orders never counts beyond one',
  },
  {
    ...delayed,
    original: 'if (BigInt(view.nowMs) < signableAtMs)',
    replacement: 'if (BigInt(view.nowMs) < signableAtMs - delayMs)',
    why: 'a rule that has orders wait lets them be signed at once',
  },
  {
    ...delayed,
    original: 'if (tally.missing > 0) throw',
    replacement: 'if (tally.missing > 1) throw',
    why: 'a server begins the delay of an order before it is approved, so that nobody has time to stop it',
  },
  {
    ...destination,
    original: 'isInUse(each, register) && addressAt(each, register, codec) === to.address',
    replacement: 'isInUse(each, register) && addressAt(each, register, codec) !== undefined',
    why: "a server says of any address that it is the organisation's own, and a rule passes what is paid there without people",
  },
  {
    ...destination,
    original: 'return pays && from === addressAt(place, register, codec)',
    replacement: 'return pays && from !== ""',
    why: 'a payment by anybody makes an address one that was paid before',
  },
  {
    ...destination,
    original: "const isListed = listed.state === 'listed'",
    replacement: "const isListed = listed.state !== 'none'",
    why: 'an address that still waits on the whitelist is paid as if it were listed',
  },
  {
    file: 'packages/policy/src/evaluate/steps.ts',
    original: 'step.isAskers ? step.eligible.filter((id) => isAmong(askers, id))',
    replacement: 'step.isAskers ? step.eligible.filter((id) => isAmong(step.eligible, id) || isAmong(askers, id))',
    claimedBy: 'apps/signer/src/checks/verify-destinations.test.ts',
    why: 'anybody who may ask under a rule that passes orders lets through what another one asked for',
  },
  {
    file: 'packages/policy/src/conditions/destinations.ts',
    original: 'return held.includes(false) ? false',
    replacement: 'return held.includes(true) ? true : held.includes(false) ? false',
    claimedBy: 'packages/policy/src/evaluate/evaluate-named.test.ts',
    why: 'one known recipient among many lets an order pay all of them',
  },
]
