import type { PlantedFault } from '../planted-faults.ts'

const SIGNER = 'apps/signer/src/checks/verify-screening.test.ts'
const POLICY = 'packages/policy/src/conditions/screening.test.ts'
const SERVER = 'features/open-api/server/screenings.test.ts'

/** Faults around what screeners say (docs/adr/0063): a word that is not there, of something else, too old, or of nobody. */
export const screeningFaults: PlantedFault[] = [
  {
    file: 'packages/policy/src/people/read-screenings.ts',
    original: "if (!equalBytes(word.intentHash, intentHash)) return 'screening-other-order'",
    replacement: '',
    claimedBy: SIGNER,
    test: 'takes no word of another order',
    why: 'what was found of one payment is handed on with every other',
  },
  {
    file: 'packages/policy/src/people/read-screenings.ts',
    original: "return isSignedByScreener(word, machine.publicKey) ? undefined : 'screener-strange-key'",
    replacement: 'return undefined',
    claimedBy: SIGNER,
    test: 'takes no word of another order',
    why: 'a server says itself that a payment was found harmless',
  },
  {
    file: 'packages/policy/src/people/read-screenings.ts',
    original: "return machine?.kind === 'screener' ? machine : undefined",
    replacement: 'return machine',
    claimedBy: SIGNER,
    test: 'takes no word of another order',
    why: 'a machine of another kind says what screening found',
  },
  {
    file: 'packages/policy/src/conditions/screening.ts',
    original: 'BigInt(newestMs) > withinMs ?',
    replacement: 'BigInt(newestMs) > withinMs * 2n ?',
    claimedBy: SIGNER,
    test: 'counts the age by its own clock',
    why: 'a payment is signed by what was found too long ago',
  },
  {
    file: 'packages/policy/src/conditions/screening.ts',
    original: 'if (!named || named.expiresAtMs <= BigInt(Math.floor(atMs)))',
    replacement: 'if (!named)',
    claimedBy: SIGNER,
    test: 'takes no word of another order',
    why: 'a screener whose time is over goes on saying what is harmless',
  },
  {
    file: 'packages/policy/src/conditions/screening.ts',
    original: 'newest.some(({ level }) => level !== first.level)',
    replacement: 'newest.length === 0',
    claimedBy: SIGNER,
    test: 'counts the age by its own clock',
    why: 'of two words of one time the server chooses the one that it likes',
  },
  {
    file: 'packages/policy/src/evaluate/evaluate.ts',
    original: 'if (!isScreened && !refuses) return false',
    replacement: '',
    claimedBy: SIGNER,
    test: 'signs with a word of the level that the rule takes',
    why: 'a payment that nobody screened passes the rule that demands it',
  },
  {
    file: 'packages/policy/src/rules/check-rule.ts',
    original: "asksOfDestinations(rule) || rule.conditions.some(({ kind }) => kind === 'screening')",
    replacement: 'asksOfDestinations(rule)',
    claimedBy: POLICY,
    test: 'leaves an order to no rule that asks for less',
    why: 'a server keeps a word back and reaches a rule that asks fewer people',
  },
  {
    file: 'packages/protocol/src/verify-evidence.ts',
    original: '...(screened && !isCancellation(part) && { screened })',
    replacement: '',
    claimedBy: 'apps/signer/src/screening.test.ts',
    test: 'shows the word, and proves nothing without it',
    why: 'a bundle without the word that the rule demands is called proof',
  },
  {
    file: 'features/transfer/server/signing/read-approved.ts',
    original: ', ...newestScreenings(screenings)]',
    replacement: ']',
    claimedBy: SERVER,
    test: 'waits for the screener, tells it what is paid',
    why: 'signers are not shown what the screener said, and refuse every order',
  },
  {
    file: 'features/proposal/server/take-screening.ts',
    original: 'if (place.orgId !== orgId) throw new AppError(proposalErrors.order_not_found)',
    replacement: '',
    claimedBy: SERVER,
    test: 'says nothing of an order that is unknown',
    why: 'a screener of one organisation learns of the orders of another',
  },
]
