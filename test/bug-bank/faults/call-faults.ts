import type { PlantedFault } from '../planted-faults.ts'

const TOKENS = 'packages/policy/src/evaluate/evaluate-tokens.test.ts'
const READS = 'packages/chains/evm/codec/trade/read-trade.test.ts'
const DECIDES = 'packages/policy/src/evaluate/evaluate-trade.test.ts'
const LOOSENS = 'packages/policy/src/change/loosens-trades.test.ts'
const SCAN = 'packages/chains/evm/codec/scan-call.test.ts'

/** Faults around calls that move tokens or give rights, and payments that would be lost: what rules, signers and pages have to see in them. */
export const callFaults: PlantedFault[] = [
  {
    file: 'packages/chains/evm/codec/scan-call.ts',
    original: 'at + SELECTOR_LENGTH <= data.length; at++',
    replacement: 'at + SELECTOR_LENGTH <= data.length; at += 32',
    claimedBy: SCAN,
    why: 'a call that stands one byte off in what another carries is not seen, and gives a stranger everything',
  },
  {
    file: 'packages/chains/evm/codec/scan-call.ts',
    original: "known && known.deed !== 'carries'",
    replacement: "known && known.deed === 'grants'",
    claimedBy: SCAN,
    why: 'calls that move tokens or give away control pass as harmless ones',
  },
  {
    file: 'packages/chains/evm/codec/scan-call.ts',
    original: 'if (start + BigInt(WORD) > BigInt(words.length)) return UNREADABLE',
    replacement: 'if (start + BigInt(WORD) > BigInt(words.length)) return 0n',
    claimedBy: SCAN,
    why: 'a list of amounts that cannot be read counts as nothing',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate-call.ts',
    original: "['hidden-function', isBounded((each) => finds.every((find) => isNamed(each, find)))],",
    replacement: '',
    claimedBy: TOKENS,
    why: 'a function that the rule does not name is run inside of one that it names',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate-call.ts',
    original: "['tokens-too-high', isBounded((each) => tokensOf(each, finds) <= (each.maxTokens ?? 0n))],",
    replacement: '',
    claimedBy: TOKENS,
    why: 'the limit for tokens is words alone',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate-call.ts',
    original: '(each.functions !== null && finds.every(isHarmless))',
    replacement: 'each.functions !== null',
    claimedBy: TOKENS,
    why: 'under a rule that was made before, allowances without a limit are still let through',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate-call.ts',
    original: 'amount === null || amount >= ANY_SUPPLY || (adds && !bounds.countsTokens)',
    replacement: 'amount === null || amount >= ANY_SUPPLY',
    claimedBy: TOKENS,
    why: 'an allowance is raised step by step to any height',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate-order.ts',
    original: "const reason = (asking.judged ?? 'now') === 'now' ? lossOfAct(act) : undefined",
    replacement: 'const reason = undefined',
    claimedBy: TOKENS,
    why: 'the server and the approval page take a payment that destroys money for any other',
  },
  {
    file: 'apps/signer/src/checks/verify.ts',
    original: 'return evaluateAct(policy, act, asking)',
    replacement: "return evaluateAct(policy, act, { ...asking, judged: 'then' })",
    claimedBy: 'apps/signer/src/checks/verify-lost.test.ts',
    why: 'signers sign a payment to an address that nobody has the key of',
  },
  {
    file: 'packages/policy/src/evaluate/counted.ts',
    original: 'return tokens > 0n ? { chain, contract: act.contract, amount: tokens',
    replacement: 'return tokens < 0n ? { chain, contract: act.contract, amount: tokens',
    claimedBy: 'apps/signer/src/checks/verify-call.test.ts',
    why: 'tokens that calls move or allow are counted in no window',
  },
  {
    file: 'packages/chains/core/src/dead-addresses.ts',
    original: "const program = address.slice(address.lastIndexOf('1') + 2, -SEGWIT_CHECKSUM)",
    replacement: "const program = address.slice(address.lastIndexOf('1') + 1, -SEGWIT_CHECKSUM)",
    claimedBy: 'packages/chains/core/src/dead-addresses.test.ts',
    why: 'Bitcoin is burned at segwit addresses that nobody can spend from',
  },
  {
    file: 'packages/intent/src/intent.ts',
    original: 'DOES.filter((each) => !kind.does.includes(each))',
    replacement: 'DOES.filter(() => false)',
    claimedBy: 'packages/intent/src/kinds/kinds.test.ts',
    test: 'never cover bytes that do what no order of the kind is for',
    why: 'a signer that reads an order of a new kind signs bytes that also call a contract',
  },
  {
    file: 'packages/intent/src/render-call.ts',
    original: 'const finds = context.tellsFinds ? reading.finds',
    replacement: 'const finds = !context.tellsFinds ? reading.finds',
    claimedBy: 'packages/intent/src/render-call.test.ts',
    why: 'approvers are not told what is carried inside, and the words of older approvals change, so that their evidence fails',
  },
  {
    file: 'apps/console/src/connection.ts',
    original: 'const { served, wasAway } = await untilServed()',
    replacement: "const { served, wasAway } = { served: (await ask()) === 'same' ? 'same' : 'other', wasAway: false }",
    claimedBy: 'apps/console/src/connection.test.ts',
    why: 'a lost connection is called a new version, and what was typed is lost with the page',
  },
  {
    file: 'packages/ui/src/format/format-number.ts',
    original: 'const isUp = rest * 2n > step || (rest * 2n === step && quotient % 2n === 1n)',
    replacement: 'const isUp = false',
    claimedBy: 'packages/ui/src/format/format-number.test.ts',
    why: 'summaries are cut: 8.99998 is shown as 8.99, and what is shown does not add up',
  },
  {
    file: 'features/wallet/server/worth.ts',
    original: '.slice(0, Number(left))',
    replacement: '.slice(0, 0)',
    claimedBy: 'features/wallet/server/worth.test.ts',
    why: 'shares of a portfolio come to less than a hundred per cent',
  },
]

/** Faults around trades: what calls of a router are read as, and what rules let through of it. */
export const tradeFaults: PlantedFault[] = [
  {
    file: 'packages/chains/evm/codec/trade/swap-router02.ts',
    original: 'noPriceLimit(limit)\n',
    replacement: '\n',
    claimedBy: READS,
    test: 'limits of the price',
    why: 'the router stops in the middle, and less is got than the amount that people approved as exact',
  },
  {
    file: 'packages/chains/evm/codec/trade/swap-router02.ts',
    original: 'if (!inner || others.length > 0)',
    replacement: 'if (!inner)',
    claimedBy: READS,
    test: 'several calls in one',
    why: 'behind a fair trade the same call makes another one, for anybody',
  },
  {
    file: 'packages/chains/evm/codec/trade/swap-router02.ts',
    original:
      'isExactInput ? { gives: first, atMost: amount, gets: last, atLeast: bound, to } : { gives: last, atMost: bound, gets: first, atLeast: amount, to }',
    replacement:
      'isExactInput ? { gives: first, atMost: amount, gets: last, atLeast: bound, to } : { gives: first, atMost: bound, gets: last, atLeast: amount, to }',
    claimedBy: READS,
    test: 'read as it was written',
    why: 'what is given is taken for what is got',
  },
  {
    file: 'packages/chains/evm/codec/trade/trade.ts',
    original: 'if (trade.atMost === 0n)',
    replacement: 'if (trade.atMost < 0n)',
    claimedBy: READS,
    test: 'amounts of nothing',
    why: 'a router takes nothing for everything that it holds',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate-trade.ts',
    original: "if (trade.to !== act.from) return [{ kind: 'deny', reason: 'trade-for-another', rule: null }]",
    replacement: '',
    claimedBy: DECIDES,
    why: 'what is got goes to a stranger',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate-trade.ts',
    original: "['slippage-too-high', (each) => share(each) === true],",
    replacement: '',
    claimedBy: DECIDES,
    why: 'everything is given for next to nothing',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate-trade.ts',
    original: 'return leftMs > 0n && leftMs <= deadlineMs',
    replacement: 'return leftMs > 0n',
    claimedBy: DECIDES,
    why: 'signed bytes are kept until their price has become a bad one',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate-order.ts',
    original: 'if (venueForm(policy, act.chain, act.contract) !== undefined) return decideVenueCall(policy, act, asking)',
    replacement: "if (decideVenueCall(policy, act, asking).some((each) => each.kind === 'needs')) return decideVenueCall(policy, act, asking)",
    claimedBy: DECIDES,
    test: 'is judged by rules for trades alone',
    why: 'a trade that the rules for trades refuse goes through as a call',
  },
  {
    file: 'packages/policy/src/rules/valuation.ts',
    original: 'return worth && (atMs === undefined || BigInt(atMs) < worth.validUntilMs) ? worth : undefined',
    replacement: 'return worth',
    claimedBy: DECIDES,
    why: 'a trade is judged by prices of long ago',
  },
  {
    file: 'packages/policy/src/change/loosened-rules.ts',
    original: '|| venuesLoosen(current, next)',
    replacement: '',
    claimedBy: LOOSENS,
    test: 'is a venue no more',
    why: 'a rule for calls takes a router back at once, without the wait in which somebody can stop it',
  },
  {
    file: 'packages/policy/src/change/coverage.ts',
    original: '(was.slippageBps === null || tradesNoWorse(after.policy, before.policy, traded))',
    replacement: 'true',
    claimedBy: LOOSENS,
    why: 'another table of values lets worse trades through at once',
  },
]
