import type { PlantedFault } from '../planted-faults.ts'

const VALUATION = 'packages/policy/src/rules/valuation.ts'
const WORTH = 'packages/policy/src/rules/valuation.test.ts'
const LOOSENS = 'packages/policy/src/change/loosens-values.test.ts'
const SIGNED = 'apps/signer/src/checks/verify-values.test.ts'

/** Faults around what assets are worth (docs/adr/0032): an amount that counts for less than it is, or a table that is got round. */
export const valueFaults: PlantedFault[] = [
  {
    file: VALUATION,
    original: 'BigInt(atMs) < worth.validUntilMs',
    replacement: 'BigInt(atMs) <= worth.validUntilMs + 86_400_000n',
    claimedBy: WORTH,
    test: 'what nobody says the worth of, or no longer, is beyond any bound; what is nothing is worth nothing',
    why: 'a worth of yesterday still lets orders through when people believe that it has ended',
  },
  {
    file: VALUATION,
    original: ') return BEYOND_CENTS\n  const divisor',
    replacement: ') return 0n\n  const divisor',
    claimedBy: WORTH,
    test: 'what nobody says the worth of, or no longer, is beyond any bound; what is nothing is worth nothing',
    why: 'whatever the table does not name is worth nothing, and passes every limit in dollars',
  },
  {
    file: VALUATION,
    original: ': worth.microUsd) + divisor - 1n) / divisor',
    replacement: ': worth.microUsd)) / divisor',
    claimedBy: WORTH,
    test: 'an amount is worth the fewest whole cents that are no less than it is, whatever its decimals',
    why: 'any number of payments below a cent counts for nothing',
  },
  {
    file: VALUATION,
    original: 'live > worth.microUsd ? live : worth.microUsd',
    replacement: 'live > 0n ? live : worth.microUsd',
    claimedBy: WORTH,
    test: 'a higher price counts, and a lower one never does; nor does a price say what the table does not',
    why: 'whoever gives the server a price decides how little an order counts for',
  },
  {
    file: VALUATION,
    original: 'is.microUsd * was.units >= was.microUsd * is.units',
    replacement: 'is.microUsd >= was.microUsd',
    claimedBy: LOOSENS,
    test: 'other decimals make a base unit worth something else: that touches values, and loosens rules where it is less',
    why: 'an asset with more decimals makes every amount of it worth next to nothing, by the word of who approves assets',
  },
  {
    file: VALUATION,
    original: ' >= was.microUsd * is.units && is.validUntilMs <= was.validUntilMs',
    replacement: ' >= was.microUsd * is.units',
    claimedBy: LOOSENS,
    test: 'raising what something is worth, or for less long, tightens; lowering it loosens; and so does what cannot be ordered',
    why: 'a low worth is made to last for years without anybody having time to stop it',
  },
  {
    file: VALUATION,
    original: 'if (twice !== undefined) return',
    replacement: "if (twice === '') return",
    claimedBy: WORTH,
    test: 'what cannot be valued or would let through the unknown is no policy',
    why: 'two entries of one asset stand side by side, and the last of them counts',
  },
  {
    file: 'packages/policy/src/change/touched-parts.ts',
    original: "if (unitsDiffer(before, after)) touched.add('valuation')",
    replacement: '',
    claimedBy: LOOSENS,
    test: 'other decimals make a base unit worth something else: that touches values, and loosens rules where it is less',
    why: 'who approves assets changes what they are worth',
  },
  {
    file: 'packages/policy/src/change/change-quorums.ts',
    original: "part === 'strategies' || part === 'valuation'",
    replacement: "part === 'strategies'",
    claimedBy: LOOSENS,
    test: 'who approves what assets are worth does not loosen alone the rules that bind only themselves',
    why: 'those whom a limit in dollars binds lower what their asset is worth',
  },
  {
    file: 'packages/policy/src/change/coverage.ts',
    original: 'if (was.maxCents !== null && !countsNoLess(after, before)) return false',
    replacement: '',
    claimedBy: LOOSENS,
    test: 'who approves what assets are worth does not loosen alone the rules that bind only themselves',
    why: 'a limit in dollars grows with a lower worth, by the word of those whom it binds',
  },
  {
    file: 'packages/policy/src/rules/check-rule.ts',
    original: "each.kind === 'value' && each.atMostCents !== null",
    replacement: "each.kind === 'value' && each.atMostCents === 0n",
    claimedBy: WORTH,
    test: 'what cannot be valued or would let through the unknown is no policy',
    why: 'a rule that refuses up to a value lets through whatever nobody knows the worth of',
  },
  {
    file: 'apps/signer/src/checks/verify-reservation.ts',
    original: 'asset === null ? BEYOND_CENTS : centsOf(policy, asset, amount, { atMs: nowMs })',
    replacement: 'asset === null ? 0n : centsOf(policy, asset, amount, { atMs: nowMs })',
    claimedBy: SIGNED,
    why: 'what a signer let through before it knew of assets counts for nothing in dollars',
  },
  {
    file: 'features/transfer/server/opening/outcome-by-limits.ts',
    original: ', isCancellation(intent) ? undefined : raisedBefore(outcome))',
    replacement: ')',
    claimedBy: 'features/transfer/server/order-values.test.ts',
    test: 'are not got round by a table that says less than the market',
    why: 'a rule for dear orders is passed by as long as nobody renews the table, whatever the market says',
  },
]
