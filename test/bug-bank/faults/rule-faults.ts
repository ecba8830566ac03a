import type { PlantedFault } from '../planted-faults.ts'

const named = { file: 'packages/policy/src/evaluate/evaluate.ts', claimedBy: 'packages/policy/src/evaluate/evaluate-named.test.ts' }
const counted = { file: 'apps/signer/src/checks/verify-reservation.ts', claimedBy: 'apps/signer/src/checks/verify-named-rules.test.ts' }

const apart = { file: 'packages/policy/src/analysis/tell-apart.ts', claimedBy: 'packages/policy/src/analysis/tell-apart.test.ts' }

const delayed = { file: 'apps/signer/src/checks/delay.ts', claimedBy: 'apps/signer/src/checks/delay.test.ts' }
const destination = { file: 'apps/signer/src/checks/destinations.ts', claimedBy: 'apps/signer/src/checks/verify-destinations.test.ts' }

/** Faults in rules with names, conditions, limits and steps. */
export const ruleFaults: PlantedFault[] = [
  {
    file: 'packages/policy/src/analysis/analyse-policy.ts',
    original: 'if (!readRule(rule, policy).passesOn) taken.push({ rule, region })',
    replacement: 'taken.push({ rule, region })',
    claimedBy: 'packages/policy/src/analysis/analyse-policy.test.ts',
    why: 'a rule is said never to decide that decides once the limits of the one before it are used up',
  },
  {
    file: 'packages/policy/src/analysis/replay-orders.ts',
    original: 'count.sum -= oldest.amount',
    replacement: 'count.sum -= 0n * oldest.amount',
    claimedBy: 'packages/policy/src/analysis/replay-orders.test.ts',
    why: 'a replay refuses orders for what a rule let through longer ago than its limit counts',
  },
  {
    ...apart,
    original: 'if ((sorted[middle] ?? value) < value) from = middle + 1',
    replacement: 'if ((sorted[middle] ?? value) <= value) from = middle + 1',
    why: 'a replay has the rule for small payments decide on one that is just above its border, or the other way round',
  },
  {
    ...apart,
    original: 'lossOfPayment(act, address), isOwn',
    replacement: 'null, isOwn',
    claimedBy: 'packages/policy/src/analysis/replay-orders.test.ts',
    why: 'a replay lets a payment through that would be lost, since one like it went to a living address',
  },
  {
    ...apart,
    original: 'countBelow(borders, local.minute + 1n)',
    replacement: 'countBelow(borders, local.minute)',
    claimedBy: 'packages/policy/src/analysis/replay-orders.test.ts',
    why: 'a replay takes a payment in the first minute of the hours of a rule for one before them',
  },
  {
    ...apart,
    original: 'const place = placeOf(chain, address, memo)',
    replacement: 'const place = placeOf(chain, address, null)',
    claimedBy: 'packages/policy/src/analysis/replay-orders.test.ts',
    why: 'a replay takes a payment to a named address with another memo for one that the rule names',
  },
  {
    file: 'packages/policy/src/analysis/payment-dimensions.ts',
    original: 'const others = (asksForMemos ? [true, false] : [null])',
    replacement: 'const others = (asksForMemos ? [false] : [null])',
    claimedBy: 'packages/policy/src/analysis/analyse-policy.test.ts',
    why: 'a gap for payments with a memo is not shown where rules name addresses',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate.ts',
    original: 'const name = toHex(initiator)',
    replacement: 'const name = toHex(initiator.subarray(0, 0))',
    claimedBy: 'packages/policy/src/evaluate/evaluate-named.test.ts',
    why: 'the steps for whoever asked first are taken for everybody, and somebody counts who asks',
  },
  {
    file: 'packages/policy/src/evaluate/steps.ts',
    original: 'if (moved >= 0) {',
    replacement: 'if (moved >= 0 && tried.size < 2) {',
    claimedBy: 'packages/policy/src/evaluate/steps.test.ts',
    why: 'people who could fill every step are said to be too few, depending on who spoke first',
  },
  {
    ...named,
    original: 'return held === true && !facts.passesOn',
    replacement: 'return held === true && facts.limits.length < 0',
    why: 'a server names any later rule, and the first that covers an order decides no more',
  },
  {
    ...named,
    original: 'if (!isKnown && atMs !== undefined) return refuses',
    replacement: 'if (!isKnown && atMs !== undefined) return !refuses',
    why: 'what is not known lets an order through, and a rule that refuses refuses it no more',
  },
  {
    ...named,
    original: 'const byAnybody = isKnowing ? [...outcomes, ...mayDecide(policy, covering, act, unknowing)] : outcomes',
    replacement: 'const byAnybody = outcomes.slice(0, isKnowing || unknowing ? 1 : 0)',
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
    original: 'const denied = known ? undefined : deniedAt(nowMs)',
    replacement: 'const denied = known ? deniedAt(nowMs) : undefined',
    claimedBy: 'apps/signer/src/checks/verify-named-rules.test.ts',
    why: 'what was joined in the last second of the hours is signed after them',
  },
  {
    ...counted,
    file: 'packages/policy/src/evaluate/counted.ts',
    original: "if (each === 'asker') return [{ of: toHex(initiator), amount }]",
    replacement: "if (each === 'asker') return [{ of: '', amount }]",
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
    file: 'apps/signer/src/checks/verify-quorum.ts',
    original: 'if (tally.missing > 0) throw',
    replacement: 'if (tally.missing > 1) throw',
    why: 'a server begins the delay of an order before it is approved, so that nobody has time to stop it',
  },
  {
    ...destination,
    original: 'ownAddressAt(place, register, codec) === address',
    replacement: 'ownAddressAt(place, register, codec) !== `${address}!`',
    why: "a server says of any address that it is the organisation's own, and a rule passes what is paid there without people",
  },
  {
    ...destination,
    original: 'from !== addressAt(place, register, codec)) return false',
    replacement: "from === '') return false",
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
  {
    file: 'packages/policy/src/conditions/compared-call.ts',
    original: 'return [...new Set(compared.map((each) => each.signature))].some((each) => carries(data, each, signature)) ? undefined : true',
    replacement: 'return true',
    claimedBy: 'packages/policy/src/conditions/parameters.test.ts',
    test: 'are not known where a call carries the function',
    why: 'an allowance for anybody is carried inside of another call, past the rule that names who may be allowed',
  },
  {
    file: 'packages/policy/src/conditions/comparison.ts',
    original: 'Array.isArray(one) && one.every((next) => each(within.item, next))',
    replacement: 'Array.isArray(one) && one.some((next) => each(within.item, next))',
    claimedBy: 'apps/signer/src/checks/verify-call.test.ts',
    test: 'no server hides an address among others',
    why: 'a foreign address stands in a list beside one that the rule names, and is paid as well',
  },
  {
    file: 'packages/policy/src/conditions/comparison.ts',
    original: "word === null || type?.kind !== 'int' ? word : BigInt.asIntN(256, word)",
    replacement: "type?.kind === 'int' ? word : word",
    claimedBy: 'packages/policy/src/conditions/comparisons.test.ts',
    why: 'a bound below zero is read as a number larger than any, so that a rule lets through whatever is above it, or nothing',
  },
  {
    file: 'packages/policy/src/conditions/compared-place.ts',
    original: "type.kind === 'array' ? value.flatMap((each) => within(type.item, each, rest))",
    replacement: "type.kind === 'array' ? value.slice(0, 1).flatMap((each) => within(type.item, each, rest))",
    claimedBy: 'packages/policy/src/conditions/comparisons.test.ts',
    test: 'hides a foreign address',
    why: 'in a list of tuples only the first payee is compared, and anybody is paid behind it',
  },
  {
    file: 'packages/policy/src/analysis/argument-pieces.ts',
    original: '...before.map((each) => [...each, sort])',
    replacement: '...before.map(() => [sort])',
    claimedBy: 'packages/policy/src/analysis/argument-pieces.test.ts',
    why: 'the analysis looks at lists of one sort of elements alone, and calls a gap covered in which one of several fits no rule',
  },
  {
    file: 'packages/policy/src/conditions/memo.ts',
    original: "isPresent === (act.memo !== null && act.memo !== '')",
    replacement: "(!isPresent || (act.memo !== null && act.memo !== ''))",
    claimedBy: 'apps/signer/src/checks/networks/verify-ton.test.ts',
    test: 'goes by the memo that the bytes carry, where a rule asks for one or for none',
    why: 'a rule for payments without a memo lets one through that credits somebody else at an exchange',
  },
]
