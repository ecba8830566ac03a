import type { PlantedFault } from '../planted-faults.ts'

const READS = 'packages/chains/evm/codec/trade/read-trade.test.ts'
const DECIDES = 'packages/policy/src/evaluate/evaluate-trade.test.ts'
const LOOSENS = 'packages/policy/src/change/loosens-trades.test.ts'

/** Faults around trades: what calls of a router are read as, and what rules let through of it. */
export const tradeFaults: PlantedFault[] = [
  {
    file: 'packages/chains/evm/codec/trade/uniswap-v3.ts',
    original: 'noPriceLimit(limit)\n',
    replacement: '\n',
    claimedBy: READS,
    test: 'limits of the price',
    why: 'the router stops in the middle, and less is got than the amount that people approved as exact',
  },
  {
    file: 'packages/chains/evm/codec/trade/uniswap-v3.ts',
    original: 'if (!inner || others.length > 0)',
    replacement: 'if (!inner)',
    claimedBy: READS,
    test: 'several calls in one',
    why: 'behind a fair trade the same call makes another one, for anybody',
  },
  {
    file: 'packages/chains/evm/codec/trade/uniswap-v3.ts',
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
