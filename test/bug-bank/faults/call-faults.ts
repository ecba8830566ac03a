import type { PlantedFault } from '../planted-faults.ts'

const TOKENS = 'packages/policy/src/evaluate/evaluate-tokens.test.ts'
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
